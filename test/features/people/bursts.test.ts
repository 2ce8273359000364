import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findBursts } from '#features/people/find-bursts.ts';
import { enrollments } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  createUser,
  db,
} from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';
import { setTime } from './support.ts';

const minute = 60_000;

startFresh();

async function createCohort(owner: { id: string }, values = {}) {
  const course = await createCourseRow(owner.id, { courseType: 'cohort' });
  return createCohortRow(course, { publishedAt: new Date(start), ...values });
}

type Cohort = Awaited<ReturnType<typeof createCohort>>;

/** People of a domain, one every so many minutes, the last of them some minutes ago. */
async function enrollMany(
  cohort: Cohort,
  {
    count,
    every = 1,
    ago = 0,
    domain = 'many.example',
    ...values
  }: Record<string, unknown> & {
    count: number;
    every?: number;
    ago?: number;
    domain?: string;
  },
  of: Record<string, unknown> = {},
) {
  const made = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const at = new Date(start - (ago + (count - nth) * every) * minute);
    const email = `${crypto.randomUUID()}@${domain}`;
    made.push(
      await createEnrollment(
        cohort,
        { createdAt: at, statusChangedAt: at, ...values },
        { email, emailCanonical: email, source: 'self', ...of },
      ),
    );
  }
  return made;
}

async function burstsOf(cohort: Cohort) {
  const { bursts } = await ask(contextOn(), {
    bursts: findBursts(sql`${cohort.ownerId}`, cohort.id, start),
  });
  return bursts;
}

test('eight people of one domain who enroll within an hour are a burst, in the order they came', async () => {
  const cohort = await createCohort(await createUser());
  const people = await enrollMany(cohort, { count: 8, every: 8 });
  await enrollMany(cohort, { count: 8, ago: 10, domain: 'gmail.com' });

  expect(await burstsOf(cohort)).toEqual([
    {
      domain: 'many.example',
      people: people.map(({ id, person: { name, email } }) => ({ id, name, email })),
    },
  ]);
});

test.each([
  ['seven', { count: 7 }, {}],
  ['eight in more than an hour', { count: 8, every: 9 }, {}],
  ['eight a day ago', { count: 8, ago: 24 * 60 }, {}],
  ['eight whom their instructor added', { count: 8 }, { source: 'added' }],
  ['eight who are gone', { count: 8, status: 'left' }, {}],
])('%s are none', async (_, values, of) => {
  const cohort = await createCohort(await createUser());
  await enrollMany(cohort, values, of);

  expect(await burstsOf(cohort)).toEqual([]);
});

test('only the hour of a burst belongs to it', async () => {
  const cohort = await createCohort(await createUser());
  await enrollMany(cohort, { count: 2, ago: 300 });
  const people = await enrollMany(cohort, { count: 9 });

  const [burst] = await burstsOf(cohort);
  expect(burst?.people.map(({ id }) => id)).toEqual(people.map(({ id }) => id));
});

test('all of them are removed at once, untold, and their places are offered', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const cohort = await createCohort(user, { capacity: 8 });
  const people = await enrollMany(cohort, { count: 8 });
  const [next] = await enrollMany(cohort, {
    count: 1,
    status: 'waitlisted',
    queueNo: 1,
    domain: 'waits.example',
  });
  const path = `/api/cohorts/${cohort.id}/enrollments/remove/`;
  const enrollmentIds = people.map(({ id }) => id);
  const response = await client.post(path, { enrollments: enrollmentIds, notify: false });
  await settled();
  setTime(start + 1);
  const again = await client.post(path, { enrollments: enrollmentIds, notify: true });
  await settled();

  expect(await response.json()).toEqual({ removed: 8 });
  expect(await again.json()).toEqual({ removed: 0 });
  const rows = await db.select().from(enrollments).where(sql`cohort_id = ${cohort.id}`);
  expect(Object.groupBy(rows, ({ status }) => status).removed).toHaveLength(8);
  expect(rows.find(({ id }) => id === next?.id)).toMatchObject({ status: 'offered' });
  expect(people.flatMap(({ person }) => mailsTo(person.email, accepted))).toEqual([]);
});

test('those who are told get one email each', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const cohort = await createCohort(user);
  const people = await enrollMany(cohort, { count: 3 });
  await client.post(`/api/cohorts/${cohort.id}/enrollments/remove/`, {
    enrollments: people.map(({ id }) => id),
  });
  await settled();

  for (const { person } of people) {
    expect(mailsTo(person.email, accepted)).toHaveLength(1);
  }
});

test('people of another cohort, of another owner and of the trash stay', async () => {
  const { client, user } = await createSignedInClient();
  const cohort = await createCohort(user);
  const other = await createCohort(user);
  const stranger = await createCohort(await createUser());
  const trashed = await createCohort(user, { deletedAt: new Date(start) });
  const [one] = await enrollMany(other, { count: 1 });
  const [two] = await enrollMany(stranger, { count: 1 });
  const ids = [one?.id, two?.id];
  const remove = async ({ id }: Cohort) => {
    const response = await client.post(`/api/cohorts/${id}/enrollments/remove/`, {
      enrollments: ids,
    });
    return { status: response.status, ...(await response.json<{ removed?: number }>()) };
  };

  expect(await remove(cohort)).toMatchObject({ status: 200, removed: 0 });
  expect(await remove(stranger)).toMatchObject({ status: 404 });
  expect(await remove(trashed)).toMatchObject({ status: 422, code: 'cohort_in_trash' });
  const left = await db.select().from(enrollments).where(sql`id IN (${one?.id}, ${two?.id})`);
  expect(left.map(({ status }) => status)).toEqual(['enrolled', 'enrolled']);
});
