import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import { runByClock } from '#support/context.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { documentWith, fetchFile, upload } from '../files/support.ts';
import {
  addLesson,
  addSection,
  contentOf,
  createAuthor,
  createWriter,
  documentOf,
  save,
} from './support.ts';

const copy = { name: 'Biology 102', course_type: 'evergreen' };

test('a copy has the same sections, texts, rules and files, and nothing of people', async () => {
  const { client, course } = await createAuthor();
  const { file } = await upload(client, course.id);
  const sections = [await addSection(client, course.id, 'One')];
  sections.push(await addSection(client, course.id, 'Two'));
  await client.request('PATCH', `/api/sections/${sections[1]?.id}/`, { release_days: 7 });
  const place = (at: number) => `/api/sections/${sections[at]?.id}/lessons/`;
  const published = await addLesson(
    client,
    course.id,
    { document: documentWith(file.key) },
    place(1),
  );
  await client.post(`/api/lessons/${published.id}/publish/`, { draft_version: 0 });
  await save(client, published.id, 'A draft of it.', 0);
  const drafted = await addLesson(client, course.id, { title: 'Draft' }, place(0));
  const { file: former } = await upload(client, course.id);
  await save(client, drafted.id, documentWith(former.key), 0);
  await save(client, drafted.id, 'Without it.', 1);
  const trashed = await addLesson(client, course.id, { title: 'Trashed' }, place(0));
  await client.request('DELETE', `/api/lessons/${trashed.id}/`);
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

test('a request sent again, or twice at once, makes one copy; another owner’s course is not found', async () => {
  const { client, course } = await createAuthor();
  const { client: stranger } = await createAuthor();
  const path = `/api/courses/${course.id}/duplicate/`;
  expect((await stranger.post(path, copy)).status).toBe(404);

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
  const { client, course, lesson } = await createWriter();
  const path = `/api/courses/${course.id}/duplicate/`;
  await env.DB.prepare(
    `INSERT INTO lessons (id, owner_id, course_id, section_id, position, title, document, words,
        draft_at, deleted_at, created_at, updated_at)
      SELECT l.id || value, owner_id, course_id, section_id, 1, title, document, words, draft_at, 1,
        created_at, updated_at
      FROM json_each(?2), lessons l WHERE l.id = ?1`,
  )
    .bind(lesson.id, JSON.stringify(Array.from({ length: 9_998 }, (_, at) => at)))
    .run();
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

test('300 long lessons are copied in one batch', { timeout: 60_000 }, async () => {
  const { client, course } = await createAuthor();
  const { id } = await addLesson(client, course.id, { document: documentOf('x'.repeat(49_000)) });
  await client.post(`/api/lessons/${id}/publish/`, { draft_version: 0 });
  await env.DB.prepare(
    `INSERT INTO lessons (id, owner_id, course_id, section_id, position, title, words, draft_at,
        published_title, published_words, published_version, published_at, created_at, updated_at,
        html, document)
      SELECT l.id || value, owner_id, course_id, section_id, 1 + value, title, words, draft_at,
        published_title, published_words, published_version, published_at, created_at, updated_at,
        html, document
      FROM json_each(?2), lessons l WHERE l.id = ?1`,
  )
    .bind(id, JSON.stringify(Array.from({ length: 299 }, (_, at) => at + 1)))
    .run();
  const made = await (
    await client.post(`/api/courses/${course.id}/duplicate/`, copy)
  ).json<Course>();
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
