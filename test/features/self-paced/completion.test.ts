import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { markLesson } from '#features/learning/mark-lesson.ts';
import { settled } from '#support/background.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, draft } from '#support/lesson-rows.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { startAt } from '../letters/reminders.ts';
import { enrollmentRow, setTime } from '../places/support.ts';
import { began, createGroup, createRun, enroll, learningOf } from './clock.ts';

startAt(began);

/** Someone in a run with lessons, and how their browser marks one as done or not done. */
async function createReader(...of: Parameters<typeof createRun>) {
  const made = await createRun(...of);
  return { ...made, ...(await createReaderOf(made.run, made.course)) };
}

async function createReaderOf(run: Parameters<typeof enroll>[0], course: { id: string }) {
  const learner = await enroll(run);
  const device = await deviceOf(learner.person);
  const mark = async (lesson: { id: string } | undefined, done = true) => {
    const progress = await markLesson(contextOn(), device, course.id, lesson?.id ?? '', { done });
    await settled();
    return progress;
  };
  return { learner, mark };
}

async function completedAt({ id }: { id: string }) {
  return (await enrollmentRow(id))?.completedAt;
}

test('who has done the last lesson has completed the course, and gets an email with the certificate at once', async () => {
  const { accepted } = fakeResend();
  const { learner, mark, lessons: rows, course } = await createReader([null, null]);
  expect(await mark(rows[0])).toMatchObject({ done: 1, of: 2, completed_at: null });
  expect(accepted).toEqual([]);
  const now = new Date().toISOString();
  expect(await mark(rows[1])).toMatchObject({ done: 2, of: 2, completed_at: now });

  expect(accepted).toMatchObject([
    { to: learner.person.email, subject: 'You’ve finished Writing with Anna Martin' },
  ]);
  expect(await learningOf(learner)).toMatchObject({ standing: 'completed', nudgeDueAt: null });
  expect(loggedEvents('course_completed')).toMatchObject([{ course: course.id }]);
});

test('a course is completed once, also by presses at once, and nothing but its instructor takes it back', async () => {
  const { accepted } = fakeResend();
  // No longer open to new people.
  const closed = { enrollmentOverride: 'closed' } as const;
  const { learner, mark, lessons: rows, sections: of } = await createReader([null, null], closed);
  await mark(rows[0]);
  await Promise.all([mark(rows[1]), mark(rows[1]), mark(rows[1])]);
  const first = await completedAt(learner);
  expect(first).not.toBeNull();
  setTime(began + day);
  await mark(rows[1], false);
  const added = await createLessonRow(of[0] as never, { position: 2 });
  await mark(rows[1]);
  await mark(added);

  expect(await completedAt(learner)).toEqual(first);
  expect(accepted).toHaveLength(1);
  expect((await learningOf(learner)).standing).toBe('completed');
  // A press that was counted before does not complete it again.
  await updateRow(enrollments, learner, { completedAt: null });
  setTime(began + 2 * day);
  await mark(added);
  expect(await completedAt(learner)).toBeNull();
  expect((await learningOf(learner)).standing).toBe('under_way');
});

test('a course is not completed before everything is open, nor by lessons that no one sees', async () => {
  fakeResend();
  const { learner, mark, lessons: rows } = await createReader([null, 7, null]);
  await updateRow(lessons, rows[2], draft);
  await createMark(learner, rows[1] as never);
  // Done before its rule was set.
  await mark(rows[0]);
  expect(await completedAt(learner)).toBeNull();
  setTime(began + 7 * day);
  await mark(rows[0], false);
  await mark(rows[0]);
  expect(await completedAt(learner)).toEqual(new Date(began + 7 * day));
});

test('without certificates there is no email, and in a cohort the instructor says who has completed it', async () => {
  const { accepted } = fakeResend();
  const silent = await createReader([null], { sendsCertificates: false });
  await silent.mark(silent.lessons[0]);
  expect(await completedAt(silent.learner)).not.toBeNull();
  const { cohort, course, lessons: rows } = await createGroup([null]);
  const { learner, mark } = await createReaderOf(cohort, course);
  await mark(rows[0]);
  expect(await completedAt(learner)).toBeNull();
  expect(accepted).toEqual([]);
  expect(await db.$count(mailsDue)).toBe(0);
});
