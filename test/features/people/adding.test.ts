import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import type { EnrollmentDetails } from '#features/people/schema.ts';
import { enrollments } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';
import { participate, setTime } from './support.ts';

startFresh();

/** An instructor with a published cohort, who adds people by name. */
async function createOwner(values: Parameters<typeof createCohortRow>[1] = {}) {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  const add = async (input: object) => {
    const person = { name: 'Élodie Blanc', email: uniqueEmail(), ...input };
    const response = await client.post(`/api/cohorts/${cohort.id}/enrollments/`, person);
    await settled();
    const body = await response.json<EnrollmentDetails & { code: string }>();
    return { status: response.status, body, email: person.email };
  };
  return { client, cohort, add };
}

test('an owner puts someone last on the waitlist of a full cohort, who reads why and is served in turn', async () => {
  const { accepted } = fakeResend();
  const { client, cohort, add } = await createOwner({ capacity: 1 });
  const inside = await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 3 });
  const put = await add({ as: 'waitlisted' });
  setTime(start + 1);
  const again = await add({ as: 'waitlisted', email: put.email });

  expect(put).toMatchObject({
    status: 201,
    body: { status: 'waitlisted', queue_position: 2, person: { source: 'added' } },
  });
  expect(put.body.events).toMatchObject([{ actor: 'owner', to_status: 'waitlisted' }]);
  expect(again).toMatchObject({ status: 200, body: { id: put.body.id, queue_position: 2 } });
  const [mail, ...others] = mailsTo(put.email, accepted);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('You are number 2 on the waitlist for Writing in spring');
  expect(mail?.text).toContain('Anna Martin has put you on the waitlist');
  expect(mail?.text).toContain('Anna Martin entered your name and email address');
  expect(mail?.text).toContain('Remove me');
  expect(mail?.text).not.toContain('because you asked');

  for (const id of [inside.id, (await waitingFirst(cohort.id)) ?? '']) {
    setTime(Date.now() + 1);
    await client.post(`/api/cohorts/${cohort.id}/enrollments/${id}/remove/`, { notify: false });
    await settled();
  }
  const offer = mailsTo(put.email, accepted).at(-1);
  expect(offer?.subject).toMatch(/^A place is free for you/);
  expect((await participate('accept', linkIn(offer), put.body.id)).body).toMatchObject({
    status: 'enrolled',
  });
});

test('someone who accepts an invitation into a full cohort has put themselves on the waitlist', async () => {
  const { accepted } = fakeResend();
  const { cohort, add } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  const { body, email } = await add({ as: 'invited' });
  setTime(start + 1);
  await participate('accept', linkIn(mailsTo(email, accepted)[0]), body.id);

  const mail = mailsTo(email, accepted).at(-1);
  expect(mail?.subject).toMatch(/^You are number 1/);
  expect(mail?.text).not.toContain('has put you on the waitlist');
});

test.each([
  ['left', 201],
  ['removed', 201],
  ['applied', 422],
] as const)('who has %s is put on the waitlist: %i', async (status, answer) => {
  const { cohort, add } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  const { person } = await createEnrollment(cohort, { status });
  expect((await add({ as: 'waitlisted', email: person.email })).status).toBe(answer);
});

test('without a waitlist no one is put on it', async () => {
  const { cohort, add } = await createOwner({ capacity: 1, waitlist: false });
  await createEnrollment(cohort);
  expect(await add({ as: 'waitlisted' })).toMatchObject({
    status: 422,
    body: { code: 'cohort_full' },
  });
});

test.each([
  ['archived', { archivedAt: new Date(start) }],
  ['over', { endsAt: new Date(start) }],
])('no one is added to a cohort that is %s: they would not hear of it', async (_, values) => {
  const { accepted } = fakeResend();
  const { cohort, add, client } = await createOwner();
  await db.update(cohorts).set(values).where(eq(cohorts.id, cohort.id));
  for (const as of ['enrolled', 'invited', 'waitlisted']) {
    expect(await add({ as })).toMatchObject({ status: 422, body: { code: 'cohort_over' } });
  }
  const list = { text: `name,email\nAna,${uniqueEmail()}`, as: 'enrolled', informed: true };
  const imported = await client.post(`/api/cohorts/${cohort.id}/imports/`, list);
  expect(await imported.json()).toMatchObject({ code: 'cohort_over' });
  await settled();

  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(0);
  expect(accepted).toEqual([]);
});

async function waitingFirst(cohortId: string): Promise<string | undefined> {
  const rows = await db.select().from(enrollments).where(eq(enrollments.cohortId, cohortId));
  return rows.find(({ queueNo }) => queueNo === 3)?.id;
}
