import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { cohorts } from '#features/cohorts/table.ts';
import { enrollments, people } from '#features/people/table.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
} from '#support/factories.ts';

const day = 24 * 60 * 60 * 1_000;

afterEach(() => {
  vi.useRealTimers();
});

function removePeople() {
  const job = jobs.filter(({ name }) => name === 'removal of people');
  return runByClock({}, { cron: crons.nightly, jobs: job });
}

const isKept = async (id: string) => (await db.$count(people, eq(people.id, id))) === 1;

test('people are removed 30 days after their last cohort was deleted, and not before', async () => {
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  const [first, second] = [await createCohortRow(course), await createCohortRow(course)];
  const { person } = await createEnrollment(first);
  const { person: inBoth, ...enrollment } = await createEnrollment(first);
  await db
    .insert(enrollments)
    .values({ ...enrollment, id: crypto.randomUUID(), cohortId: second.id });
  const { person: returned, ...last } = await createEnrollment(first);

  await db.delete(cohorts).where(eq(cohorts.id, first.id));
  await db.insert(enrollments).values({ ...last, cohortId: second.id });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * day - 60_000 });
  await removePeople();
  expect(await isKept(person.id)).toBe(true);

  vi.setSystemTime(Date.now() + 120_000);
  await removePeople();
  expect(await isKept(person.id)).toBe(false);
  expect(await isKept(inBoth.id)).toBe(true);
  expect(await isKept(returned.id)).toBe(true);
  expect(loggedEvents('people_removed').at(-1)).toMatchObject({ people: 1, is_done: true });
});
