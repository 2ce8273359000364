import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { createCourseRow, db } from '#support/factories.ts';
import { cohortPath, createCohort, createTeacher, refusal, spring } from './support.ts';

const summer = { name: 'Writing in summer', starts_on: '2027-06-07' };
const withKey = { headers: { 'Idempotency-Key': 'a-key' } };

test('parallel creations with one key create one cohort, and all get it', async () => {
  const teacher = await createTeacher();
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => teacher.client.post(teacher.path, spring, withKey)),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
  const answers = await Promise.all(responses.map((response) => response.json<Cohort>()));
  expect(new Set(answers.map(({ id, public_url }) => `${id} ${public_url}`)).size).toBe(1);
  expect(await countOf(teacher)).toBe(1);
});

test('a retry gets the cohort as it is now, spelled differently too, at the limit and in a full course', async () => {
  const teacher = await createTeacher();
  const LIMITS = { cohorts_per_user: ['1/d'] };
  const options = { ...withKey, bindings: { LIMITS } };
  const input = { ...spring, enrollment_closes_local: '2027-01-02' };
  const first = await (await teacher.client.post(teacher.path, input, options)).json<Cohort>();
  const retry = await teacher.client.post(
    teacher.path,
    { ...spring, name: ' Writing in spring', enrollment_closes_local: '2027-01-03T00:00' },
    options,
  );
  expect(retry.status).toBe(201);
  expect(await retry.json()).toEqual(first);

  await teacher.client.post(cohortPath(first.id, 'publish/'));
  await teacher.client.request('PATCH', `/api/courses/${teacher.course.id}/`, {
    course_type: 'evergreen',
  });
  const later = await teacher.client.post(teacher.path, input, options);
  expect(await later.json()).toMatchObject({ id: first.id, published_at: expect.any(String) });
  expect(await countOf(teacher)).toBe(1);
});

test('another request with the same key, in another course too, creates nothing', async () => {
  const teacher = await createTeacher();
  await teacher.client.post(teacher.path, spring, withKey);
  for (const other of [
    { name: 'Writing in autumn' },
    { time_zone: 'Europe/Berlin' },
    { capacity: 12 },
  ]) {
    const response = await teacher.client.post(teacher.path, { ...spring, ...other }, withKey);
    expect(await refusal(response)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  }
  const second = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  const path = `/api/courses/${second.id}/cohorts/`;
  const elsewhere = await teacher.client.post(path, spring, withKey);
  expect(await refusal(elsewhere)).toMatchObject({ code: 'idempotency_key_reused' });
  expect(await countOf(teacher)).toBe(1);
  // The key of someone else is another one.
  const other = await createTeacher();
  expect((await other.client.post(other.path, spring, withKey)).status).toBe(201);
});

test('a copy is made once for a key, even if the original changes before the retry', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher);
  const path = cohortPath(id, 'duplicate/');
  const copy = await (await teacher.client.post(path, summer, withKey)).json<Cohort>();
  await teacher.client.request('PATCH', cohortPath(id), { capacity: 5 });
  const retry = await teacher.client.post(path, summer, withKey);
  expect(retry.status).toBe(201);
  expect(await retry.json()).toEqual(copy);

  for (const other of [{ name: 'Another' }, { starts_on: '2027-06-08' }]) {
    const response = await teacher.client.post(path, { ...summer, ...other }, withKey);
    expect(await refusal(response)).toMatchObject({ code: 'idempotency_key_reused' });
  }
  expect(await countOf(teacher)).toBe(2);
});

function countOf({ user }: { user: { id: string } }) {
  return db.$count(cohorts, eq(cohorts.ownerId, user.id));
}
