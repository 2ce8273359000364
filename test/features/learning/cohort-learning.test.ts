import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { learning } from '#db/schema/learning.ts';
import { cohortSections, lessons } from '#db/schema/lessons.ts';
import { enrollments } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { findWeek } from '#features/learning/find-week.ts';
import { goneReaders } from '#features/lessons/gone-readers.ts';
import { readTable } from '#features/lists/read-table.ts';
import type { EnrollmentPage } from '#features/places/schema.ts';
import { findRoster } from '#features/roster/find-roster.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { dayIn } from '#lib/time/words.ts';
import { readAs } from '#support/context.ts';
import { day } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
} from '#support/factories.ts';
import {
  createLessonRow,
  createMark,
  createSectionRow,
  draft,
  updateLearning,
} from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused } from '../places/support.ts';

startFresh();

/** A cohort of a course with two published lessons, a draft, and one in the trash. */
async function createClass() {
  const owner = await createOwner();
  const later = await createSectionRow(owner.course, { position: 2, title: 'Later' });
  const first = await createSectionRow(owner.course, { position: 1 });
  const second = await createLessonRow(later, { title: 'Voices' });
  const lesson = await createLessonRow(first, { position: 2 });
  await createLessonRow(first, { ...draft, title: 'Not yet' });
  await createLessonRow(first, { deletedAt: new Date(start), title: 'No more' });
  return { ...owner, lessons: [lesson, second] as const };
}

const seenAt = new Date(start - 1_000);

test('the owner sees how many have opened and done each published lesson, in their order', async () => {
  const { cohort, lessons, read } = await createClass();
  const [ada, bea, cleo] = [
    await createEnrollment(cohort, { completedAt: seenAt }),
    await createEnrollment(cohort),
    await createEnrollment(cohort),
  ];
  await createMark(ada, lessons[0]);
  await createMark(bea, lessons[0], { doneAt: null });
  await createMark(ada, lessons[1]);
  await createEnrollment(cohort, { status: 'left' });
  await updateLearning(ada, { lastSeenAt: seenAt });
  await updateLearning(bea, { lastSeenAt: seenAt });

  expect(await read('learning/')).toEqual({
    lessons: [
      { id: lessons[0].id, opened: 2, done: 1 },
      { id: lessons[1].id, opened: 1, done: 1 },
    ],
    people: { started: 2, completed: 1, stuck: 0 },
  });
  expect(await read(`enrollments/${cleo.id}/`)).toMatchObject({
    learning: { done: 0, of: 2, last_seen_at: null },
  });
});

test('of those who no longer take part, the ones who have read are counted', async () => {
  const { cohort, lessons } = await createClass();
  const reader = await createEnrollment(cohort, { status: 'left' });
  await createEnrollment(cohort, { status: 'removed' });
  await createEnrollment(cohort);
  await createMark(reader, lessons[0]);
  const values = { enrollmentId: reader.id, ownerId: cohort.ownerId, cohortId: cohort.id };
  await db.insert(learning).values({ ...values, startedAt: seenAt, lastSeenAt: seenAt });
  const count = goneReaders(sql`${cohort.id}`);
  expect(await db.all(sql`SELECT ${count} AS count`)).toEqual([{ count: 1 }]);
});

