import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { learning } from '#db/schema/learning.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { db } from '#support/factories.ts';
import { createLessonRow, createMark, updateLearning } from '#support/lesson-rows.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { enrollMany, startAt } from '../letters/reminders.ts';
import { setTime } from '../places/support.ts';
import {
  began,
  clockAt,
  createGroup,
  createRun,
  day,
  enroll,
  learningOf,
  mailsByDay,
  visit,
} from './clock.ts';

startAt(began);

const reminder = 'Whenever you’re ready: Writing';

test('someone who never came is reminded after 7 days and after 21, and never again', async () => {
  const { accepted } = fakeResend();
  const { run } = await createRun([null, null]);
  const learner = await enroll(run);
  expect(await mailsByDay(40, accepted)).toEqual([7, 21].map((days) => `${days}: ${reminder}`));
  expect(await learningOf(learner)).toMatchObject({ nudges: 2, nudgeDueAt: null });
  // Also not after they have come once more.
  await visit(learner, began + 60 * day);
  await clockAt(began + 90 * day);
  expect(accepted).toEqual([]);
  expect(loggedEvents('nudges_made')).toMatchObject([{ made: 1 }, { made: 1 }]);
});

test('each visit puts it off, and the reminder says what they would read next', async () => {
  const { accepted } = fakeResend();
  const { run, sections, lessons } = await createRun([null, null, 30]);
  const [first] = sections;
  const skipped = await createLessonRow(first as never, { position: 2, title: 'Skipped' });
  const learner = await enroll(run);
  await createMark(learner, { id: lessons[0]?.id ?? '' });
  await visit(learner, began + 5 * day);
  await clockAt(began + 12 * day - 1);
  expect(accepted).toEqual([]);
  await updateLearning(learner, { lastLessonId: lessons[1]?.id ?? '' });
  await clockAt(began + 12 * day);
  expect(accepted).toMatchObject([{ to: learner.person.email, subject: reminder }]);
  const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.enrollmentId, learner.id));
  expect(JSON.parse(mail?.payload ?? '')).toMatchObject({
    progress: { done: 1, of: 4, next: 'Lesson 2' },
  });
  // What they have skipped comes after the end.
  await createMark(learner, { id: lessons[1]?.id ?? '' });
  await clockAt(began + 26 * day);
  const mails = await db.select().from(mailsDue).where(eq(mailsDue.enrollmentId, learner.id));
  expect(mails.map(({ payload }) => JSON.parse(payload).progress.next)).toContain(skipped.title);
});

test('only people in open runs, who have not finished and want reminders, are reminded', async () => {
  const { attempts } = fakeResend();
  const { run, lessons } = await createRun([null]);
  await updateRow(enrollments, await enroll(run), { status: 'left' });
  await updateRow(enrollments, await enroll(run), { completedAt: new Date(began) });
  await enroll(run, began, { noRemindersAt: new Date(began) });
  await createMark(await enroll(run), { id: lessons[0]?.id ?? '' });
  await enroll((await createRun([null], { sendsNudges: false })).run);
  await enroll((await createRun([null], { accessDays: 5 })).run);
  await enroll((await createRun([])).run);
  await enroll((await createGroup([null])).cohort);
  await clockAt(began + 7 * day);
  await clockAt(began + 21 * day);
  // Not even later, when they are switched on.
  await db.update(cohorts).set({ sendsNudges: true });
  await db.update(people).set({ noRemindersAt: null });
  await clockAt(began + 40 * day);

  expect(attempts).toEqual([]);
  expect(await db.$count(mailsDue)).toBe(0);
  expect(await db.$count(learning, sql`nudge_due_at IS NOT NULL`)).toBe(0);
});

test('there are three days at least between it and an email about what opens', async () => {
  const { accepted } = fakeResend();
  const { run } = await createRun([null, 9, 19]);
  await enroll(run);

  expect(await mailsByDay(40, accepted)).toEqual([
    '9: New in Writing: Section 2',
    `12: ${reminder}`,
    '19: New in Writing: Section 3',
    `26: ${reminder}`,
  ]);
});

test('who has done all that is open is reminded a week after more is', async () => {
  const { accepted } = fakeResend();
  const { run, lessons } = await createRun([null, 30]);
  const learner = await enroll(run);
  await createMark(learner, { id: lessons[0]?.id ?? '' });
  await visit(learner, began);

  expect(await mailsByDay(50, accepted)).toEqual([
    '30: New in Writing: Section 2',
    `37: ${reminder}`,
  ]);
});

test('one click ends both kinds of reminders, also those that are written already', async () => {
  const { attempts } = fakeResend();
  const { run } = await createRun([null, 7]);
  const learner = await enroll(run);
  await makeReleases(contextOn());
  setTime(began + 7 * day);
  await makeReleases(contextOn());
  expect(await db.$count(mailsDue)).toBe(1);
  await updateRow(people, learner.person, { noRemindersAt: new Date() });
  await clockAt(began + 7 * day);
  await clockAt(began + 30 * day);
  expect(attempts).toEqual([]);
});

test('300 people are reminded once each by two clocks at once', async () => {
  fakeResend();
  const { run } = await createRun([null]);
  await enrollMany(run, 300);
  await Promise.all([makeNudges(contextOn()), makeNudges(contextOn())]);

  const mails = await db.select().from(mailsDue).where(eq(mailsDue.cohortId, run.id));
  expect(mails).toHaveLength(300);
  expect(new Set(mails.map(({ enrollmentId }) => enrollmentId)).size).toBe(300);
});
