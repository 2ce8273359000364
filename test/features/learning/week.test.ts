import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { lessons } from '#db/schema/lessons.ts';
import { users } from '#db/schema/users.ts';
import { findWeek } from '#features/learning/find-week.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
} from '#support/factories.ts';
import { createLessonRow, createSectionRow } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** The course that its owner has selected, with a lesson. */
async function createTaught() {
  const user = await createUser();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  await updateRow(users, user, { selectedCourseId: course.id });
  const lesson = await createLessonRow(await createSectionRow(course));
  const week = async () => {
    const ctx = contextOn();
    const id = sql`${user.id}`;
    return (await ask(ctx, { week: findWeek(ctx, id, id) })).week;
  };
  const cohort = (startsAt: Date, endsAt: Date) =>
    createCohortRow(course, { startsAt, endsAt, publishedAt: daysAgo(90) });
  return { course, lesson, week, cohort };
}

test('of a running cohort, who came and who completed it in the last seven days is counted', async () => {
  const { cohort, week, lesson } = await createTaught();
  const running = await cohort(daysAgo(30), daysAgo(-30));
  await createEnrollment(running, { statusChangedAt: daysAgo(2) });
  await createEnrollment(running, { statusChangedAt: daysAgo(2), status: 'left' });
  await createEnrollment(running, { statusChangedAt: daysAgo(8), completedAt: daysAgo(8) });
  await createEnrollment(running, { statusChangedAt: daysAgo(20), completedAt: daysAgo(1) });
  expect(await week()).toEqual({ started: 1, completed: 1 });

  // Without lessons, there is nothing to start.
  await updateRow(lessons, lesson, { deletedAt: new Date() });
  expect(await week()).toEqual({ started: 0, completed: 0 });
});

test('everyone starts with their cohort, and may be marked as completed when it is just over', async () => {
  const { cohort, week } = await createTaught();
  const coming = await cohort(daysAgo(-3), daysAgo(-30));
  const begun = await cohort(daysAgo(3), daysAgo(-30));
  const over = await cohort(daysAgo(40), daysAgo(2));
  const long = await cohort(daysAgo(80), daysAgo(9));
  for (const one of [coming, begun]) {
    await createEnrollment(one, { statusChangedAt: daysAgo(50) });
    await createEnrollment(one, { statusChangedAt: daysAgo(1) });
  }
  for (const one of [over, long]) {
    await createEnrollment(one, { statusChangedAt: daysAgo(60), completedAt: daysAgo(1) });
  }
  expect(await week()).toEqual({ started: 2, completed: 1 });
  await updateRow(cohorts, begun, { deletedAt: new Date() });
  expect(await week()).toEqual({ started: 0, completed: 1 });
});

test('the people of other courses and of other owners are not counted', async () => {
  const { course, week } = await createTaught();
  const other = await createCourseRow(course.ownerId, { courseType: 'cohort' });
  await createLessonRow(await createSectionRow(other));
  const begun = { startsAt: daysAgo(3), endsAt: daysAgo(-30), publishedAt: daysAgo(9) };
  await createEnrollment(await createCohortRow(other, begun));
  const stranger = await createTaught();
  await createEnrollment(await stranger.cohort(daysAgo(3), daysAgo(-30)));
  expect(await week()).toEqual({ started: 0, completed: 0 });
});
