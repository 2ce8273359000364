import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import type { Course } from '#features/courses/schema.ts';
import type { Client } from '#support/client.ts';
import { createSignedInClient, db } from '#support/factories.ts';
import { selectionOf } from '#support/rows.ts';

const coursesPath = '/api/courses/';
const biology = { name: 'Biology 101', course_type: 'cohort' };

test('8 parallel creations with one key create one course, and all get it', async () => {
  const { client, user } = await createSignedInClient();
  await client.get(coursesPath);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => create(client, biology, 'a-key')),
  );

  const [first] = answers;
  expect(first).toMatchObject({ status: 201, body: { ...biology, is_selected: true } });
  expect(answers).toEqual(Array(8).fill(first));
  expect((await rowsOf(user.id)).map(({ id }) => id)).toEqual([first?.body.id]);
  expect(await selectionOf(user.id)).toBe(first?.body.id);
});

test('the same request later gets the same course in its current state, and selects nothing', async () => {
  const { client, user } = await createSignedInClient();
  const { body: first } = await create(client, biology, 'a-key');
  const { body: second } = await create(client, { ...biology, name: 'Chemistry' });
  const repeated = await create(client, { ...biology, name: '  Biology 101 ' }, 'a-key');
  await client.request('PATCH', `${coursesPath}${first.id}/`, { name: 'Zoology' });
  const { body: late } = await create(client, biology, 'a-key');

  expect(repeated).toEqual({ status: 201, body: { ...first, is_selected: false } });
  expect(await selectionOf(user.id)).toBe(second.id);
  expect(late).toMatchObject({ id: first.id, name: 'Zoology' });
  expect(await rowsOf(user.id)).toHaveLength(2);
});

test('another name or type with the same key creates and selects nothing', async () => {
  const { client, user } = await createSignedInClient();
  await create(client, biology, 'a-key');
  const { body: selected } = await create(client, biology);
  const before = await rowsOf(user.id);
  for (const other of [{ name: 'Biology 102' }, { course_type: 'evergreen' }]) {
    const refusal = { status: 422, body: { code: 'idempotency_key_reused' } };
    expect(await create(client, { ...biology, ...other }, 'a-key')).toMatchObject(refusal);
  }
  expect(await rowsOf(user.id)).toEqual(before);
  expect(await selectionOf(user.id)).toBe(selected.id);
});

test('a repetition is not counted, and is answered at the limit too', async () => {
  const { client } = await createSignedInClient();
  const options = {
    headers: { 'Idempotency-Key': 'a-key' },
    bindings: { LIMITS: { courses_per_user: ['2/d'] } },
  };
  const statuses: number[] = [];
  const repeated = options.headers;
  for (const headers of [repeated, repeated, {}, repeated, {}]) {
    const response = await client.post(coursesPath, biology, { ...options, headers });
    statuses.push(response.status);
  }

  expect(statuses).toEqual([201, 201, 201, 201, 429]);
});

test('the same key of another user is a different key', async () => {
  const [one, other] = [await createSignedInClient(), await createSignedInClient()];
  const { body: first } = await create(one.client, biology, 'a-key');
  const { body: second } = await create(other.client, biology, 'a-key');

  expect(second.id).not.toBe(first.id);
  expect((await rowsOf(one.user.id)).map(({ id }) => id)).toEqual([first.id]);
  expect(await selectionOf(other.user.id)).toBe(second.id);
});

test('a key has up to 255 printable characters, and spaces around it do not count', async () => {
  const printable = '!"#$%&\'()*+,-./0:;<=>?@A[\\]^_`a{|}~';
  for (const key of ['k'.repeat(255), printable, '  a-key\t']) {
    const { client, user } = await createSignedInClient();
    expect((await create(client, biology, key)).status).toBe(201);
    expect((await create(client, biology, key.trim())).status).toBe(201);
    expect(await rowsOf(user.id)).toMatchObject([{ idempotencyKey: key.trim() }]);
  }
  const { client } = await createSignedInClient();
  const rule = 'An idempotency key has 1 to 255 printable characters';
  for (const key of ['two words', 'k'.repeat(256)]) {
    const refusal = { status: 400, body: { fields: { 'Idempotency-Key': [rule] } } };
    expect(await create(client, biology, key)).toMatchObject(refusal);
  }
});

async function create(client: Client, input: unknown, key?: string) {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const response = await client.post(coursesPath, input, { headers });
  return { status: response.status, body: await response.json<Course>() };
}

function rowsOf(userId: string) {
  return db.select().from(courses).where(eq(courses.ownerId, userId));
}
