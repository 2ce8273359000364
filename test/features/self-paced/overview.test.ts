import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { enrollments } from '#db/schema/people.ts';
import { findRunOverview } from '#features/self-paced/find-run-overview.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { contextOn } from '#support/context.ts';
import {
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
} from '#support/factories.ts';
import {
  createLessonRow,
  createMark,
  createSectionRow,
  updateLearning,
} from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';

test('people are counted by how they stand now, also before the clock has come by, and for their owner alone', async () => {
  const { run, read } = await createRun();
  expect(await read()).toMatchObject({ total: 0, stuck: [], week: { started: 0, completed: 0 } });

  await createReader(run, { name: 'Under way', started: 20, seen: 3 });
  await createReader(run, { name: 'New', started: 2, seen: null });
  await createReader(run, { name: 'Never came', started: 8, seen: null });
  await createReader(run, { name: 'Stopped', started: 40, seen: 15 });
  const found = await createReader(run, { name: 'Found by the clock', started: 50, seen: 30 });
  await updateLearning(found, { standing: 'stuck' });
  const done = await createReader(run, { name: 'Completed', started: 9, seen: 1 });
  await updateRow(enrollments, done, { completedAt: new Date() });

  const { people, total, week, stuck } = await read();
  expect(people).toEqual({ completed: 1, under_way: 2, stuck: 2, not_started: 1 });
  expect(total).toBe(6);
  expect(week.completed).toBe(1);
  expect(stuck.map(({ name }) => name)).toEqual(['Stopped', 'Found by the clock']);
  const { id: stranger } = await createUser();
  expect(await overviewOf(run.id, stranger)).toMatchObject({ total: 0, stuck: [] });
});

test('the five who stopped last are named, with the first lesson that they have not done', async () => {
  const { run, course, read } = await createRun();
  const section = await createSectionRow(course, { position: 1 });
  const first = await createLessonRow(section, { position: 1, title: 'One' });
  await createLessonRow(section, { position: 2, title: 'Two' });
  for (const seen of [21, 16, 18, 33, 25, 60]) {
    const reader = await createReader(run, { name: `${seen} days ago`, started: 90, seen });
    if (seen === 16) {
      await createMark(reader, first);
    }
  }
  const { stuck, people } = await read();
  expect(people.stuck).toBe(6);
  expect(stuck.map(({ name }) => name)).toEqual(
    [16, 18, 21, 25, 33].map((seen) => `${seen} days ago`),
  );
  expect(stuck.map(({ done, of, next }) => ({ done, of, next })).slice(0, 2)).toEqual([
    { done: 1, of: 2, next: 'Two' },
    { done: 0, of: 2, next: 'One' },
  ]);
});

async function createRun() {
  const course = await createCourseRow((await createUser()).id);
  const run = await createOpenRun(course);
  return { run, course, read: () => overviewOf(run.id, course.ownerId) };
}

async function overviewOf(runId: string, userId: string) {
  const ctx = contextOn();
  const { overview } = await ask(ctx, { overview: findRunOverview(runId)(ctx, sql`${userId}`) });
  return overview;
}

type Reader = { name: string; started: number; seen: number | null };

/** Someone who has enrolled and was there last these days ago. */
async function createReader(run: { id: string; ownerId: string }, { name, started, seen }: Reader) {
  const enrollment = await createEnrollment(run, {}, { name });
  const before = (days: number) => new Date(Date.now() - days * dayMs);
  await updateLearning(enrollment, { startedAt: before(started), quietAt: before(started - 7) });
  if (seen !== null) {
    await updateLearning(enrollment, { lastSeenAt: before(seen) });
  }
  return enrollment;
}
