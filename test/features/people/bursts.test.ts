import { inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findBursts } from '#features/people/find-bursts.ts';
import { enrollments } from '#features/people/table.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { countsOf, createPublished, start, statusOf } from './storm.ts';
import { createOwner, refused, setTime } from './support.ts';

const minute = 60_000;
const given = startFresh();

type Cohort = { id: string; ownerId: string };

/** People of a domain, one every so many minutes, the last of them some minutes ago. */
async function enrollMany(
  cohort: Cohort,
  count: number,
  { every = 1, ago = 0, domain = 'many.example' } = {},
  values: Parameters<typeof createEnrollment>[1] = {},
  of: Parameters<typeof createEnrollment>[2] = {},
) {
  const made = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const at = new Date(start - (ago + (count - nth) * every) * minute);
    const when = { createdAt: at, statusChangedAt: at };
    const email = `${crypto.randomUUID()}@${domain}`;
    made.push(await createEnrollment(cohort, { ...when, ...values }, { email, ...of }));
  }
  return made;
}

async function burstsOf({ id, ownerId }: Cohort) {
  return (await ask(contextOn(), { bursts: findBursts(sql`${ownerId}`, id, start) })).bursts;
}

test('eight people of one domain who enroll within an hour are a burst, in the order they came', async () => {
  const cohort = await createPublished();
  const people = await enrollMany(cohort, 8, { every: 8 });
  await enrollMany(cohort, 8, { ago: 10, domain: 'gmail.com' });

  expect(await burstsOf(cohort)).toEqual([
    {
      domain: 'many.example',
      people: people.map(({ id, person: { name, email } }) => ({ id, name, email })),
    },
  ]);
});

test.each([
  ['seven', 7, {}, {}, {}],
  ['eight in more than an hour', 8, { every: 9 }, {}, {}],
  ['eight a day ago', 8, { ago: 24 * 60 }, {}, {}],
  ['eight whom their instructor added', 8, {}, {}, { source: 'added' }],
  ['eight who are gone', 8, {}, { status: 'left' }, {}],
] as const)('%s are none', async (_, count, when, values, of) => {
  const cohort = await createPublished();
  await enrollMany(cohort, count, when, values, of);

  expect(await burstsOf(cohort)).toEqual([]);
});

test('only the hour of a burst belongs to it', async () => {
  const cohort = await createPublished();
  await enrollMany(cohort, 2, { ago: 300 });
  const people = await enrollMany(cohort, 9);

  const [burst] = await burstsOf(cohort);
  expect(burst?.people.map(({ id }) => id)).toEqual(people.map(({ id }) => id));
});

test('several are removed at once, told or not, and their places are offered', async () => {
  const { cohort, post } = await createOwner({ capacity: 11 });
  const people = await enrollMany(cohort, 8);
  const told = await enrollMany(cohort, 3, { ago: 5 });
  const [next] = await enrollMany(cohort, 1, {}, { status: 'waitlisted', queueNo: 1 });
  const enrollmentIds = people.map(({ id }) => id);
  const remove = (input: object) => post('enrollments/remove/', input);
  const removed = await remove({ enrollments: enrollmentIds, notify: false });
  setTime(start + 1);
  const again = await remove({ enrollments: enrollmentIds, notify: true });
  await remove({ enrollments: told.map(({ id }) => id) });

  expect([removed.body, again.body]).toEqual([{ removed: 8 }, { removed: 0 }]);
  expect(await countsOf(cohort)).toEqual({ removed: 11, offered: 1 });
  expect(next && (await statusOf(cohort, next.person))).toBe('offered');
  const mailsFor = ({ person }: (typeof people)[0]) => mailsTo(person.email, given.resend.accepted);
  expect(people.flatMap(mailsFor)).toEqual([]);
  expect(told.map((one) => mailsFor(one).length)).toEqual([1, 1, 1]);
});

test('people of another cohort, of another owner and of the trash stay', async () => {
  const { course, post } = await createOwner();
  const other = await createCohortRow(course, { publishedAt: new Date(start) });
  const trashed = await createCohortRow(course, { deletedAt: new Date(start) });
  const stranger = await createPublished();
  const both = [...(await enrollMany(other, 1)), ...(await enrollMany(stranger, 1))];
  const ids = both.map(({ id }) => id);
  const input = { enrollments: ids };
  const removeIn = ({ id }: Cohort) => post(`/api/cohorts/${id}/enrollments/remove/`, input);

  expect(await post('enrollments/remove/', input)).toEqual({ status: 200, body: { removed: 0 } });
  expect(await removeIn(stranger)).toMatchObject({ status: 404 });
  expect(await removeIn(trashed)).toMatchObject(refused('cohort_in_trash'));
  const left = await db.select().from(enrollments).where(inArray(enrollments.id, ids));
  expect(left.map(({ status }) => status)).toEqual(['enrolled', 'enrolled']);
});
