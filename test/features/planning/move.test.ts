import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { dateFields } from '#features/cohorts/cohort-dates.ts';
import type { Cohort, DatesPreview } from '#features/cohorts/schema.ts';
import { pick } from '#lib/to-json.ts';
import type { Client } from '#support/client.ts';
import { beforeWriting } from '#support/database.ts';
import { db } from '#support/factories.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  noWindow,
  readCohort,
  refusal,
  rowOf,
} from './support.ts';

function datesOf(cohort: Cohort): DatesPreview['before'] {
  return pick(cohort, dateFields);
}

/** Moves a cohort from the dates that it has. */
async function move(client: Client, id: string, target: object, options = {}) {
  const expected = datesOf(await readCohort(client, id));
  const { starts_on, ends_on, time_zone } = expected;
  const input = { starts_on, ends_on, time_zone, expected, ...target };
  return client.post(cohortPath(id, 'move/'), input, options);
}

const shift = { starts_on: '2027-01-14', ends_on: '2027-02-22' };

test('a dry run shows all dates before and after, and changes nothing', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, {
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02',
  });
  const response = await move(teacher.client, cohort.id, { ...shift, dry_run: true });

  expect(await response.json()).toEqual({
    before: datesOf(cohort),
    after: {
      ...shift,
      time_zone: 'Europe/Paris',
      enrollment_opens_local: '2026-12-11T09:00',
      enrollment_closes_local: '2027-01-13T00:00',
      early_until_local: null,
    },
    adjusted: [],
    meetings: [],
    meetings_mark: expect.any(String),
    days_off: [],
    warnings: [],
  });
  expect(await readCohort(teacher.client, cohort.id)).toEqual(cohort);
});

test.each([
  ['a later end', { ends_on: '2027-03-05' }, '2027-01-03T23:00:00Z', '2027-03-05T23:00:00Z'],
  ['other days', shift, '2027-01-13T23:00:00Z', '2027-02-22T23:00:00Z'],
  ['another zone', { time_zone: 'Asia/Kathmandu' }, '2027-01-03T18:15:00Z', '2027-02-12T18:15:00Z'],
])(
  'a published cohort gets %s, and its instants move; moved back, it is where it was',
  async (_what, target, starts, ends) => {
    const teacher = await createTeacher();
    const { id } = await createCohort(teacher);
    await teacher.client.post(cohortPath(id, 'publish/'));
    const start = await rowOf(id);
    const response = await move(teacher.client, id, target);

    expect(response.status).toBe(200);
    const { after } = await response.json<DatesPreview>();
    const moved = await readCohort(teacher.client, id);
    expect(after).toEqual({ ...days, ...noWindow, ...target });
    expect(datesOf(moved)).toEqual(after);
    expect(moved).toMatchObject({
      starts_at: new Date(starts).toISOString(),
      ends_at: new Date(ends).toISOString(),
    });
    await move(teacher.client, id, days);
    expect(await rowOf(id)).toEqual({ ...start, updatedAt: expect.any(Date) });
  },
);

test('across a clock change the wall clock stays, and a skipped time moves forward, marked', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, {
    starts_on: '2026-04-01',
    ends_on: '2026-05-08',
    enrollment_opens_local: '2026-03-18T18:00',
    enrollment_closes_local: '2026-03-19T02:30',
  });
  expect(cohort.enrollment_opens_at).toBe('2026-03-18T17:00:00.000Z');
  const target = { starts_on: '2026-04-11', ends_on: '2026-05-18' };
  const { after, adjusted } = await (
    await move(teacher.client, cohort.id, target)
  ).json<DatesPreview>();

  expect(after).toMatchObject({
    enrollment_opens_local: '2026-03-28T18:00',
    enrollment_closes_local: '2026-03-29T03:30',
  });
  expect(adjusted).toEqual(['enrollment_closes_local']);
  expect(await readCohort(teacher.client, cohort.id)).toMatchObject({
    enrollment_opens_at: '2026-03-28T17:00:00.000Z',
    enrollment_closes_at: '2026-03-29T01:30:00.000Z',
  });
});

