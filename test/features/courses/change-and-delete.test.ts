import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from '#features/courses/schema.ts';
import { takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import { createCourseRow, createSignedInClient, db } from '#support/factories.ts';
import { selectionOf } from '#support/rows.ts';
import { hueOf } from '#ui/brand.ts';

const coursesPath = '/api/courses/';
const longAgo = new Date('2026-01-02T03:04:05.678Z');

/** A user with three courses, not created in the order of their ids; the second is selected. */
async function createTeacher() {
  const { client, user } = await createSignedInClient();
  await client.get(coursesPath);
  const made = [];
  for (const [id, name, hour] of [
    ['c', 'Oldest', 1],
    ['a', 'Middle', 2],
    ['b', 'Newest', 3],
  ] as const) {
    const at = new Date(longAgo.getTime() + hour * 3_600_000);
    const values = { id: `${id}${crypto.randomUUID().slice(1)}`, name };
    made.push(await createCourseRow(user.id, { ...values, createdAt: at, updatedAt: at }));
  }
  const [oldest, middle, newest] = made;
  if (oldest === undefined || middle === undefined || newest === undefined) {
    throw new Error('Three courses were made.');
  }
  await db.update(users).set({ selectedCourseId: middle.id }).where(eq(users.id, user.id));
  return { client, user, oldest, middle, newest };
}

test.each([
  ['PUT', { name: '  Botany ', course_type: 'cohort' }, { name: 'Botany', course_type: 'cohort' }],
  ['PATCH', { name: 'Botany' }, { name: 'Botany', course_type: 'evergreen' }],
  ['PATCH', { course_type: 'cohort' }, { course_type: 'cohort' }],
  [
    'PATCH',
    { about: ' One story a week.\r\nFor beginners. ' },
    { about: 'One story a week.\nFor beginners.', course_type: 'evergreen' },
  ],
  ['PATCH', { shows_outline: true }, { shows_outline: true, course_type: 'evergreen' }],
  ['PATCH', { about: '' }, { about: null, course_type: 'evergreen' }],
  ['PATCH', {}, { course_type: 'evergreen' }],
])(
  '%s with %j changes what it names and the time of the change, on this course only',
  async (method, input, changed) => {
    const { client, user, oldest, middle, newest } = await createTeacher();
    for (const course of [newest, middle]) {
      const others = (await rowsOf(user.id)).filter(({ id }) => id !== course.id);
      const response = await client.request(method, `${coursesPath}${course.id}/`, input);

      expect(response.status).toBe(200);
      const answer = await response.json<Course>();
      const isUnchanged = Object.keys(input).length === 0;
      expect(answer.updated_at > course.updatedAt.toISOString()).toBe(!isUnchanged);
      expect(answer).toEqual({
        id: course.id,
        name: course.name,
        about: null,
        shows_outline: false,
        hue: hueOf(course.id),
        picture: null,
        is_selected: course === middle,
        created_at: course.createdAt.toISOString(),
        updated_at: expect.any(String),
        ...changed,
      });
      expect(await (await client.get(`${coursesPath}${course.id}/`)).json()).toEqual(answer);
      expect((await rowsOf(user.id)).filter(({ id }) => id !== course.id)).toEqual(others);
    }

    expect(await selectionOf(user.id)).toBe(middle.id);
    expect((await rowsOf(user.id)).map(({ id }) => id)).toEqual([oldest.id, middle.id, newest.id]);
  },
);

test.each([
  ['PUT', { name: 'Botany' }, { course_type: ['Please select a course type'] }],
  ['PATCH', { name: '' }, { name: ['Course name is required'] }],
  ['PATCH', { name: ' Bo ' }, { name: ['Course name must be at least 3 characters'] }],
  ['PATCH', { name: 'x'.repeat(255) }, { name: ['Course name must be less than 255 characters'] }],
  [
    'PATCH',
    { about: 'x'.repeat(2_001) },
    { about: ['About the course must be at most 2,000 characters'] },
  ],
  ['PATCH', { is_selected: true }, { is_selected: ['This field is unknown.'] }],
])(
  '%s refuses %j with messages for the fields and changes nothing',
  async (method, input, fields) => {
    const { client, user, newest } = await createTeacher();
    const before = await rowsOf(user.id);
    const response = await client.request(method, `${coursesPath}${newest.id}/`, input);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation_failed', fields });
    expect(await rowsOf(user.id)).toEqual(before);
  },
);

test('deleting the selected course selects the oldest remaining one, until there is none', async () => {
  const { client, user, oldest, middle, newest } = await createTeacher();
  const steps: unknown[] = [];
  for (const { id } of [middle, oldest, newest]) {
    const response = await client.request('DELETE', `${coursesPath}${id}/`);
    const list = await (await client.get(coursesPath)).json<Course[]>();
    const names = list.map(({ name, is_selected }) => (is_selected ? `${name}!` : name));
    steps.push([response.status, names, await selectionOf(user.id)]);
  }

  expect(steps).toEqual([
    [204, ['Oldest!', 'Newest'], oldest.id],
    [204, ['Newest!'], newest.id],
    [204, [], null],
  ]);
});

test('deleting another course keeps the selection', async () => {
  const { client, user, middle, newest } = await createTeacher();
  expect((await client.request('DELETE', `${coursesPath}${newest.id}/`)).status).toBe(204);

  expect(await selectionOf(user.id)).toBe(middle.id);
});

test('of parallel deletions one succeeds, and the course is gone for every other request', async () => {
  const { client, user, oldest, middle } = await createTeacher();
  const path = `${coursesPath}${middle.id}/`;
  const drops = Array.from({ length: 10 }, () => client.request('DELETE', path));
  const statuses = (await Promise.all(drops)).map(({ status }) => status);
  for (const response of [
    await client.get(path),
    await client.request('PATCH', path, {}),
    await client.post(`${path}select/`),
  ]) {
    statuses.push(response.status);
  }

  expect(statuses.sort()).toEqual([204, ...Array(12).fill(404)]);
  expect(await selectionOf(user.id)).toBe(oldest.id);
  expect(await rowsOf(user.id)).toHaveLength(2);
});

test('a deletion that fails halfway leaves courses and selection unchanged', async () => {
  const { client, user, middle } = await createTeacher();
  const before = await rowsOf(user.id);
  const drop = () => client.request('DELETE', `${coursesPath}${middle.id}/`);

  expect((await whileFailing('DELETE ON courses', drop)).status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await rowsOf(user.id)).toEqual(before);
  expect(await selectionOf(user.id)).toBe(middle.id);
  expect((await drop()).status).toBe(204);
});

/** Oldest first. */
function rowsOf(userId: string) {
  return db.select().from(courses).where(eq(courses.ownerId, userId)).orderBy(courses.createdAt);
}
