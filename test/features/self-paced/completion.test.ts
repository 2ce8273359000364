import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import { markLesson } from '#features/learning/mark-lesson.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { settled } from '#support/background.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, minute } from '#support/days.ts';
import { createCohortRow, db } from '#support/factories.ts';
import { deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, createSectionRow, draft } from '#support/lesson-rows.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { enrollMany, startAt } from '../letters/reminders.ts';
import { enrollmentRow, setTime } from '../places/support.ts';
import { began, clockAt, createGroup, createRun, enroll, learningOf, visit } from './clock.ts';
import { createSelfPaced } from './owner.ts';

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
  // Neither a press that was counted before completes it again, nor the clock.
  await updateRow(enrollments, learner, { completedAt: null });
  setTime(began + 2 * day);
  await mark(added);
  await updateRow(lessons, added, draft);
  // Nor does leaving and coming back.
  await updateRow(enrollments, learner, { status: 'left' });
  await updateRow(enrollments, learner, { status: 'enrolled' });
  await settleStandings(contextOn());
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

/** An evergreen course with two lessons, of which the second opens after days; someone has done one. */
async function createHalfDone(releaseDays: number | null = null) {
  const owner = await createSelfPaced();
  const sections = [
    await createSectionRow(owner.course, { position: 1 }),
    await createSectionRow(owner.course, { position: 2, releaseDays }),
  ] as const;
  const [first, last] = [await createLessonRow(sections[0]), await createLessonRow(sections[1])];
  const learner = await enroll({ id: owner.run.id, ownerId: owner.user.id });
  await createMark(learner, first);
  return { ...owner, sections, first, last, learner };
}

type HalfDone = Awaited<ReturnType<typeof createHalfDone>>;

/** Someone has done what opens later, before it did. */
async function createEarly() {
  const made = await createHalfDone(30);
  await createMark(made.learner, made.last);
  await clockAt(began + 2 * day);
  expect(await completedAt(made.learner)).toBeNull();
  return made;
}

/** After which someone has done all that there is, without a press of theirs. */
const ways: Record<string, [make: () => Promise<HalfDone>, does: (made: HalfDone) => unknown]> = {
  'the last lesson is in the trash': [
    createHalfDone,
    ({ send, last }) => send('DELETE', `/api/lessons/${last.id}/`),
  ],
  'the last lesson is no longer published': [
    createHalfDone,
    ({ send, last }) => send('POST', `/api/lessons/${last.id}/unpublish/`, {}),
  ],
  'what they have done is given back from the trash': [
    createHalfDone,
    async ({ send, first, last }) => {
      await send('DELETE', `/api/lessons/${first.id}/`);
      await send('DELETE', `/api/lessons/${last.id}/`);
      await clockAt(began + 10 * minute);
      await send('POST', `/api/lessons/${first.id}/restore/`, {});
    },
  ],
  'the rule of its section is taken back': [
    createEarly,
    ({ send, sections }) =>
      send('PATCH', `/api/sections/${sections[1].id}/`, { release_days: null }),
  ],
  'it is moved to a section that is open': [
    createEarly,
    ({ send, last, sections }) =>
      send('POST', `/api/lessons/${last.id}/move/`, { section_id: sections[0].id, before: null }),
  ],
  'their instructor took back what came too early': [
    createHalfDone,
    async ({ send, last, learner }) => {
      await send('POST', `enrollments/${learner.id}/complete/`, {});
      await send('POST', `enrollments/${learner.id}/uncomplete/`, {});
      await send('DELETE', `/api/lessons/${last.id}/`);
    },
  ],
  'its section opens': [createEarly, () => clockAt(began + 30 * day)],
  'they come from a cohort where they have done it': [
    createHalfDone,
    async ({ course, learner, last, run }) => {
      await createMark(learner, last);
      const group = await createCohortRow(course, { publishedAt: new Date() });
      await updateRow(enrollments, learner, { cohortId: group.id });
      await clockAt(began + 3 * day);
      expect(await completedAt(learner)).toBeNull();
      await updateRow(enrollments, learner, { cohortId: run.id });
    },
  ],
  'they come back after it was taken away': [
    createHalfDone,
    async ({ send, last, learner }) => {
      await updateRow(enrollments, learner, { status: 'left' });
      await send('DELETE', `/api/lessons/${last.id}/`);
      await clockAt(began + 3 * day);
      expect(await completedAt(learner)).toBeNull();
      await updateRow(enrollments, learner, { status: 'enrolled' });
    },
  ],
};

