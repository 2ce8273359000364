import { beforeEach, expect, test, vi } from 'vitest';
import type { Cohort } from '#features/cohorts/schema.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  noWindow,
  readCohort,
  refusal,
  settings,
} from './support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
const summer = { name: 'Writing in summer', starts_on: '2027-06-07' };

test('a copy is a draft with the same settings and length, all times moved along, and its meeting link on request only', async () => {
  const teacher = await createTeacher();
  const original = await createCohort(teacher, {
    ...settings,
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02',
    join_url: 'https://meet.example.com/abc',
  });
  const path = cohortPath(original.id);
  await teacher.client.request('PATCH', path, { enrollment_override: 'closed' });
  await teacher.client.post(`${path}publish/`);
  await teacher.client.post(`${path}archive/`);
  const before = await readCohort(teacher.client, original.id);
  vi.setSystemTime(now.getTime() + 60_000);
  const response = await teacher.client.post(`${path}duplicate/`, summer);

  expect(response.status).toBe(201);
  const copy = await response.json<Cohort>();
  expect(copy).toEqual({
    ...original,
    ...settings,
    ...summer,
    id: expect.any(String),
    ends_on: '2027-07-16',
    starts_at: '2027-06-06T22:00:00.000Z',
    ends_at: '2027-07-16T22:00:00.000Z',
    enrollment_opens_local: '2027-05-04T09:00',
    enrollment_opens_at: '2027-05-04T07:00:00.000Z',
    enrollment_closes_local: '2027-06-06T00:00',
    enrollment_closes_at: '2027-06-05T22:00:00.000Z',
    join_url: null,
    public_url: expect.stringContaining('/c/biology-101-writing-in-summer-'),
    created_at: '2026-11-24T12:01:00.000Z',
    updated_at: '2026-11-24T12:01:00.000Z',
  });
  expect(copy.id).not.toBe(original.id);
  const withUrl = { ...summer, with_join_url: true };
  const meeting = await teacher.client.post(`${path}duplicate/`, withUrl);
  expect(await meeting.json()).toMatchObject({ join_url: original.join_url });
  expect(await readCohort(teacher.client, original.id)).toEqual(before);
});

test('a dry run shows the dates of both, makes nothing and is not counted', async () => {
  const teacher = await createTeacher();
  const original = await createCohort(teacher, { enrollment_opens_local: '2026-11-30T02:30' });
  const limited = { bindings: { LIMITS: { cohorts_per_user: ['2/d'] } } };
  const path = cohortPath(original.id, 'duplicate/');
  for (let round = 0; round < 3; round += 1) {
    const input = { name: 'Later', starts_on: '2025-05-04', dry_run: true };
    const response = await teacher.client.post(path, input, limited);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      before: { ...days, ...noWindow, enrollment_opens_local: '2026-11-30T02:30' },
      after: {
        ...{ ...days, ...noWindow, starts_on: '2025-05-04', ends_on: '2025-06-12' },
        // The clocks skip 2:30 on that night.
        enrollment_opens_local: '2025-03-30T03:30',
      },
      adjusted: ['enrollment_opens_local'],
      meetings: [],
      meetings_mark: expect.any(String),
      days_off: [],
      warnings: ['starts_in_past'],
    });
  }
  expect(await (await teacher.client.get(teacher.path)).json()).toEqual([original]);
  expect((await teacher.client.post(path, summer, limited)).status).toBe(201);
  expect((await teacher.client.post(path, summer, limited)).status).toBe(429);
});

test('a copy without a name, or with days that do not exist, is refused, with an error at its field', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher);
  for (const [input, field] of [
    [{ name: 'ab' }, 'name'],
    [{ starts_on: '2027-02-30' }, 'starts_on'],
    // The last day would be after the calendar.
    [{ starts_on: '2100-12-31' }, 'starts_on'],
    [{ ends_on: '2027-12-31' }, 'ends_on'],
  ] as const) {
    const path = cohortPath(id, 'duplicate/');
    const response = await teacher.client.post(path, { ...summer, ...input });
    expect(await refusal(response)).toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    });
  }
  // Nor does an evergreen course take one, which a dry run says too.
  const course = `/api/courses/${teacher.course.id}/`;
  await teacher.client.request('PATCH', course, { course_type: 'evergreen' });
  for (const dry_run of [true, false]) {
    const path = cohortPath(id, 'duplicate/');
    const response = await teacher.client.post(path, { ...summer, dry_run });
    expect(await refusal(response)).toMatchObject({ status: 422, code: 'course_is_evergreen' });
  }
});