test('a shorter cohort closes enrollment with its last day at the latest', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher, { enrollment_closes_local: '2027-02-01T18:00' });
  const response = await move(teacher.client, id, { ends_on: '2027-01-29' });

  expect(await response.json()).toMatchObject({
    after: { enrollment_closes_local: '2027-01-30T00:00' },
    adjusted: ['enrollment_closes_local'],
  });
  expect(await rowOf(id)).toMatchObject({
    enrollmentClosesAt: new Date('2027-01-29T23:00:00Z'),
    endsAt: new Date('2027-01-29T23:00:00Z'),
  });
});

test('the same move again changes nothing, even though its dates are no longer those it expects', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, { enrollment_opens_local: '2026-12-01T09:00' });
  const input = { ...days, ...shift, expected: datesOf(cohort) };
  const path = cohortPath(cohort.id, 'move/');
  expect((await teacher.client.post(path, input)).status).toBe(200);
  const moved = await rowOf(cohort.id);
  const again = await teacher.client.post(path, input);

  expect(again.status).toBe(200);
  const { before, after, adjusted } = await again.json<DatesPreview>();
  expect(before).toEqual(after);
  expect(adjusted).toEqual([]);
  expect(await rowOf(cohort.id)).toEqual(moved);
});

describe('a move from dates that have changed', () => {
  const setting = (id: string, values: Partial<typeof cohorts.$inferInsert>) =>
    beforeWriting(async () => {
      await db.update(cohorts).set(values).where(eq(cohorts.id, id));
    });

  test.each([
    { starts_on: '2027-01-05' },
    { time_zone: 'Europe/Berlin' },
    { enrollment_opens_local: '2026-12-01T10:00' },
  ])('is refused, as a dry run too: %j', async (other) => {
    const teacher = await createTeacher();
    const cohort = await createCohort(teacher);
    const expected = { ...datesOf(cohort), ...other };
    for (const dry_run of [true, false]) {
      const refused = await move(teacher.client, cohort.id, { ...shift, expected, dry_run });
      expect(await refusal(refused)).toMatchObject({
        status: 422,
        code: 'dates_changed',
        message: 'The dates have changed since this preview. Please look at them again.',
      });
    }
    expect(await readCohort(teacher.client, cohort.id)).toEqual(cohort);
  });

  test.each([
    [{ enrollmentOpensLocal: '2026-12-01T09:00' }, 'dates_changed'],
    [{ deletedAt: new Date() }, 'cohort_in_trash'],
  ])('is refused if they change after it has read them: %j', async (values, code) => {
    const teacher = await createTeacher();
    const { id } = await createCohort(teacher);
    const refused = await move(teacher.client, id, shift, {
      bindings: { DB: setting(id, values) },
    });

    expect(await refusal(refused)).toMatchObject({ code });
    expect(await rowOf(id)).toMatchObject({ startsOn: '2027-01-04', ...values });
  });

  test('loses no other change of the cohort', async () => {
    const teacher = await createTeacher();
    const { id } = await createCohort(teacher);
    const DB = setting(id, { capacity: 7 });

    expect((await move(teacher.client, id, shift, { bindings: { DB } })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ startsOn: shift.starts_on, capacity: 7 });
  });
});

test('a move to dates that are not allowed is refused, with an error at its field', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, {
    enrollment_opens_local: '2027-01-06T09:00',
    enrollment_closes_local: '2027-01-08',
  });
  for (const [target, field, message] of [
    [{ ends_on: '2027-01-03' }, 'ends_on', 'The last day cannot be before the first day'],
    [{ ends_on: '2029-01-04' }, 'ends_on', 'A cohort lasts two years at most'],
    [
      { ends_on: '2027-01-05' },
      'enrollment_closes_local',
      'Enrollment cannot close before it opens',
    ],
  ] as const) {
    expect(await refusal(await move(teacher.client, cohort.id, target))).toMatchObject({
      status: 400,
      fields: { [field]: [message] },
    });
  }
  expect(await readCohort(teacher.client, cohort.id)).toEqual(cohort);
});
