import { expect, test } from 'vitest';
import type { Cohort } from '#features/cohorts/schema.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  readCohort,
  refusal,
  rowOf,
  spring,
} from './support.ts';

const comingYears = { starts_on: '2090-01-02', ends_on: '2090-02-10' };

test('a cohort is published and made a draft again, and keeps its address', async () => {
  const teacher = await createTeacher();
  const draft = await createCohort(teacher, comingYears);
  const published = await teacher.client.post(cohortPath(draft.id, 'publish/'));
  const after = await published.json<Cohort>();
  expect(after).toEqual({
    ...draft,
    status: 'enrolling',
    enrollment_state: 'open',
    published_at: expect.any(String),
    updated_at: after.published_at,
  });

  const again = await teacher.client.post(cohortPath(draft.id, 'publish/'));
  expect(await again.json()).toEqual(after);
  const back = await teacher.client.post(cohortPath(draft.id, 'unpublish/'));
  expect(await back.json()).toEqual({ ...draft, updated_at: expect.any(String) });
});

test('an archived cohort, and one in the trash, stay as they were, and come back unchanged', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher, comingYears);
  await teacher.client.post(cohortPath(id, 'publish/'));
  const before = await readCohort(teacher.client, id);
  const response = await teacher.client.post(cohortPath(id, 'archive/'));
  const archived = await response.json<Cohort>();

  expect(archived).toEqual({
    ...before,
    status: 'archived',
    enrollment_state: 'closed',
    archived_at: expect.any(String),
    updated_at: expect.any(String),
  });
  await teacher.client.request('DELETE', cohortPath(id));
  const restored = await teacher.client.post(cohortPath(id, 'restore/'));
  expect(restored.status).toBe(200);
  expect(await restored.json()).toEqual({ ...archived, updated_at: expect.any(String) });
  expect((await teacher.client.post(cohortPath(id, 'restore/'))).status).toBe(200);
  const back = await teacher.client.post(cohortPath(id, 'unarchive/'));
  expect(await back.json()).toEqual({ ...before, updated_at: expect.any(String) });
});

test('in the trash nothing changes a cohort but restoring and deleting it', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher);
  const path = cohortPath(id);
  expect((await teacher.client.request('DELETE', path)).status).toBe(204);
  const trashed = await rowOf(id);
  expect((await teacher.client.request('DELETE', path)).status).toBe(204);
  expect(await rowOf(id)).toEqual(trashed);
  expect(await readCohort(teacher.client, id)).toMatchObject({
    status: 'trashed',
    enrollment_state: 'not_published',
    deleted_at: trashed?.deletedAt?.toISOString(),
  });
  const { name: _, ...days } = spring;
  const expected = { ...days, enrollment_opens_local: null, enrollment_closes_local: null };
  for (const response of [
    await teacher.client.request('PATCH', path, { name: 'Another' }),
    await teacher.client.post(`${path}move/`, { ...days, ends_on: '2027-03-12', expected }),
    await teacher.client.post(`${path}duplicate/`, { name: 'Again', starts_on: '2027-06-07' }),
    await teacher.client.post(`${path}publish/`),
    await teacher.client.post(`${path}unpublish/`),
    await teacher.client.post(`${path}archive/`),
    await teacher.client.post(`${path}unarchive/`),
  ]) {
    expect(await refusal(response)).toMatchObject({
      status: 422,
      code: 'cohort_in_trash',
      message: 'This cohort is in the trash. Restore it first.',
    });
  }
  expect(await rowOf(id)).toEqual(trashed);
});

test('only what is in the trash is deleted for ever', async () => {
  const teacher = await createTeacher();
  const [{ id }, kept] = [await createCohort(teacher), await createCohort(teacher)];
  const path = cohortPath(id, 'purge/');
  expect(await refusal(await teacher.client.post(path))).toMatchObject({
    status: 422,
    code: 'cohort_not_in_trash',
    message: 'Move this cohort to the trash first.',
  });
  await teacher.client.request('DELETE', cohortPath(id));

  expect((await teacher.client.post(path)).status).toBe(204);
  expect(await rowOf(id)).toBeUndefined();
  expect(await rowOf(kept.id)).toBeDefined();
  expect((await teacher.client.post(path)).status).toBe(404);
});
