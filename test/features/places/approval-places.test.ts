import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { enrollments } from '#db/schema/people.ts';
import { db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import {
  actionsOn,
  brokenRules,
  countsOf,
  createFive,
  createPeople,
  createPublished,
  mailsOf,
  start,
  statusOf,
} from './storm.ts';

const joinMode = 'approval';

test('of 50 people who are approved at once, each by a request, 10 get the 10 places', async () => {
  const cohort = await createPublished({ capacity: 10, joinMode });
  const { enroll, approve } = actionsOn(cohort);
  const people = await createPeople(cohort, 50);
  await Promise.all(people.map((person) => enroll(start, person)));
  expect(await countsOf(cohort)).toEqual({ applied: 50 });
  await Promise.all(people.map((person, n) => approve(start + 1 + (n % 3), [person])));

  expect(await countsOf(cohort)).toEqual({ enrolled: 10, waitlisted: 40 });
  expect(await brokenRules(cohort, start + 9)).toEqual([]);
  for (const person of people) {
    expect(await mailsOf(person)).toEqual(['applied', await statusOf(cohort, person)]);
  }
});

test('of people who are approved by one request, those who asked first get the places', async () => {
  const cohort = await createPublished({ capacity: 3, joinMode });
  const { enroll, approve } = actionsOn(cohort);
  const people = await createPeople(cohort, 8);
  for (const [n, person] of people.entries()) {
    await enroll(start + n, person);
  }
  const changed = await approve(start + 100, people.toReversed());
  expect(changed).toHaveLength(8);

  for (const [n, person] of people.entries()) {
    expect(await statusOf(cohort, person)).toBe(n < 3 ? 'enrolled' : 'waitlisted');
  }
  expect(await queueOf(cohort)).toEqual(people.slice(3).map(({ id }) => id));
  expect(await brokenRules(cohort, start + 100)).toEqual([]);
  expect(await approve(start + 101, people)).toEqual([]);
});

test('no one is let in once the cohort is archived, not even at that very moment', async () => {
  const cohort = await createPublished({ joinMode });
  const { enroll, approve } = actionsOn(cohort);
  const people = await createPeople(cohort, 2);
  await Promise.all(people.map((person) => enroll(start, person)));
  await updateRow(cohorts, cohort, { archivedAt: new Date(start) });
  expect(await approve(start + 1, people)).toEqual([]);
  await updateRow(cohorts, cohort, { archivedAt: null });
  expect(await approve(start + 2, people)).toHaveLength(2);
});

test('no one who is approved overtakes those who wait, unless the owner goes over the capacity', async () => {
  const cohort = await createPublished({ capacity: 2, joinMode });
  const { enroll, approve, leave, add } = actionsOn(cohort);
  const { ana, bob, eve, zoe, max } = await createFive(cohort);
  await add(start, ana);
  await add(start, bob);
  for (const person of [eve, zoe, max]) {
    await enroll(start + 1, person);
  }
  await approve(start + 2, [eve]);
  expect(await statusOf(cohort, eve)).toBe('waitlisted');
  await leave(start + 3, ana);
  expect(await statusOf(cohort, eve)).toBe('offered');
  await approve(start + 4, [zoe]);
  expect(await statusOf(cohort, zoe)).toBe('waitlisted');
  await approve(start + 5, [max], true);
  expect(await statusOf(cohort, max)).toBe('enrolled');
  const isOver = and(eq(enrollments.cohortId, cohort.id), eq(enrollments.overCapacity, true));
  expect(await db.select().from(enrollments).where(isOver)).toMatchObject([{ personId: max.id }]);
  expect(await brokenRules(cohort, start + 5)).toEqual([]);
});

test('someone invited needs no decision', async () => {
  const cohort = await createPublished({ joinMode });
  const { enroll, invite } = actionsOn(cohort);
  const { ana } = await createFive(cohort);
  await invite(start, ana);
  await enroll(start + 1, ana);
  expect(await statusOf(cohort, ana)).toBe('enrolled');
});

/** Who waits, in the order of the queue. */
async function queueOf(cohort: { id: string }): Promise<string[]> {
  const isTheirs = and(eq(enrollments.cohortId, cohort.id), eq(enrollments.status, 'waitlisted'));
  const rows = await db.select().from(enrollments).where(isTheirs).orderBy(enrollments.queueNo);
  return rows.map(({ personId }) => personId);
}
