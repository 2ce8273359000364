import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import { nameKeyOf } from '#features/people/name-key.ts';
import { enrollmentEvents, enrollments, people } from '#features/people/table.ts';
import { createEnrollment, createPerson, db } from '#support/factories.ts';
import { createPublished } from './storm.ts';

const later = () => new Date(Date.now() + 60_000);

test('the database holds the places against every kind of write', async () => {
  const cohort = await createPublished({ capacity: 1 });
  const { id } = await createEnrollment(cohort);
  const offered = { status: 'offered', expiresAt: later() } as const;

  await expect(createEnrollment(cohort)).rejects.toThrow();
  await expect(createEnrollment(cohort, offered)).rejects.toThrow();
  const waiting = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const change = async (enrollmentId: string, values: Partial<typeof enrollments.$inferInsert>) =>
    await db.update(enrollments).set(values).where(eq(enrollments.id, enrollmentId));
  const enrolled = { status: 'enrolled', queueNo: null } as const;
  await expect(change(waiting.id, enrolled)).rejects.toThrow(
    expect.objectContaining({
      cause: expect.objectContaining({ message: expect.stringMatching(/cohort_full/) }),
    }),
  );
  await change(waiting.id, { ...enrolled, overCapacity: true });
  // Someone who is in can be changed, and stays beside the one who is over capacity.
  await change(id, { completedAt: new Date() });
  await change(waiting.id, { overCapacity: false });
});

test('an offer takes a place until it expires', async () => {
  const cohort = await createPublished({ capacity: 1 });
  const statusChangedAt = new Date();
  const expiresAt = new Date(statusChangedAt.getTime() + 1_000);
  await createEnrollment(cohort, { status: 'offered', expiresAt, statusChangedAt });

  await expect(createEnrollment(cohort, { statusChangedAt })).rejects.toThrow();
  await createEnrollment(cohort, { statusChangedAt: expiresAt });
});

test('the history is written with every change of a status', async () => {
  const cohort = await createPublished();
  const { id } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const isTheirs = eq(enrollments.id, id);
  const enrolled = { status: 'enrolled', queueNo: null, changedBy: 'owner' } as const;
  await db
    .update(enrollments)
    .set({ ...enrolled, statusChangedAt: later() })
    .where(isTheirs);
  await db.update(enrollments).set({ completedAt: new Date() }).where(isTheirs);
  const ofTheirs = eq(enrollmentEvents.enrollmentId, id);
  const history = db.select().from(enrollmentEvents).where(ofTheirs);
  const events = await history.orderBy(asc(enrollmentEvents.id));

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
  await expect(createEnrollment(await createPublished(), values)).rejects.toThrow();
});

test('a person is in a cohort of their own instructor, once, and goes with them', async () => {
  const [cohort, other] = [await createPublished(), await createPublished()];
  const member = await createEnrollment(cohort);
  const { person, id } = member;

  await expect(createPerson(cohort.ownerId, { email: person.email })).rejects.toThrow();
  await createPerson(other.ownerId, { email: person.email });
  const add = async (values: typeof enrollments.$inferInsert) =>
    await db.insert(enrollments).values(values);
  const { person: _, ...own } = member;
  const again = { ...own, id: crypto.randomUUID() };
  await expect(add(again)).rejects.toThrow();
  const elsewhere = { ...again, cohortId: other.id, ownerId: other.ownerId };
  await expect(add(elsewhere)).rejects.toThrow();

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
