import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import type { CourseFile } from '#features/files/schema.ts';
import { runByClock } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { copyRow, createCohortRow, createEnrollment } from '#support/factories.ts';
import { documentWith, fetchFile, upload } from '../files/support.ts';
import { refused } from '../places/support.ts';
import {
  addLesson,
  addSection,
  contentOf,
  createAuthor,
  createOutline,
  createWriter,
  documentOf,
  publish,
  save,
} from './support.ts';

const copy = { name: 'Biology 102', course_type: 'evergreen' };

test('a copy has the same sections, texts, rules and files, and nothing of people', async () => {
  const outline = { One: ['Draft', 'Trashed'], Two: ['Published'] };
  const { client, course, sections, lessons, send } = await createOutline(outline);
  await send('PATCH', `/api/sections/${sections['Two']}/`, { release_days: 7 });
  const { Draft: drafted = '', Trashed: trashed, Published: published = '' } = lessons;
  const { file } = await upload(client, course.id);
  await save(client, published, documentWith(file.key), 0);
  await publish(client, { id: published }, 1);
  await save(client, published, 'A draft of it.', 1);
  const { file: former } = await upload(client, course.id);
  await save(client, drafted, documentWith(former.key), 0);
  await save(client, drafted, 'Without it.', 1);
  await send('DELETE', `/api/lessons/${trashed}/`);
  await createEnrollment(await createCohortRow(course, { publishedAt: new Date() }));

  const path = `/api/courses/${course.id}/duplicate/`;
  const { status, body: made } = await send<Course>('POST', path, copy);
  expect([status, made]).toMatchObject([201, { ...copy, is_selected: true }]);
  const shapeOf = async (id: string) =>
    JSON.parse(
      JSON.stringify(await contentOf(client, id), (key, value) =>
        /^(id|link_keys)$|_(id|at)$/.test(key) ? undefined : value,
      ),
    );
  expect(await shapeOf(made.id)).toEqual(await shapeOf(course.id));
  expect(await texts(made.id)).toEqual(await texts(course.id));
  const { body: files } = await send<CourseFile[]>('GET', `/api/courses/${made.id}/files/`);
  // Copies have no earlier versions.
  expect(files.find(({ key }) => key === former.key)).toMatchObject({
    url: former.url,
    lessons: [],
  });
  expect(files.find(({ key }) => key === file.key)).toMatchObject({ url: file.url, lessons: [{}] });
  for (const table of ['cohorts', 'lesson_versions v JOIN lessons l ON l.id = v.lesson_id']) {
    const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE course_id = ?`);
    expect(await count.bind(made.id).first('n')).toBe(0);
  }

  // The object stays until the last of both is gone.
  await env.DB.prepare('DELETE FROM enrollments').run();
  await env.DB.prepare('DELETE FROM cohorts').run();
  for (const [id, left] of [
    [course.id, 200],
    [made.id, 404],
  ]) {
    expect((await send('DELETE', `/api/courses/${id}/`)).status).toBe(204);
    await runByClock();
    expect((await fetchFile(file.url)).status).toBe(left);
  }
});

test('a lesson is copied that moves into a new section while the course is copied', async () => {
  const { client, course, lesson, send } = await createWriter();
  const moveAway = async () => {
    const { id } = await addSection(client, course.id, 'New');
    await send('POST', `/api/lessons/${lesson.id}/move/`, { section_id: id, before: null });
  };
  const bindings = { DB: beforeWriting(moveAway) };
  const path = `/api/courses/${course.id}/duplicate/`;
  const { body: made } = await send<Course>('POST', path, copy, { bindings });
  const { sections } = await contentOf(client, made.id);
  expect(sections.find(({ title }) => title === 'New')?.lessons).toMatchObject([
    { title: lesson.title },
  ]);
});

test('a request sent again, or twice at once, makes one copy', async () => {
  const { course, send } = await createAuthor();
  const options = { headers: { 'Idempotency-Key': 'a-copy' } };
  const duplicate = async (id: string | undefined, input = copy) =>
    send<Course>('POST', `/api/courses/${id}/duplicate/`, input, options);
  const [one, other] = await Promise.all([duplicate(course.id), duplicate(course.id)]);
  expect(one.body.id).toBe(other.body.id);
  expect((await duplicate(course.id, { ...copy, name: 'Biology 103' })).status).toBe(422);
  expect((await send('GET', '/api/courses/')).body).toHaveLength(2);
  // The same key for another course.
  expect((await duplicate(one.body.id)).body.id).not.toBe(one.body.id);
});

test('no copy or import gives an owner more than 10,000 lessons, and a retry of one that did is answered', async () => {
  const { client, course, send } = await createWriter();
  const path = `/api/courses/${course.id}/duplicate/`;
  const trashed = await addLesson(client, course.id);
  await send('DELETE', `/api/lessons/${trashed.id}/`);
  await copyRow('lessons', trashed.id, 9_997, { position: 'position + n' });
  const headers = { 'Idempotency-Key': 'the-last' };
  expect((await send('POST', path, copy, { headers })).status).toBe(201);
  expect((await send('POST', path, copy, { headers })).status).toBe(201);
  const imported = { sections: [{ title: 'One', lessons: [{ title: 'One' }] }], dry_run: false };
  for (const answer of [
    await send('POST', path, copy),
    await send('POST', `/api/courses/${course.id}/imports/`, imported),
  ]) {
    expect(answer).toMatchObject(refused('too_many_lessons_in_all'));
  }
  expect((await send('GET', '/api/courses/')).body).toHaveLength(2);
});

test('300 long lessons are copied in one batch', async () => {
  const { client, course, lesson, send } = await createWriter(documentOf('x'.repeat(49_000)));
  await publish(client, lesson);
  await copyRow('lessons', lesson.id, 299, { position: 'position + n' });
  const { body } = await send<Course>('POST', `/api/courses/${course.id}/duplicate/`, copy);
  const { sections } = await contentOf(client, body.id);
  expect(sections.map(({ lessons }) => lessons.length)).toEqual([300]);
});

/** What the lessons of a course say, drafts and published. */
async function texts(courseId: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `SELECT title, document, html, published_title, words, published_version = draft_version AS same
      FROM lessons WHERE course_id = ? AND deleted_at IS NULL ORDER BY title`,
  )
    .bind(courseId)
    .all();
  return results;
}
