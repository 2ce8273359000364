import { expect, test, vi } from 'vitest';
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
import { day } from '#support/days.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { createLearner, deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, draft, updateLearning } from '#support/lesson-rows.ts';
import { everything, updateRow } from '#support/rows.ts';
import { bytesOf, documentWith, fetchFile, png, upload } from '../files/support.ts';
import { addLesson, addOutline, createAuthor, publish, save } from '../lessons/support.ts';

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

test('people who wait, are invited, have left or were removed, and those of a draft or of the trash, see no lesson', async () => {
  const { course, cohort, lessons: ids, place, device } = await createLearner();
  const expiresAt = new Date(Date.now() + day);
  for (const [standing, ofCohort] of [
    [{ status: 'waitlisted', queueNo: 1 }, {}],
    [{ status: 'invited', expiresAt }, {}],
    [{ status: 'left' }, {}],
    [{ status: 'removed' }, {}],
    [{ status: 'enrolled' }, { publishedAt: null }],
    [{ status: 'enrolled' }, { publishedAt: new Date(), deletedAt: new Date() }],
  ] as const) {
    await updateRow(enrollments, place, { queueNo: null, expiresAt: null, ...standing });
    await updateRow(cohorts, cohort, { updatedAt: new Date(), ...ofCohort });
    const found = await findLearnerLesson(ctx, device, course.id, ids[0]);
    const whole = await findWholeCourse(ctx, device, course.id);
    const { courses } = await findLearnerCourses(ctx, device);
    const seen = { course: found.course, lesson: found.lesson, whole: whole.lessons, courses };
    const nothing = { course: null, lesson: null, whole: [], courses: [] };
    expect(seen, JSON.stringify([standing, ofCohort])).toEqual(nothing);
  }
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
  const learners = await Array.fromAsync([1, 2, 3, 4, 5], () => createLearner());
  const device = await deviceOf(...learners.map(({ person }) => person));
  const { courses } = await findLearnerCourses(ctx, device);
  const idsOf = (all: { course: { id: string } }[]) =>
    all.map(({ course }) => course.id).toSorted();
  expect(idsOf(courses)).toEqual(idsOf(learners.slice(1)));
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

const withImages = (...files: string[]) => ({
  type: 'doc' as const,
  content: files.map((file) => ({ type: 'image', attrs: { file, alt: 'A desk' } })),
});

/** Two published lessons with an image each, the second of a section that opens in a week. */
async function createCourse() {
  const author = await createAuthor();
  const { client, course } = author;
  const [first, second, drafted] = await Promise.all(
    ['1.png', '2.png', '3.png'].map(async (name) => {
      const sent = { name, content_type: 'image/png', bytes: png };
      return (await upload(client, course.id, sent)).file.key;
    }),
  );
  const { sections, lessons } = await addOutline(author, { Now: ['Open'], Later: ['Closed'] });
  const { Open: open = '', Closed: closed = '' } = lessons;
  await author.send('PATCH', `/api/sections/${sections['Later']}/`, { release_days: 7 });
  for (const [id, key = ''] of [
    [open, first],
    [closed, second],
  ] as const) {
    await save(client, id, withImages(key), 0);
    await publish(client, { id }, 1);
  }
  await save(client, open, withImages(first ?? '', drafted ?? ''), 1);
  return { ...author, open, closed, first, device: await readerOf(course) };
}

/** The browser of someone in a published cohort. */
async function readerOf(course: { id: string; ownerId: string }) {
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  return deviceOf((await createEnrollment(cohort)).person);
}

test('a learner gets the files of what is published and open, and no others', async () => {
  const { course, open, closed, first, device } = await createCourse();
  const ctx = contextOn();
  const found = await findLearnerLesson(ctx, device, course.id, open);
  expect(found.lesson?.files.map(({ name }) => name)).toEqual(['1.png']);
  expect(found.lesson?.html).toContain(`data-image="${first}"`);
  const response = await fetchFile(found.lesson?.files[0]?.url ?? '');
  expect(response.headers.get('Content-Type')).toBe('image/png');

  expect((await findLearnerLesson(ctx, device, course.id, closed)).lesson).toBeNull();
  const whole = await findWholeCourse(ctx, device, course.id);
  expect(whole.lessons.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['1.png']);
});

test('captions of the course go with each video of their name, and a file is signed once', async () => {
  const { client, course } = await createAuthor();
  const send = async (name: string) => {
    const isVideo = name.endsWith('.mp4');
    const bytes = bytesOf(isVideo ? '\0\0\0\x18ftypmp42' : 'WEBVTT');
    const content_type = isVideo ? 'video/mp4' : 'text/vtt';
    return (await upload(client, course.id, { name, content_type, bytes })).file.key;
  };
  const video = await send('Talk.v2.mp4');
  for (const name of ['talk.v2.vtt', 'talk.vtt', 'other.vtt']) {
    await send(name);
  }
  const publishWith = async (...keys: string[]) => {
    const lesson = await addLesson(client, course.id, { document: documentWith(...keys) });
    await publish(client, lesson);
    return lesson.id;
  };
  const lessonId = await publishWith(video);
  const device = await readerOf(course);
  const namesOf = async () => {
    const { lessons } = await findWholeCourse(contextOn(), device, course.id);
    return lessons.map(({ files }) => files.map(({ name }) => name).toSorted());
  };
  const both = ['Talk.v2.mp4', 'talk.v2.vtt'];
  const { lesson } = await findLearnerLesson(contextOn(), device, course.id, lessonId);
  expect(lesson?.files.map(({ name }) => name)).toEqual(both);
  const sign = vi.spyOn(crypto.subtle, 'sign');
  expect(await namesOf()).toEqual([both]);
  const before = sign.mock.calls.length;
  await publishWith(video);
  await publishWith(await send('last.mp4'), video);
  sign.mockClear();
  expect(await namesOf()).toEqual([both, both, ['Talk.v2.mp4', 'last.mp4', 'talk.v2.vtt']]);
  expect(sign.mock.calls).toHaveLength(before + 1);
  sign.mockRestore();
});

test('a file that was deleted is left out', async () => {
  const { course, open, device, send } = await createCourse();
  const path = `/api/courses/${course.id}/files/`;
  const { body: files } = await send<{ id: string; name: string }[]>('GET', path);
  const gone = files.find(({ name }) => name === '1.png');
  await send('DELETE', `${path}${gone?.id}/`);
  const found = await findLearnerLesson(contextOn(), device, course.id, open);
  expect(found.lesson?.files).toEqual([]);
});

test('a link leads to another lesson of its course, by its id or the id of what it is a copy of', async () => {
  const { course, device, section } = await createLearner();
  const linkKey = crypto.randomUUID();
  const { id } = await createLessonRow(section, { position: 9, linkKey });
  // Neither takes the address of the other one.
  await createLessonRow(section, { ...draft, position: 10, linkKey: id });
  await createLessonRow(section, { position: 11, linkKey, deletedAt: new Date() });

  for (const key of [id, linkKey]) {
    const { lesson } = await findLearnerLesson(ctx, device, course.id, key);
    expect(lesson?.id).toBe(id);
  }
  const other = await createLearner();
  expect((await findLearnerLesson(ctx, other.device, other.course.id, linkKey)).lesson).toBe(null);
});