test('the roster and its file say how far everyone is, where there is something to read', async () => {
  const taught = await createClass();
  const { cohort, lessons, read } = taught;
  const ada = await createEnrollment(cohort, { nameKey: 'a' });
  const invited = { status: 'invited', expiresAt: new Date(start + 1e6), nameKey: 'b' } as const;
  await createEnrollment(cohort, invited);
  await createMark(ada, lessons[0]);
  await updateLearning(ada, { lastSeenAt: seenAt });

  const { items } = await read<EnrollmentPage>('enrollments/');
  expect(items.map((item) => item.learning)).toEqual([
    { done: 1, of: 2, last_seen_at: seenAt.toISOString() },
    null,
  ]);
  const cellsIn = async (of: Pick<typeof taught, 'client' | 'base'>) => {
    const { rows } = await readTable(await (await of.client.get(`${of.base}roster.csv`)).text());
    const at = rows[0]?.cells.indexOf('lessons_done') ?? 0;
    return rows.slice(1).map(({ cells }) => cells.slice(at, at + 2));
  };
  const days = [
    ['1', dayIn(cohort.timeZone, seenAt)],
    ['', ''],
  ];
  expect(await cellsIn(taught)).toEqual(days);

  const without = await createOwner();
  await createEnrollment(without.cohort);
  const page = await without.read<EnrollmentPage>('enrollments/');
  expect(page.items.map((item) => item.learning)).toEqual([null]);
  expect(await cellsIn(without)).toEqual([['', '']]);
});

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** The course that its owner has selected, with a lesson. */
async function createTaught() {
  const user = await createUser();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  await updateRow(users, user, { selectedCourseId: course.id });
  const lesson = await createLessonRow(await createSectionRow(course));
  const week = () => readAs(user.id, findWeek);
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

const past = { startsAt: new Date(start - 60 * day), endsAt: new Date(start - day) };

/**
 * A cohort that has ended, with two lessons that count and one that it hides: Ada has done both,
 * Bea one and the hidden one, Cleo has done both and left.
 */
async function createEnded(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({ ...past, ...values });
  const { cohort, course, user } = owner;
  const section = await createSectionRow(course);
  const extra = await createSectionRow(course, { position: 2 });
  const first = await createLessonRow(section);
  const second = await createLessonRow(section, { position: 2 });
  const hidden = await createLessonRow(extra);
  await createLessonRow(section, { ...draft, position: 3 });
  const isHidden = { sectionId: extra.id, mode: 'hidden' } as const;
  await db.insert(cohortSections).values({ ownerId: user.id, cohortId: cohort.id, ...isHidden });
  const [ada, bea, cleo] = [
    await createEnrollment(cohort),
    await createEnrollment(cohort),
    await createEnrollment(cohort),
  ];
  for (const [person, ...done] of [
    [ada, first, second],
    [bea, first, hidden],
    [cleo, first, second],
  ] as const) {
    await createMark(person, done[0]);
    await createMark(person, done[1]);
  }
  await updateRow(enrollments, cleo, { status: 'left' });
  return { ...owner, second, ada, bea, cleo };
}

test('everyone who has done every lesson is completed at once, and no one where there is none', async () => {
  const { post, ada, bea, cleo } = await createEnded();
  const done = { status: 200, body: { completed: 1 } };
  expect(await post('learning/completions/')).toEqual(done);
  expect((await enrollmentRow(ada.id))?.completedAt).toEqual(new Date(start));
  for (const { id } of [bea, cleo]) {
    expect((await enrollmentRow(id))?.completedAt).toBeNull();
  }

  const without = await createOwner(past);
  await createEnrollment(without.cohort);
  expect((await without.post('learning/completions/')).body).toEqual({ completed: 0 });
  const running = await createEnded({ endsAt: new Date(start + day) });
  const refusal = await running.post('learning/completions/');
  expect(refusal).toMatchObject(refused('cohort_not_over'));
  expect(await running.post('learning/completions/', { before_end: true })).toEqual(done);
});

test('once a cohort is over, its roster says how many have done every lesson, until all are marked', async () => {
  const { post, cohort, user, bea, second } = await createEnded();
  const learnedOf = async ({ id }: { id: string }, ownerId = user.id) =>
    (await readAs(ownerId, findRoster(id, ''))).learned;
  expect(await learnedOf(cohort)).toEqual({ people: 1, unmarked: 1 });
  await post('learning/completions/');
  expect(await learnedOf(cohort)).toEqual({ people: 1, unmarked: 0 });
  await createMark(bea, second);
  expect(await learnedOf(cohort)).toEqual({ people: 2, unmarked: 1 });

  const running = await createEnded({ endsAt: new Date(start + day) });
  expect((await learnedOf(running.cohort, running.user.id)).unmarked).toBe(0);
  expect(await learnedOf(cohort, running.user.id)).toMatchObject({ people: 0 });
});
