import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { beforeWriting } from '#support/database.ts';
import { db } from '#support/factories.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  readCohort,
  refusal,
  rowOf,
} from './support.ts';

test.each([
  [{ name: ' Writing in summer ' }, { name: 'Writing in summer' }],
  [{ description: 'One\r\ntwo' }, { description: 'One\ntwo' }],
  [{ enrollment_override: 'closed' }, { enrollment_override: 'closed' }],
  [
    { price_minor: 100, currency: 'EUR' },
    { price_minor: 100, currency: 'EUR' },
  ],
  [{ ends_on: '2027-02-19' }, { ends_on: '2027-02-19', ends_at: '2027-02-19T23:00:00.000Z' }],
  [
    { time_zone: 'Asia/Kathmandu' },
    {
      time_zone: 'Asia/Kathmandu',
      starts_at: '2027-01-03T18:15:00.000Z',
      ends_at: '2027-02-12T18:15:00.000Z',
    },
  ],
  [
    { enrollment_closes_local: '2027-01-03' },
    {
      enrollment_closes_local: '2027-01-04T00:00',
      enrollment_closes_at: '2027-01-03T23:00:00.000Z',
    },
  ],
  [
    { question: '', join_passcode: '', second_teacher: '', second_teacher_line: '' },
    { question: null, join_passcode: null, second_teacher: null, second_teacher_line: null },
  ],
  [{}, {}],
])('a draft: %j changes what it names, and nothing else', async (patch, changed) => {
  const teacher = await createTeacher();
  const [cohort, other] = [await createCohort(teacher), await createCohort(teacher)];
  const response = await teacher.client.request('PATCH', cohortPath(cohort.id), patch);

  expect(response.status).toBe(200);
  const answer = await response.json<Cohort>();
  const counts = { ...cohort.counts, places_left: answer.capacity };
  expect(answer).toEqual({ ...cohort, ...changed, counts, updated_at: expect.any(String) });
  expect(await readCohort(teacher.client, cohort.id)).toEqual(answer);
  expect(await readCohort(teacher.client, other.id)).toEqual(other);
});

test('what is set can be emptied again', async () => {
  const teacher = await createTeacher();
  const set = {
    ...{ description: 'Six weeks', place: 'Room 4', join_url: 'https://meet.example.com/' },
    ...{ capacity: 20, minimum_people: 5, price_minor: 100, currency: 'EUR' },
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02T18:00',
  };
  const { id } = await createCohort(teacher, set);
  const empty = Object.fromEntries(Object.keys(set).map((name) => [name, null]));
  const response = await teacher.client.request('PATCH', cohortPath(id), empty);

  expect(await response.json()).toMatchObject({
    ...empty,
    enrollment_opens_at: null,
    enrollment_closes_at: null,
  });
});

test('a change that contradicts stored values is refused, with an error at its field', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, {
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-10T09:00',
    capacity: 10,
    minimum_people: 6,
    price_minor: 100,
    currency: 'EUR',
  });
  for (const [patch, field] of [
    [{ ends_on: '2027-01-03' }, 'ends_on'],
    [{ starts_on: '2027-02-13' }, 'ends_on'],
    [{ ends_on: '2027-01-05' }, 'enrollment_closes_local'],
    [{ enrollment_closes_local: '2026-11-30' }, 'enrollment_closes_local'],
    [{ time_zone: 'Mars/Base' }, 'time_zone'],
    [{ capacity: 5 }, 'minimum_people'],
    [{ price_minor: null }, 'price_minor'],
    [{ currency: null }, 'currency'],
  ] as const) {
    const response = await teacher.client.request('PATCH', cohortPath(cohort.id), patch);
    expect(await refusal(response)).toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    });
  }
  expect(await readCohort(teacher.client, cohort.id)).toEqual(cohort);
});

test('a published cohort gets other days and another zone by a move only; the rest changes as before', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher, { time_zone: 'Asia/Kolkata' });
  await teacher.client.post(cohortPath(id, 'publish/'));
  const before = await readCohort(teacher.client, id);
  for (const patch of [
    { starts_on: '2027-01-05' },
    { time_zone: 'Europe/Paris' },
    { name: 'Another name', ends_on: '2027-02-19' },
  ]) {
    const response = await teacher.client.request('PATCH', cohortPath(id), patch);
    expect(await refusal(response)).toMatchObject({ status: 422, code: 'use_move' });
  }
  expect(await readCohort(teacher.client, id)).toEqual(before);

  // The other name of the same zone, and the days that it has.
  const patch = {
    ...days,
    time_zone: 'Asia/Calcutta',
    enrollment_closes_local: '2027-01-02',
    capacity: 4,
  };
  const response = await teacher.client.request('PATCH', cohortPath(id), patch);
  expect(await response.json()).toMatchObject({
    ...patch,
    enrollment_closes_local: '2027-01-03T00:00',
    enrollment_closes_at: '2027-01-02T18:30:00.000Z',
  });
});

test('what others change between the check and the write is checked again, and neither change is lost', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher, { capacity: 10 });
  const set = (values: Partial<typeof cohorts.$inferInsert>) =>
    db.update(cohorts).set(values).where(eq(cohorts.id, id));
  const patchWhile = (meanwhile: () => Promise<unknown>, patch: object) =>
    teacher.client.request('PATCH', cohortPath(id), patch, {
      bindings: { DB: beforeWriting(async () => void (await meanwhile())) },
    });

  const smaller = await patchWhile(() => set({ capacity: 5 }), { minimum_people: 8 });
  expect(await refusal(smaller)).toMatchObject({
    fields: { minimum_people: [expect.any(String)] },
  });

  const longer = await patchWhile(() => set({ endsOn: '2027-03-12' }), { starts_on: '2027-01-11' });
  expect(longer.status).toBe(200);
  expect(await rowOf(id)).toMatchObject({
    startsOn: '2027-01-11',
    endsOn: '2027-03-12',
    startsAt: new Date('2027-01-10T23:00:00Z'),
    endsAt: new Date('2027-03-12T23:00:00Z'),
    capacity: 5,
  });

  const published = await patchWhile(() => set({ publishedAt: new Date() }), {
    starts_on: '2027-03-02',
  });
  expect(await refusal(published)).toMatchObject({ code: 'use_move' });
  const trashed = await patchWhile(() => set({ deletedAt: new Date() }), { name: 'Too late' });
  expect(await refusal(trashed)).toMatchObject({ code: 'cohort_in_trash' });
});
