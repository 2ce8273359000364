import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { lessons } from '#db/schema/lessons.ts';
import { enrollments, people } from '#db/schema/people.ts';
import {
  findLearnerCourse,
  findLearnerCourses,
  findLearnerLesson,
  findWholeCourse,
} from '#features/learning/find-learner.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { createLearner, day, deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, draft, updateLearning } from '#support/lesson-rows.ts';
import { everything, updateRow } from '#support/rows.ts';

const ctx = contextOn();

test('the browser of someone who is enrolled shows the published lessons, and what is done', async () => {
  const { course, cohort, section, lessons: ids, place, device, person } = await createLearner();
  await createLessonRow(section, { ...draft, position: 4 });
  await createLessonRow(section, { position: 5, deletedAt: new Date() });
  await createMark(place, { id: ids[0] });
  const before = await everything();

  const { course: found, learner } = await findLearnerCourse(ctx, device, course.id);
  expect(learner?.name).toBe(person.name);
  expect(found).toMatchObject({
    course: { id: course.id, name: 'Biology 101' },
    cohort: { id: cohort.id },
    sections: [
      {
        title: 'Opening',
        lessons: [
          { id: ids[0], title: 'Lesson 1', minutes: 3, is_done: true },
          { id: ids[1], is_done: false, done_at: null },
          { id: ids[2] },
        ],
      },
    ],
    done: 1,
    of: 3,
    continue_with: ids[1],
  });
  const { lesson } = await findLearnerLesson(ctx, device, course.id, ids[1]);
  expect(lesson).toMatchObject({
    html: '<p>Text 2</p>',
    section: 'Opening',
    number: 2,
    previous: ids[0],
    next: ids[2],
  });
  const whole = await findWholeCourse(ctx, device, course.id);
  expect(whole.lessons.map(({ html }) => html)).toEqual([1, 2, 3].map((no) => `<p>Text ${no}</p>`));
  const { courses } = await findLearnerCourses(ctx, device);
  expect(courses).toMatchObject([{ course: { id: course.id }, done: 1, of: 3 }]);
  // To read is not to have opened.
  expect(await everything()).toEqual(before);
});

test.each([
  ['waits', { status: 'waitlisted', queueNo: 1 }, {}],
  ['is invited', { status: 'invited', expiresAt: new Date(Date.now() + day) }, {}],
  ['has left', { status: 'left' }, {}],
  ['was removed', { status: 'removed' }, {}],
  ['is in a draft', {}, { publishedAt: null }],
  ['is in a cohort in the trash', {}, { deletedAt: new Date() }],
] as const)('someone who %s sees no lesson', async (_, standing, ofCohort) => {
  const { course, cohort, lessons: ids, place, device } = await createLearner();
  await updateRow(enrollments, place, { status: 'enrolled', ...standing });
  await updateRow(cohorts, cohort, { updatedAt: new Date(), ...ofCohort });

  expect((await findLearnerCourse(ctx, device, course.id)).course).toBeNull();
  const found = await findLearnerLesson(ctx, device, course.id, ids[0]);
  expect(found).toMatchObject({ course: null, lesson: null });
  expect((await findWholeCourse(ctx, device, course.id)).lessons).toEqual([]);
  expect((await findLearnerCourses(ctx, device)).courses).toEqual([]);
});

test('people of another course, and browsers that are not remembered, see nothing', async () => {
  const [one, other] = [await createLearner(), await createLearner()];
  const id = one.lessons[0];
  const strangers = [
    other.device,
    { cookie: null },
    // Everything but the signature can be made up.
    { cookie: one.device.cookie?.replace(/[0-9a-f]{64}/, 'a'.repeat(64)) ?? '' },
    { cookie: `${one.person.id}.1.${'a'.repeat(64)}~~.~${'x'.repeat(4000)}` },
  ];
  for (const device of strangers) {
    const found = await findLearnerLesson(ctx, device, one.course.id, id);
    expect(found).toMatchObject({ course: null, lesson: null });
  }
  // A lesson of another course of the same people.
  const elsewhere = await findLearnerLesson(ctx, one.device, one.course.id, other.lessons[0]);
  expect(elsewhere).toMatchObject({ course: { of: 3 }, lesson: null });
});

test('a browser forgets who has new links, or was not there for half a year', async () => {
  const { course, person, device } = await createLearner();
  const after = (days: number) => ({ ...ctx, now: () => new Date(Date.now() + days * day) });
  const isOpen = async (days: number, given = { ...device }) =>
    (await findLearnerCourse(after(days), given, course.id)).course !== null;
  expect(await isOpen(179)).toBe(true);
  expect(await isOpen(181)).toBe(false);
  // Signed by a clock that is ahead, or made up.
  expect(await isOpen(-2)).toBe(false);
  const renewed = { ...device };
  await isOpen(100, renewed);
  expect(renewed.cookie).not.toBe(device.cookie);
  expect(await isOpen(200, renewed)).toBe(true);
  const again = { ...device };
  await isOpen(0, again);
  expect(again.cookie).toBe(device.cookie);

  await updateRow(people, person, { linkVersion: 2 });
  expect(await isOpen(1, renewed)).toBe(false);
  expect(renewed.cookie).toBeNull();
});

test('a browser is remembered for four people, and a fifth has it forget the first', async () => {
  const learners = [];
  for (let no = 0; no < 5; no += 1) {
    learners.push(await createLearner());
  }
  const device = await deviceOf(...learners.map(({ person }) => person));
  const { courses } = await findLearnerCourses(ctx, device);
  const idsOf = (all: { course: { id: string } }[]) =>
    all.map(({ course }) => course.id).toSorted();
  expect(idsOf(courses)).toEqual(idsOf(learners.slice(1)));
});

test('someone in two cohorts of a course reads as one of the later one', async () => {
  const { course, person, device } = await createLearner();
  const later = await createCohortRow(course, {
    publishedAt: new Date(),
    startsOn: '2099-01-05',
    endsOn: '2099-01-06',
  });
  await createEnrollment(later, { personId: person.id });

  const { course: found } = await findLearnerCourse(ctx, device, course.id);
  expect(found?.cohort?.id).toBe(later.id);
});

test('one continues where one was, or with the next lesson that is not done', async () => {
  const { course, lessons: ids, place, device } = await createLearner();
  const continueWith = async () =>
    (await findLearnerCourse(ctx, device, course.id)).course?.continue_with;
  const isDone = (id: string) => createMark(place, { id });
  expect(await continueWith()).toBe(ids[0]);
  await updateLearning(place, { lastLessonId: ids[1] });
  expect(await continueWith()).toBe(ids[1]);
  await isDone(ids[1]);
  expect(await continueWith()).toBe(ids[2]);
  await isDone(ids[2]);
  expect(await continueWith()).toBe(ids[0]);
  await isDone(ids[0]);
  expect(await continueWith()).toBeNull();
  // Only lessons that are shown count.
  await updateRow(lessons, { id: ids[0] }, { deletedAt: new Date() });
  expect((await findLearnerCourses(ctx, device)).courses).toMatchObject([{ done: 2, of: 2 }]);
});
