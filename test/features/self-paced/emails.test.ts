import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { learning } from '#db/schema/learning.ts';
import { cohortSections, lessons, sections } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { createLessonRow, createMark, draft, updateLearning } from '#support/lesson-rows.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { createMeeting, enrollMany, made, startAt } from '../letters/reminders.ts';
import { setTime } from '../places/support.ts';
import {
  began,
  clockAt,
  createGroup,
  createRun,
  enroll,
  learningOf,
  mailsByDay,
  payloadsTo,
  visit,
} from './clock.ts';

startAt(began);

/** A run that reminds no one. */
function createCalm(...[days, values]: Parameters<typeof createRun>) {
  return createRun(days, { sendsNudges: false, ...values });
}

/** The sections that the emails name which were sent since. */
function sectionsIn(accepted: { subject: string }[]) {
  return accepted.splice(0).map(({ subject }) => subject.replace('New in Writing: ', ''));
}

test('people are told of each section when it opens for them, to the minute, and once', async () => {
  const { accepted } = fakeResend();
  const { run } = await createCalm([null, 7, 14]);
  const first = await enroll(run);
  const second = await enroll(run, began + 2 * day);
  await clockAt(began + 3 * day);
  expect((await learningOf(first)).nextReleaseAt).toBe(began + 7 * day);
  await clockAt(began + 7 * day - 1);
  expect(accepted).toEqual([]);
  // The clocks in most places change in between: 24 hours are 24 hours.
  await clockAt(began + 7 * day);
  await clockAt(began + 7 * day + 5 * minute);
  expect(accepted).toMatchObject([
    {
      to: first.person.email,
      subject: 'New in Writing: Section 2',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  ]);
  expect((await learningOf(first)).announcedAt).toEqual(new Date(began + 7 * day));
  await clockAt(began + 9 * day);
  expect(accepted).toMatchObject([{}, { to: second.person.email }]);
  await clockAt(began + 30 * day);
  expect((await learningOf(first)).nextReleaseAt).toBeNull();
  expect(loggedEvents('releases_made')).toMatchObject([{ made: 0, seen: 2 }, {}, {}, {}]);
});

test('one email names all that has opened while the clock was off', async () => {
  const { accepted } = fakeResend();
  const { run } = await createCalm([null, 7, 14, 30]);
  const learner = await enroll(run);
  await clockAt(began);
  await clockAt(began + 20 * day);

  expect(sectionsIn(accepted)).toEqual(['Section 2']);
  expect(await payloadsTo(learner)).toMatchObject([
    { released: { sections: ['Section 2', 'Section 3'], lessons: 2, first: 'Lesson 2' } },
  ]);
});

test('only people who are enrolled, have not finished and want reminders get either email, and only people of an open run with more to read are reminded', async () => {
  const { attempts } = fakeResend();
  const { run } = await createRun([null, 7]);
  const [left, finished, quiet] = [await enroll(run), await enroll(run), await enroll(run)];
  for (const values of [{ accessDays: 7 }, { announcesReleases: false, sendsNudges: false }]) {
    await enroll((await createRun([null, 7], values)).run);
  }
  for (const values of [{ archivedAt: new Date(began) }, { publishedAt: null }]) {
    await enroll((await createGroup([0], values)).cohort);
  }
  await enroll((await createGroup([null])).cohort);
  await enroll((await createRun([])).run);
  await enroll((await createRun([null], { sendsNudges: false })).run);
  const done = await createRun([null]);
  await createMark(await enroll(done.run), { id: done.lessons[0]?.id ?? '' });
  await clockAt(began);
  await updateRow(enrollments, left, { status: 'left' });
  await updateRow(enrollments, finished, { completedAt: new Date(began) });
  await updateRow(people, quiet.person, { noRemindersAt: new Date(began) });
  for (const days of [7, 10, 21, 40]) {
    await clockAt(began + days * day);
  }
  expect(await db.$count(learning, sql`nudge_due_at IS NOT NULL`)).toBe(0);
  // Nor when it is switched on later, or they come back.
  const back = { status: 'enrolled', statusChangedAt: new Date(began + 40 * day) } as const;
  await updateRow(enrollments, left, back);
  await updateRow(people, quiet.person, { noRemindersAt: null });
  await db.update(cohorts).set({ announcesReleases: true, sendsNudges: true });
  await clockAt(began + 41 * day);

  expect(attempts).toEqual([]);
  expect(await db.$count(mailsDue)).toBe(0);
});

test('a section without a published lesson is announced to no one, also not when it gets one late', async () => {
  const { attempts } = fakeResend();
  const { run, lessons: rows } = await createCalm([null, 7, 14]);
  const update = async (values: Parameters<typeof updateRow<typeof lessons>>[2]) => {
    await updateRow(lessons, rows[1], values);
    await updateRow(lessons, rows[2], values);
  };
  await update(draft);
  const learner = await enroll(run);
  await clockAt(began + 6 * day);
  expect((await learningOf(learner)).nextReleaseAt).toBeNull();
  setTime(began + 8 * day);
  const published = { html: '', publishedTitle: 'Scenes', publishedWords: 1 };
  await update({ ...published, publishedAt: new Date() });
  await clockAt(began + 8 * day);
  expect(attempts).toEqual([]);
  expect((await learningOf(learner)).nextReleaseAt).toBe(began + 14 * day);
  await clockAt(began + 14 * day);
  expect(attempts).toHaveLength(1);
});

test('a changed rule mails nothing for the past, and what was due stays due', async () => {
  const { accepted } = fakeResend();
  const { run, sections: rows } = await createCalm([null, 7, 14]);
  const setDays = (index: number, releaseDays: number | null) =>
    updateRow(sections, rows[index], { releaseDays });
  const learner = await enroll(run);
  await clockAt(began);
  await clockAt(began + 7 * day);
  expect(sectionsIn(accepted)).toEqual(['Section 2']);
  // From 14 days to 3 and back to 10, on the eighth day.
  setTime(began + 8 * day);
  await setDays(2, 3);
  await clockAt(began + 8 * day);
  await setDays(2, 10);
  await setDays(1, 2);
  await clockAt(began + 9 * day);
  expect(accepted).toEqual([]);
  expect((await learningOf(learner)).nextReleaseAt).toBe(began + 10 * day);
  // Changed between its moment and the clock.
  setTime(began + 10 * day + minute);
  await setDays(1, null);
  await clockAt(began + 10 * day + 2 * minute);
  await clockAt(began + 40 * day);
  expect(sectionsIn(accepted)).toEqual(['Section 3']);
});

test('people of a cohort are told at about nine in the morning of the day, which moves with the cohort', async () => {
  const { accepted } = fakeResend();
  const { cohort } = await createGroup([null, 0, 7]);
  const learner = await enroll(cohort);
  await clockAt(began);
  // Nine in the morning in Vancouver.
  const firstDay = Date.UTC(2027, 2, 8, 17);
  await clockAt(firstDay - 1);
  expect(accepted).toEqual([]);
  await clockAt(firstDay);
  expect(accepted.map(({ to }) => to)).toEqual([learner.person.email]);
  accepted.splice(0);
  // Someone who comes later is told of what opens after that.
  await enroll(cohort, firstDay + 2 * day);
  await clockAt(firstDay + 6 * day);
  await updateRow(cohorts, cohort, { startsAt: new Date(Date.UTC(2027, 2, 9, 8)) });
  await clockAt(firstDay + 7 * day);
  expect(accepted).toEqual([]);
  await clockAt(firstDay + 8 * day);
  expect(sectionsIn(accepted)).toEqual(['Section 3', 'Section 3']);
});

test('a cohort’s own day, its live session and “hidden” count, and a canceled session does not', async () => {
  const { accepted } = fakeResend();
  const { cohort, sections: rows } = await createGroup([7, 7, 7, null, 40]);
  const startsAt = new Date(Date.UTC(2027, 2, 20, 18));
  const meeting = await createMeeting(cohort, { startsAt });
  const canceled = await createMeeting(cohort, { startsAt, cancelledAt: new Date(began) });
  await enroll(cohort);
  const { id: cohortId, ownerId } = cohort;
  for (const [index, values] of [
    { mode: 'date', opensLocal: '2027-03-12', opensAt: new Date('2027-03-12T08:00:00Z') },
    { mode: 'meeting', meetingId: meeting.id, meetingEdge: 'end' },
    { mode: 'meeting', meetingId: canceled.id, meetingEdge: 'start' },
    { mode: 'date', opensLocal: '2027-03-13T12:00', opensAt: new Date('2027-03-13T20:00:00Z') },
    { mode: 'hidden' },
  ].entries()) {
    const own = { cohortId, ownerId, sectionId: rows[index]?.id, ...values };
    await db.insert(cohortSections).values(own as typeof cohortSections.$inferInsert);
  }
  await clockAt(began);
  const told = async (moment: number) => {
    await clockAt(moment - 1);
    expect(accepted).toEqual([]);
    await clockAt(moment);
    return sectionsIn(accepted);
  };
  expect(await told(Date.UTC(2027, 2, 12, 17))).toEqual(['Section 1']);
  expect(await told(Date.UTC(2027, 2, 13, 20))).toEqual(['Section 4']);
  expect(await told(Date.UTC(2027, 2, 15, 17))).toEqual(['Section 3']);
  // It moves.
  await updateRow(meetings, meeting, { startsAt: new Date(startsAt.getTime() + day) });
  expect(await told(startsAt.getTime() + day + 90 * minute)).toEqual(['Section 2']);
  await clockAt(began + 100 * day);
  expect(accepted).toEqual([]);
});

test('500 people get each email once from two clocks at once, and those of what opens spread over an hour', async () => {
  fakeResend();
  const { run } = await createRun([null, 120]);
  await enrollMany(run, 500);
  const mailsOf = async (kind: 'nudge' | 'lessons_released') => {
    const mails = await db.select().from(mailsDue).where(eq(mailsDue.kind, kind));
    expect(mails).toHaveLength(500);
    expect(new Set(mails.map(({ enrollmentId }) => enrollmentId)).size).toBe(500);
    return mails.map(({ dueAt }) => dueAt.getTime());
  };
  await Promise.all([makeNudges(contextOn()), makeNudges(contextOn())]);
  await mailsOf('nudge');
  await makeReleases(contextOn());
  const opens = made + 120 * day;
  setTime(opens);
  await Promise.all([makeReleases(contextOn()), makeReleases(contextOn())]);
  await makeReleases(contextOn());

  const waits = (await mailsOf('lessons_released')).map((dueAt) => dueAt - opens);
  expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
  expect(Math.max(...waits)).toBe(hour);
});

test('a rule that was changed for many holds up no one whose section has opened', async () => {
  const { accepted } = fakeResend();
  const { run } = await createCalm([null, 7]);
  const learner = await enroll(run);
  const crowded = await createCalm([null, 30]);
  await enrollMany(crowded.run, 600);
  await clockAt(began);
  await clockAt(began + 7 * day - hour);
  await updateRow(sections, crowded.sections[1], { releaseDays: 31 });
  setTime(began + 7 * day);
  const ctx = contextOn();
  // As when others have used nearly all requests of a run: one batch is left.
  ctx.requests.made = ctx.config.requestsPerRun / 2 - 1;
  await makeReleases(ctx);

  const due = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'lessons_released'));
  expect(due.map(({ enrollmentId }) => enrollmentId)).toEqual([learner.id]);
  expect(accepted).toEqual([]);
});

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

