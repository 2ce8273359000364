import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import { runByClock } from '#support/context.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { documentWith, fetchFile, upload } from '../files/support.ts';
import {
  addLesson,
  contentOf,
  copyLesson,
  createAuthor,
  createOutline,
  createWriter,
  documentOf,
  publish,
  save,
} from './support.ts';

const copy = { name: 'Biology 102', course_type: 'evergreen' };

test('a copy has the same sections, texts, rules and files, and nothing of people', async () => {
  const { client, course, sections, lessons } = await createOutline({
    One: ['Draft', 'Trashed'],
    Two: ['Published'],
  });
  await client.request('PATCH', `/api/sections/${sections['Two']}/`, { release_days: 7 });
  const { Draft: drafted = '', Trashed: trashed, Published: published = '' } = lessons;
  const { file } = await upload(client, course.id);
  await save(client, published, documentWith(file.key), 0);
  await publish(client, { id: published }, 1);
  await save(client, published, 'A draft of it.', 1);
  const { file: former } = await upload(client, course.id);
  await save(client, drafted, documentWith(former.key), 0);
  await save(client, drafted, 'Without it.', 1);
  await client.request('DELETE', `/api/lessons/${trashed}/`);
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  await createEnrollment(cohort);

  const response = await client.post(`/api/courses/${course.id}/duplicate/`, copy);
  const made = await response.json<Course>();
  expect([response.status, made]).toMatchObject([201, { ...copy, is_selected: true }]);
  const shapeOf = async (id: string) =>
    JSON.parse(
      JSON.stringify(await contentOf(client, id), (key, value) =>
        key === 'id' || key.endsWith('_id') || key.endsWith('_at') ? undefined : value,
      ),
    );
  expect(await shapeOf(made.id)).toEqual(await shapeOf(course.id));
  expect(await texts(made.id)).toEqual(await texts(course.id));
  const files = await (await client.get(`/api/courses/${made.id}/files/`)).json<
    { key: string; url: string; lessons: object[] }[]
  >();
  const byKey = Object.fromEntries(files.map(({ key, ...one }) => [key, one]));
  expect(byKey).toMatchObject({
    [file.key]: { url: file.url, lessons: [{}] },
    // Copies have no earlier versions.
    [former.key]: { url: former.url, lessons: [] },
  });
  for (const table of ['cohorts', 'lesson_versions v JOIN lessons l ON l.id = v.lesson_id']) {
    const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE course_id = ?`);
    expect(await count.bind(made.id).first('n')).toBe(0);
  }

  // The object stays until the last of both is gone.
  await env.DB.prepare('DELETE FROM enrollments').run();
  await env.DB.prepare('DELETE FROM cohorts').run();
  expect((await client.request('DELETE', `/api/courses/${course.id}/`)).status).toBe(204);
  await runByClock();
  expect((await fetchFile(file.url)).status).toBe(200);
  await client.request('DELETE', `/api/courses/${made.id}/`);
  await runByClock();
  expect((await fetchFile(file.url)).status).toBe(404);
});

test('a request sent again, or twice at once, makes one copy', async () => {
  const { client, course } = await createAuthor();
  const path = `/api/courses/${course.id}/duplicate/`;
  const headers = { 'Idempotency-Key': 'a-copy' };
  const sent = await Promise.all([1, 2].map(() => client.post(path, copy, { headers })));
  const ids = await Promise.all(sent.map(async (one) => (await one.json<Course>()).id));
  expect(new Set(ids).size).toBe(1);
  const other = await client.post(path, { ...copy, name: 'Biology 103' }, { headers });
  expect(other.status).toBe(422);
  expect(await (await client.get('/api/courses/')).json()).toHaveLength(2);
  // The same key for another course.
  const [id] = ids;
  const ofCopy = await client.post(`/api/courses/${id}/duplicate/`, copy, { headers });
  expect((await ofCopy.json<Course>()).id).not.toBe(id);
});

test('no copy or import gives an owner more than 10,000 lessons, and a retry of one that did is answered', async () => {
  const { client, course } = await createWriter();
  const path = `/api/courses/${course.id}/duplicate/`;
  const trashed = await addLesson(client, course.id);
  await client.request('DELETE', `/api/lessons/${trashed.id}/`);
  await copyLesson(trashed.id, 9_997);
  const headers = { 'Idempotency-Key': 'the-last' };
  expect((await client.post(path, copy, { headers })).status).toBe(201);
  expect((await client.post(path, copy, { headers })).status).toBe(201);
  const imported = { sections: [{ title: 'One', lessons: [{ title: 'One' }] }], dry_run: false };
  for (const refused of [
    await client.post(path, copy),
    await client.post(`/api/courses/${course.id}/imports/`, imported),
  ]) {
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'too_many_lessons_in_all' });
  }
  expect(await (await client.get('/api/courses/')).json()).toHaveLength(2);
});

test('300 long lessons are copied in one batch', async () => {
  const { client, course, lesson } = await createWriter(documentOf('x'.repeat(49_000)));
  await publish(client, lesson);
  await copyLesson(lesson.id, 299);
  const response = await client.post(`/api/courses/${course.id}/duplicate/`, copy);
  const made = await response.json<Course>();
  const { sections } = await contentOf(client, made.id);
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
