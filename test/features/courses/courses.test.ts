import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from '#features/courses/schema.ts';
import { createCourseRow, createSignedInClient, db } from '#support/factories.ts';
import { selectionOf, updateRow } from '#support/rows.ts';
import { hueOf } from '#ui/brand.ts';

const coursesPath = '/api/courses/';
const longAgo = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A user with three courses, not created in the order of their ids; the second is selected. */
async function createTeacher() {
  const { client, user } = await createSignedInClient();
  await client.get(coursesPath);
  const create = (firstLetter: string, name: string, hours: number) => {
    const at = new Date(longAgo + hours * 3_600_000);
    const id = `${firstLetter}${crypto.randomUUID().slice(1)}`;
    return createCourseRow(user.id, { id, name, createdAt: at, updatedAt: at });
  };
  const oldest = await create('c', 'Oldest', 1);
  const middle = await create('a', 'Middle', 2);
  const newest = await create('b', 'Newest', 3);
  await updateRow(users, user, { selectedCourseId: middle.id });
  const list = async () => {
    const found = await (await client.get(coursesPath)).json<Course[]>();
    return found.map(({ name, is_selected }) => (is_selected ? `${name}!` : name));
  };
  return { client, user, oldest, middle, newest, list };
}

/** Oldest first. */
function rowsOf(userId: string) {
  return db.select().from(courses).where(eq(courses.ownerId, userId)).orderBy(courses.createdAt);
}

test('a created course is selected, until another one is, and one’s own are listed, oldest first', async () => {
  const { client, user, oldest, list } = await createTeacher();
  const { client: stranger } = await createSignedInClient();
  expect(await list()).toEqual(['Oldest', 'Middle!', 'Newest']);
  const input = { name: '  Biology 101 ', course_type: 'cohort' };
  const response = await client.post(coursesPath, input);

  expect(response.status).toBe(201);
  const course = await response.json<Course>();
  expect(course).toMatchObject({ name: 'Biology 101', course_type: 'cohort', is_selected: true });
  expect(new Date(course.created_at).toISOString()).toBe(course.created_at);
  expect(await list()).toEqual(['Oldest', 'Middle', 'Newest', 'Biology 101!']);

  const selected = await client.post(`${coursesPath}${oldest.id}/select/`);
  expect(selected.status).toBe(200);
  expect(await selected.json()).toMatchObject({ id: oldest.id, is_selected: true });
  expect(await selectionOf(user.id)).toBe(oldest.id);
  expect(await (await stranger.get(coursesPath)).json()).toEqual([]);
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

const about = 'One story a week.\nFor beginners.';

test.each([
  ['PUT', { name: '  Botany ', course_type: 'cohort' }, { name: 'Botany', course_type: 'cohort' }],
  ['PATCH', { name: 'Botany' }, { name: 'Botany' }],
  ['PATCH', { course_type: 'cohort' }, { course_type: 'cohort' }],
  ['PATCH', { about: ' One story a week.\r\nFor beginners. ' }, { about }],
  ['PATCH', { shows_outline: true }, { shows_outline: true }],
  ['PATCH', { about: '' }, {}],
  ['PATCH', {}, {}],
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
        course_type: 'evergreen',
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
  ['PUT', { name: 'Botany' }, { course_type: 'Please select a course type' }],
  ['PATCH', { name: '' }, { name: 'Course name is required' }],
  ['PATCH', { name: ' Bo ' }, { name: 'Course name must be at least 3 characters' }],
  ['PATCH', { name: 'x'.repeat(255) }, { name: 'Course name must be less than 255 characters' }],
  [
    'PATCH',
    { about: 'x'.repeat(2_001) },
    { about: 'About the course must be at most 2,000 characters' },
  ],
  ['PATCH', { is_selected: true }, { is_selected: 'This field is unknown.' }],
])(
  '%s refuses %j with messages for the fields and changes nothing',
  async (method, input, message) => {
    const { client, user, newest } = await createTeacher();
    const before = await rowsOf(user.id);
    const response = await client.request(method, `${coursesPath}${newest.id}/`, input);

    expect(response.status).toBe(400);
    const fields = Object.fromEntries(
      Object.entries(message).map(([name, text]) => [name, [text]]),
    );
    expect(await response.json()).toMatchObject({ code: 'validation_failed', fields });
    expect(await rowsOf(user.id)).toEqual(before);
  },
);

test('deleting the selected course selects the oldest remaining one, until there is none; deleting another one keeps it', async () => {
  const { client, user, oldest, middle, newest, list } = await createTeacher();
  const steps: unknown[] = [];
  for (const { id } of [middle, newest, oldest]) {
    const response = await client.request('DELETE', `${coursesPath}${id}/`);
    steps.push([response.status, await list(), await selectionOf(user.id)]);
  }

  expect(steps).toEqual([
    [204, ['Oldest!', 'Newest'], oldest.id],
    [204, ['Oldest!'], oldest.id],
    [204, [], null],
  ]);
});
