import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from '#features/courses/schema.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { createCourseRow, createSignedInClient, createUser, db } from '#support/factories.ts';
import { selectionOf } from '#support/rows.ts';

const coursesPath = '/api/courses/';

test('a created course is selected', async () => {
  const { client, user } = await createSignedInClient();
  const response = await client.post(coursesPath, {
    name: '  Biology 101 ',
    course_type: 'cohort',
  });

  expect(response.status).toBe(201);
  const course = await response.json<Course>();
  expect(course).toMatchObject({ name: 'Biology 101', course_type: 'cohort', is_selected: true });
  expect(new Date(course.created_at).toISOString()).toBe(course.created_at);
  expect(await selectionOf(user.id)).toBe(course.id);
});

test('the list contains one’s own courses, oldest first, one of them selected', async () => {
  const { client } = await createSignedInClient();
  const { user: stranger } = await createSignedInClient();
  await createCourseRow(stranger.id);
  for (const name of ['First', 'Second', 'Third']) {
    await client.post(coursesPath, { name, course_type: 'evergreen' });
  }
  const response = await client.get(coursesPath);

  expect(response.status).toBe(200);
  const list = await response.json<Course[]>();
  expect(list.map(({ name, is_selected }) => [name, is_selected])).toEqual([
    ['First', false],
    ['Second', false],
    ['Third', true],
  ]);
});

test('without a course the list is empty and nothing is selected', async () => {
  const { client, user } = await createSignedInClient();

  expect(await (await client.get(coursesPath)).json()).toEqual([]);
  expect(await selectionOf(user.id)).toBeNull();
});

test('20 parallel creations leave 20 courses and exactly one selected', async () => {
  const { client } = await createSignedInClient();
  await client.get(coursesPath);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client.post(
        coursesPath,
        { name: `Course ${index}`, course_type: 'evergreen' },
        { bindings: { LIMITS: { courses_per_user: [] } } },
      ),
    ),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
  const list = await (await client.get(coursesPath)).json<Course[]>();
  expect(list).toHaveLength(20);
  expect(list.filter(({ is_selected }) => is_selected)).toHaveLength(1);
});

test('a course that cannot be selected is not created', async () => {
  const { client, user } = await createSignedInClient();
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const response = await client.post(coursesPath, { name: 'Half made', course_type: 'cohort' });
  await env.DB.exec('DROP TRIGGER broken');

  expect(response.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await db.select().from(courses).where(eq(courses.ownerId, user.id))).toEqual([]);
});

test('selecting another course moves the selection', async () => {
  const { client, user } = await createSignedInClient();
  const other = await createCourseRow(user.id);
  await client.post(coursesPath, { name: 'Newest', course_type: 'evergreen' });
  const response = await client.post(`/api/courses/${other.id}/select/`);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: other.id, is_selected: true });
  expect(await selectionOf(user.id)).toBe(other.id);
});

test('another user’s course and a missing one are both not found', async () => {
  const { client, user } = await createSignedInClient();
  const own = await (
    await client.post(coursesPath, { name: 'Mine', course_type: 'cohort' })
  ).json<Course>();
  const foreign = await createCourseRow((await createUser()).id);
  for (const id of [foreign.id, crypto.randomUUID(), '1', '1 OR 1=1', '%27', '__proto__']) {
    const response = await client.post(`/api/courses/${encodeURIComponent(id)}/select/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  }

  expect(await selectionOf(user.id)).toBe(own.id);
});

test('the database itself refuses to select another user’s or a missing course', async () => {
  const user = await createUser();
  const foreign = await createCourseRow((await createUser()).id);
  const select = env.DB.prepare('UPDATE users SET selected_course_id = ? WHERE id = ?');

  await expect(select.bind(foreign.id, user.id).run()).rejects.toThrow('FOREIGN KEY');
  await expect(select.bind('missing', user.id).run()).rejects.toThrow('FOREIGN KEY');
});

test('the database itself refuses to delete the selected course without selecting another', async () => {
  const { client } = await createSignedInClient();
  const course = await (
    await client.post(coursesPath, { name: 'Kept', course_type: 'cohort' })
  ).json<Course>();

  const remove = env.DB.prepare('DELETE FROM courses WHERE id = ?');
  await expect(remove.bind(course.id).run()).rejects.toThrow('FOREIGN KEY');
});

test('deleting a user deletes their courses', async () => {
  const { client, user } = await createSignedInClient();
  await client.post(coursesPath, { name: 'Short-lived', course_type: 'cohort' });
  await db.delete(users).where(eq(users.id, user.id));

  expect(await db.select().from(courses).where(eq(courses.ownerId, user.id))).toEqual([]);
});

test.each([
  ['GET', coursesPath],
  ['POST', coursesPath],
  ['POST', `/api/courses/${crypto.randomUUID()}/select/`],
])('%s %s requires a session', async (method, path) => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.request(method, path);

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
});
