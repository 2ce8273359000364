import { env } from 'cloudflare:workers';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import { nameKeyOf } from '#features/people/name-key.ts';
import { enrollmentEvents, enrollments, people } from '#features/people/table.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createPerson,
  createUser,
  db,
} from '#support/factories.ts';

async function createCohort(values: Partial<typeof cohorts.$inferInsert> = {}) {
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  return createCohortRow(course, { publishedAt: new Date(), ...values });
}

const later = () => new Date(Date.now() + 60_000);

test('the migrations bring the triggers, which no tool writes', async () => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
  ).all<{ name: string }>();

  expect(results.map(({ name }) => name)).toEqual([
    'cohorts_keep_currency',
    'enrollment_events_news',
    'enrollments_charge_on_insert',
    'enrollments_charge_on_update',
    'enrollments_history_on_insert',
    'enrollments_history_on_move',
    'enrollments_history_on_update',
    'enrollments_hold_capacity_on_insert',
    'enrollments_hold_capacity_on_update',
    'enrollments_link_on_insert',
    'enrollments_move_account',
    'enrollments_unlink_on_delete',
    'interests_due_on_cohort',
    'interests_due_on_confirm',
    'interests_due_on_insert',
    'interests_due_on_leaving',
    'interests_due_on_new_cohort',
    'interests_due_on_place',
    'ledger_entries_charge_once',
    'ledger_entries_never_change',
    'ledger_entries_one_currency',
    'ledger_entries_reverse_another',
    'ledger_entries_stay',
    'ledger_notes_never_change',
    'ledger_notes_stay',
    'people_stay_by_money',
  ]);
});

test('the database holds the places against every kind of write', async () => {
  const cohort = await createCohort({ capacity: 1 });
  const { id } = await createEnrollment(cohort);
  const full = /cohort_full/;

  await expect(createEnrollment(cohort)).rejects.toThrow();
  await expect(
    createEnrollment(cohort, { status: 'offered', expiresAt: later() }),
  ).rejects.toThrow();
  const waiting = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const enroll = (values: object) =>
    db
      .update(enrollments)
      .set({ status: 'enrolled', queueNo: null, ...values })
      .where(eq(enrollments.id, waiting.id));
  const cause = await Promise.resolve(enroll({})).catch((error: Error) => String(error.cause));
  expect(cause).toMatch(full);
  await enroll({ overCapacity: true });
  // Someone who is in can be changed, and stays beside the one who is over capacity.
  await db.update(enrollments).set({ completedAt: new Date() }).where(eq(enrollments.id, id));
  await expect(
    Promise.resolve(
      db.update(enrollments).set({ overCapacity: false }).where(eq(enrollments.id, waiting.id)),
    ),
  ).resolves.toBeDefined();
});

test('an offer takes a place until it expires', async () => {
  const cohort = await createCohort({ capacity: 1 });
  const statusChangedAt = new Date();
  await createEnrollment(cohort, {
    status: 'offered',
    expiresAt: new Date(statusChangedAt.getTime() + 1_000),
    statusChangedAt,
  });

  await expect(createEnrollment(cohort, { statusChangedAt })).rejects.toThrow();
  const afterwards = new Date(statusChangedAt.getTime() + 1_000);
  await createEnrollment(cohort, { statusChangedAt: afterwards });
});

test('the history is written with every change of a status', async () => {
  const cohort = await createCohort();
  const { id } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await db
    .update(enrollments)
    .set({ status: 'enrolled', queueNo: null, changedBy: 'owner', statusChangedAt: later() })
    .where(eq(enrollments.id, id));
  await db.update(enrollments).set({ completedAt: new Date() }).where(eq(enrollments.id, id));
  const events = await db
    .select()
    .from(enrollmentEvents)
    .where(eq(enrollmentEvents.enrollmentId, id))
    .orderBy(asc(enrollmentEvents.id));

  expect(events).toMatchObject([
    { actor: 'person', fromStatus: null, toStatus: 'waitlisted' },
    { actor: 'owner', fromStatus: 'waitlisted', toStatus: 'enrolled' },
  ]);
});

test.each([
  ['waits without a place in the queue', { status: 'waitlisted' }],
  ['has a place in the queue without waiting', { status: 'enrolled', queueNo: 1 }],
  ['is offered a place for ever', { status: 'offered' }],
  ['expires, but not an offer', { status: 'enrolled', expiresAt: later() }],
  ['is over capacity without a place', { status: 'left', overCapacity: true }],
  ['has completed without taking part', { status: 'left', completedAt: later() }],
] as const)('no one %s', async (_what, values) => {
  await expect(createEnrollment(await createCohort(), values)).rejects.toThrow();
});

test('a person is in a cohort of their own instructor, once, and goes with them', async () => {
  const [cohort, other] = [await createCohort(), await createCohort()];
  const { person, id } = await createEnrollment(cohort);

  await expect(createPerson(cohort.ownerId, { email: person.email })).rejects.toThrow();
  await createPerson(other.ownerId, { email: person.email });
  const again = { ...(await rowOf(id)), id: crypto.randomUUID() };
  await expect(Promise.resolve(db.insert(enrollments).values(again))).rejects.toThrow();
  const elsewhere = { ...again, cohortId: other.id, ownerId: other.ownerId };
  await expect(Promise.resolve(db.insert(enrollments).values(elsewhere))).rejects.toThrow();

  await db.delete(people).where(eq(people.id, person.id));
  expect(await db.$count(enrollments, eq(enrollments.id, id))).toBe(0);
  expect(await db.$count(enrollmentEvents, eq(enrollmentEvents.enrollmentId, id))).toBe(0);
  const kept = await createEnrollment(cohort);
  await db.delete(cohorts).where(eq(cohorts.id, cohort.id));
  expect(await db.$count(enrollments, eq(enrollments.id, kept.id))).toBe(0);
  expect(await db.$count(people, eq(people.id, kept.person.id))).toBe(1);
});

test.each([
  ['Élodie', 'elodie'],
  ['ŁUKASZ Strauß', 'lukasz strauss'],
  ['Nuñez Œuvre', 'nunez oeuvre'],
])('%s is found and ordered as %s', (name, key) => {
  expect(nameKeyOf(name)).toBe(key);
});

async function rowOf(id: string) {
  const [row] = await db.select().from(enrollments).where(eq(enrollments.id, id));
  if (row === undefined) {
    throw new Error('There is no such enrollment');
  }
  return row;
}
