import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import type { Course } from '#features/courses/schema.ts';
import { takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import { createCourseRow, createSignedInClient, db } from '#support/factories.ts';
import { selectionOf } from '#support/rows.ts';
import { hueOf } from '#ui/brand.ts';

const coursesPath = '/api/courses/';

test('a created course is selected, until another one is', async () => {
  const { client, user } = await createSignedInClient();
  const other = await createCourseRow(user.id);
  const input = { name: '  Biology 101 ', course_type: 'cohort' };
  const response = await client.post(coursesPath, input);

  expect(response.status).toBe(201);
  const course = await response.json<Course>();
  expect(course).toMatchObject({ name: 'Biology 101', course_type: 'cohort', is_selected: true });
  expect(new Date(course.created_at).toISOString()).toBe(course.created_at);
  expect(await selectionOf(user.id)).toBe(course.id);

  const selected = await client.post(`${coursesPath}${other.id}/select/`);
  expect(selected.status).toBe(200);
  expect(await selected.json()).toMatchObject({ id: other.id, is_selected: true });
  expect(await selectionOf(user.id)).toBe(other.id);
});

test('the list contains one’s own courses, oldest first, one of them selected', async () => {
  const { client } = await createSignedInClient();
  const { user: stranger } = await createSignedInClient();
  await createCourseRow(stranger.id);
  expect(await (await client.get(coursesPath)).json()).toEqual([]);
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

test('each new course has a hue that the last four of its owner do not have', async () => {
  const { client, user } = await createSignedInClient();
  // From before courses had a hue of their own: that of its id stands.
  const older = await createCourseRow(user.id);
  const hues = [hueOf(older.id)];
  for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']) {
    const response = await client.post(coursesPath, { name, course_type: 'evergreen' });
    hues.push((await response.json<Course>()).hue);
  }

  for (const [index, hue] of hues.entries()) {
    expect(hues.slice(Math.max(0, index - 4), index)).not.toContain(hue);
  }
  expect(new Set(hues).size).toBe(5);
});

test('a course that cannot be selected is not created', async () => {
  const { client, user } = await createSignedInClient();
  const input = { name: 'Half made', course_type: 'cohort' };
  const response = await whileFailing('UPDATE ON users', () => client.post(coursesPath, input));

  expect(response.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(0);
});
