import { expect, test, vi } from 'vitest';
import { findLearnerLesson, findWholeCourse } from '#features/learning/find-learner.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { deviceOf } from '#support/learners.ts';
import { bytesOf, documentWith, fetchFile, png, upload } from '../files/support.ts';
import { addLesson, addOutline, createAuthor, publish, save } from '../lessons/support.ts';

const withImages = (...files: string[]) => ({
  type: 'doc' as const,
  content: files.map((file) => ({ type: 'image', attrs: { file, alt: 'A desk' } })),
});

/** Two published lessons with an image each, the second of a section that opens in a week. */
async function createCourse() {
  const author = await createAuthor();
  const { client, course } = author;
  const send = (name: string) =>
    upload(client, course.id, { name, content_type: 'image/png', bytes: png });
  const [first, second, drafted] = [
    (await send('1.png')).file,
    (await send('2.png')).file,
    (await send('3.png')).file,
  ];
  const { sections, lessons } = await addOutline(author, { Now: ['Open'], Later: ['Closed'] });
  const { Open: open = '', Closed: closed = '' } = lessons;
  await client.request('PATCH', `/api/sections/${sections['Later']}/`, { release_days: 7 });
  for (const [id, { key }] of [
    [open, first],
    [closed, second],
  ] as const) {
    await save(client, id, withImages(key), 0);
    await publish(client, { id }, 1);
  }
  await save(client, open, withImages(first.key, drafted.key), 1);
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const { person } = await createEnrollment(cohort);
  return { client, course, open, closed, first, device: await deviceOf(person) };
}

test('a learner gets the files of what is published and open, and no others', async () => {
  const { course, open, closed, first, device } = await createCourse();
  const ctx = contextOn();
  const found = await findLearnerLesson(ctx, device, course.id, open);
  expect(found.lesson?.files.map(({ name }) => name)).toEqual(['1.png']);
  expect(found.lesson?.html).toContain(`data-image="${first.key}"`);
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
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const device = await deviceOf((await createEnrollment(cohort)).person);
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
  const { client, course, open, device } = await createCourse();
  const files = await (await client.get(`/api/courses/${course.id}/files/`)).json<
    { id: string; name: string }[]
  >();
  const gone = files.find(({ name }) => name === '1.png');
  await client.request('DELETE', `/api/courses/${course.id}/files/${gone?.id}/`);
  const found = await findLearnerLesson(contextOn(), device, course.id, open);
  expect(found.lesson?.files).toEqual([]);
});