test.for(Object.entries(ways))(
  'who has done all that is left has completed the course soon after %s, and no one else has',
  async ([_way, [make, does]]) => {
    const { accepted } = fakeResend();
    const made = await make();
    const other = await enroll({ id: made.run.id, ownerId: made.user.id });
    await does(made);
    const at = Date.now();
    await clockAt(at + 5 * minute);
    await clockAt(at + 10 * minute);
    await clockAt(at + 15 * minute);

    expect(await completedAt(made.learner)).not.toBeNull();
    const told = () => accepted.filter(({ subject }) => subject.startsWith('You’ve finished'));
    expect(told().map(({ to }) => to)).toEqual([made.learner.person.email]);
    expect((await learningOf(made.learner)).standing).toBe('completed');
    const { certificate } = await findOwnCertificate(
      contextOn(),
      await deviceOf(made.learner.person),
      made.course.id,
    );
    expect(certificate).not.toBeNull();
    expect(await completedAt(other)).toBeNull();
    // Nothing of it happens twice, nor where nothing is left.
    await made.send('DELETE', `/api/lessons/${made.first.id}/`);
    await made.send('DELETE', `/api/lessons/${made.last.id}/`);
    await clockAt(at + 20 * minute);
    expect(told()).toHaveLength(1);
    expect(await completedAt(other)).toBeNull();
  },
);

test('of many who have done all that is left, all are completed, each with an email of their own', async () => {
  const { run, user, first, last, send } = await createHalfDone();
  const many = 130;
  await enrollMany({ id: run.id, ownerId: user.id }, many);
  await db.run(sql`INSERT INTO lesson_marks (enrollment_id, lesson_id, owner_id, cohort_id,
      opened_at, done_at)
    SELECT e.id, ${first.id}, e.owner_id, e.cohort_id, ${began}, ${began} FROM enrollments e
    WHERE e.cohort_id = ${run.id} ON CONFLICT DO NOTHING`);
  await send('DELETE', `/api/lessons/${last.id}/`);
  await settleStandings(contextOn());

  const areCompleted = sql`${enrollments.cohortId} = ${run.id} AND completed_at IS NOT NULL`;
  expect(await db.$count(enrollments, areCompleted)).toBe(many + 1);
  const mails = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'course_completed'));
  expect(new Set(mails.map(({ toAddress }) => toAddress)).size).toBe(many + 1);
  expect(loggedEvents('courses_completed')).toMatchObject([{ count: many + 1, is_done: true }]);
});

test('who waits for the next section with all that is open done is not stuck', async () => {
  fakeResend();
  const { lessons: rows, run } = await createRun([null, 30]);
  const [waiting, behind] = [await enroll(run), await enroll(run)];
  await createMark(waiting, rows[0] as never);
  await visit(waiting, began + day);
  await visit(behind, began + day);
  const standings = async () => [
    (await learningOf(waiting)).standing,
    (await learningOf(behind)).standing,
  ];
  await clockAt(began + 2 * day);
  await clockAt(began + 16 * day);
  expect(await standings()).toEqual(['under_way', 'stuck']);
  await clockAt(began + 43 * day);
  expect(await standings()).toEqual(['under_way', 'stuck']);
  await clockAt(began + 45 * day);
  expect(await standings()).toEqual(['stuck', 'stuck']);
});