test('a reminder comes a week after the last visit, and names the next lesson', async () => {
  const { accepted } = fakeResend();
  const { run, sections, lessons } = await createRun([null, null, 30]);
  const [first] = sections;
  await createLessonRow(first as never, { position: 2, title: 'Skipped' });
  const learner = await enroll(run);
  await createMark(learner, { id: lessons[0]?.id ?? '' });
  await visit(learner, began + 5 * day);
  await clockAt(began + 12 * day - 1);
  expect(accepted).toEqual([]);
  await updateLearning(learner, { lastLessonId: lessons[1]?.id ?? '' });
  await clockAt(began + 12 * day);
  expect(accepted).toMatchObject([{ to: learner.person.email, subject: reminder }]);
  const progress = { done: 1, of: 4, next: 'Lesson 2' };
  expect(await payloadsTo(learner)).toMatchObject([{ progress }]);
  // What they have skipped comes after the end.
  await createMark(learner, { id: lessons[1]?.id ?? '' });
  await clockAt(began + 26 * day);
  const skipped = { done: 2, of: 4, next: 'Skipped' };
  expect(await payloadsTo(learner)).toMatchObject([{ progress }, { progress: skipped }]);
});

test('a reminder keeps three days away from an email about a section that opens', async () => {
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

test('someone who has done every open lesson is reminded a week after the next section opens', async () => {
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
