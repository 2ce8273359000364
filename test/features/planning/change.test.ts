import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Bindings } from '#env.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { beforeWriting } from '#support/database.ts';
import { createCourseRow, db } from '#support/factories.ts';
import { createAccountRow } from '#support/payments.ts';
import { refused } from '../places/support.ts';
import {
  cohortPath,
  createCohort,
  createOwn,
  days,
  invalid,
  readCohort,
  rowOf,
  spring,
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
])('a draft: %j changes what it names, and nothing else', async (input, changed) => {
  const { cohort, patch, read, ...teacher } = await createOwn();
  const other = await createCohort(teacher);
  const { status, body } = await patch(input);

  const counts = { ...cohort.counts, places_left: body.capacity };
  const expected = { ...cohort, ...changed, counts, updated_at: expect.any(String) };
  expect({ status, body }).toEqual({ status: 200, body: expected });
  expect(await read()).toEqual(body);
  expect(await readCohort(teacher, other.id)).toEqual(other);
});

test('what is set can be emptied again', async () => {
  const set = {
    ...{ description: 'Six weeks', place: 'Room 4', join_url: 'https://meet.example.com/' },
    ...{ capacity: 20, minimum_people: 5, price_minor: 100, currency: 'EUR' },
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02T18:00',
  };
  const { patch } = await createOwn(set);
  const empty = Object.fromEntries(Object.keys(set).map((name) => [name, null]));

  const instants = { enrollment_opens_at: null, enrollment_closes_at: null };
  expect((await patch(empty)).body).toMatchObject({ ...empty, ...instants });
});

test('a change that contradicts stored values is refused, with an error at its field', async () => {
  const { cohort, patch, read } = await createOwn({
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-10T09:00',
    ...{ capacity: 10, minimum_people: 6, price_minor: 100, currency: 'EUR' },
  });
  for (const [input, field] of [
    [{ ends_on: '2027-01-03' }, 'ends_on'],
    [{ starts_on: '2027-02-13' }, 'ends_on'],
    [{ ends_on: '2027-01-05' }, 'enrollment_closes_local'],
    [{ enrollment_closes_local: '2026-11-30' }, 'enrollment_closes_local'],
    [{ time_zone: 'Mars/Base' }, 'time_zone'],
    [{ capacity: 5 }, 'minimum_people'],
    [{ price_minor: null }, 'price_minor'],
    [{ currency: null }, 'currency'],
  ] as const) {
    expect(await patch(input)).toMatchObject(invalid({ [field]: [expect.any(String)] }));
  }
  expect(await read()).toEqual(cohort);
});

test('a published cohort gets other days and another zone by a move only; the rest changes as before', async () => {
  const { patch, post, read } = await createOwn({ time_zone: 'Asia/Kolkata' });
  await post('publish');
  const before = await read();
  for (const input of [
    { starts_on: '2027-01-05' },
    { time_zone: 'Europe/Paris' },
    { name: 'Another name', ends_on: '2027-02-19' },
  ]) {
    expect(await patch(input)).toMatchObject(refused('use_move'));
  }
  expect(await read()).toEqual(before);

  // The other name of the same zone, and the days that it has.
  const same = { ...days, time_zone: 'Asia/Calcutta', capacity: 4 };
  const { body } = await patch({ ...same, enrollment_closes_local: '2027-01-02' });
  expect(body).toMatchObject({
    ...same,
    enrollment_closes_local: '2027-01-03T00:00',
    enrollment_closes_at: '2027-01-02T18:30:00.000Z',
  });
});

test('what others change between the check and the write is checked again, and neither change is lost', async () => {
  const { id, patch } = await createOwn({ capacity: 10 });
  const patchWhile = (meanwhile: Partial<typeof cohorts.$inferInsert>, input: object) => {
    const DB = beforeWriting(async () => {
      await db.update(cohorts).set(meanwhile).where(eq(cohorts.id, id));
    });
    return patch(input, { bindings: { DB } });
  };

  const smaller = await patchWhile({ capacity: 5 }, { minimum_people: 8 });
  expect(smaller).toMatchObject(invalid({ minimum_people: [expect.any(String)] }));
  const longer = await patchWhile({ endsOn: '2027-03-12' }, { starts_on: '2027-01-11' });
  expect(longer.status).toBe(200);
  expect(await rowOf(id)).toMatchObject({
    startsOn: '2027-01-11',
    endsOn: '2027-03-12',
    startsAt: new Date('2027-01-10T23:00:00Z'),
    endsAt: new Date('2027-03-12T23:00:00Z'),
    capacity: 5,
  });

  const published = await patchWhile({ publishedAt: new Date() }, { starts_on: '2027-03-02' });
  expect(published).toMatchObject(refused('use_move'));
  const trashed = await patchWhile({ deletedAt: new Date() }, { name: 'Too late' });
  expect(trashed).toMatchObject(refused('cohort_in_trash'));
});

const comingYears = { starts_on: '2090-01-02', ends_on: '2090-02-10' };

test('a cohort is published and made a draft again, and keeps its address', async () => {
  const { cohort: draft, post } = await createOwn(comingYears);
  const { body: published } = await post('publish');
  expect(published).toEqual({
    ...draft,
    status: 'enrolling',
    enrollment_state: 'open',
    published_at: expect.any(String),
    updated_at: published.published_at,
  });
  expect((await post('publish')).body).toEqual(published);
  expect((await post('unpublish')).body).toEqual({ ...draft, updated_at: expect.any(String) });
});

test('an archived cohort, and one in the trash, stay as they were, and come back unchanged', async () => {
  const { act, post, read } = await createOwn(comingYears);
  await post('publish');
  const before = await read();
  const updated_at = expect.any(String);
  const { body: archived } = await post('archive');
  expect(archived).toEqual({
    ...before,
    status: 'archived',
    enrollment_state: 'closed',
    archived_at: expect.any(String),
    updated_at,
  });

  await act('DELETE');
  for (const _ of ['once', 'again']) {
    const restored = { status: 200, body: { ...archived, updated_at } };
    expect(await post('restore')).toEqual(restored);
  }
  expect((await post('unarchive')).body).toEqual({ ...before, updated_at });
});

test('in the trash nothing changes a cohort but restoring and deleting it', async () => {
  const { act, id, patch, post, read, ...own } = await createOwn();
  expect((await act('DELETE')).status).toBe(204);
  const trashed = await rowOf(id);
  expect((await act('DELETE')).status).toBe(204);
  expect(await read()).toMatchObject({
    status: 'trashed',
    enrollment_state: 'not_published',
    deleted_at: trashed?.deletedAt?.toISOString(),
  });
  for (const answer of [
    await patch({ name: 'Another' }),
    await own.move({ ends_on: '2027-03-12' }),
    await post('duplicate', { name: 'Again', starts_on: '2027-06-07' }),
    await post('publish'),
    await post('unpublish'),
    await post('archive'),
    await post('unarchive'),
  ]) {
    expect(answer).toMatchObject(refused('cohort_in_trash'));
  }
  expect(await rowOf(id)).toEqual(trashed);
});

test('only a cohort in the trash can be deleted permanently', async () => {
  const { act, id, post, ...teacher } = await createOwn();
  const kept = await createCohort(teacher);
  expect(await post('purge')).toMatchObject(refused('cohort_not_in_trash'));
  await act('DELETE');

  expect((await post('purge')).status).toBe(204);
  expect(await rowOf(id)).toBeUndefined();
  expect(await rowOf(kept.id)).toBeDefined();
  expect((await post('purge')).status).toBe(404);
});

const price = { price_minor: 24_000, currency: 'EUR' };
const [online, first] = [{ payment_mode: 'online' }, { payment_mode: 'online_first' }];

/** An instructor with a cohort that costs something, and how they change it. */
async function createPriced(values: object = price) {
  const own = await createOwn(values);
  /** How a cohort is then, or the code of the refusal. */
  const change = async (input: object, bindings: Partial<Bindings> = {}, id = own.id) => {
    const path = cohortPath(id);
    type Changed = Cohort & { code?: string };
    const { code, ...cohort } = (await own.send<Changed>('PATCH', path, input, { bindings })).body;
    return code ?? cohort;
  };
  return { ...own, change };
}

test('people pay online once there is a price and an account that can be paid to', async () => {
  const { change, user } = await createPriced();
  expect(await change(online)).toBe('payment_account_required');
  await createAccountRow(user.id);

  expect(await change(online)).toMatchObject({ payment_mode: 'online' });
  expect(await change(first)).toMatchObject({ payment_mode: 'online_first' });
  // Without Stripe in the deployment, no one does.
  const without = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  expect(await change(online, without)).toBe('payment_account_required');
});

test.each([
  ['unfinished', { chargesEnabled: false, readyAt: null }],
  ['paused', { chargesEnabled: false }],
  ['disconnected', { disconnectedAt: new Date() }],
])('an account that is %s can’t be paid to', async (_what, values) => {
  const { change, user } = await createPriced();
  await createAccountRow(user.id, values);

  expect(await change(online)).toBe('payment_account_required');
});

test('a price and how it is paid come in one request, and go together', async () => {
  const { change, user } = await createPriced({});
  await createAccountRow(user.id);
  expect(await change(first)).toBe('price_required');
  expect(await change({ ...price, ...first })).toMatchObject(first);
  expect(await change({ price_minor: 100, currency: 'EUR' })).toMatchObject(first);
  expect(await change({ price_minor: 30, currency: 'EUR' })).toBe('price_not_payable');
  const without = { price_minor: null, currency: null };
  expect(await change({ ...without, ...first })).toBe('price_required');

  expect(await change(without)).toMatchObject({ price_minor: null, payment_mode: 'own' });
});

test.each([
  ['KRW', 1_200_000, 'payable'],
  ['JPY', 1, 'Stripe takes payments between ¥50 and ¥99,999,999.'],
  ['GBP', 29, 'Stripe takes payments between £0.30 and £999,999.99.'],
  ['INR', 1_000_000_000, 'Stripe takes payments between ₹0.50 and ₹9,999,999.99.'],
  ['EUR', 49, 'Stripe accepte les paiements entre 0,50\u00a0€ et 999\u202f999,99\u00a0€.'],
])('a price in %s of %i is %s', async (currency, priceMinor, message) => {
  const { change, id, send, user } = await createPriced({ price_minor: 100_000, currency });
  await createAccountRow(user.id);
  await change(first);
  const headers = { 'Accept-Language': currency === 'EUR' ? 'fr' : 'en' };
  for (const input of [
    { price_minor: priceMinor },
    { price_minor: priceMinor + 1, early_price_minor: priceMinor, early_until_local: '2026-12-19' },
  ]) {
    const { body } = await send<{ message?: string }>('PATCH', cohortPath(id), input, { headers });
    expect(body.message ?? 'payable').toContain(message);
  }
});

test('an owner whom the operator has named needs no account', async () => {
  const { change, user } = await createPriced();
  const named = { STRIPE_OWN_ACCOUNT_FOR: user.email.toUpperCase() };
  expect(await change(online, named)).toMatchObject(online);
});

test('a new cohort can be paid online, its copy too, and an open run', async () => {
  const { change, path, post, send, user } = await createPriced();
  const create = () => send('POST', path, { ...spring, ...price, ...online });
  expect((await create()).body).toMatchObject({ code: 'payment_account_required' });
  await createAccountRow(user.id);
  expect((await create()).body).toMatchObject(online);

  await change(first);
  // In a deployment that has no Stripe anymore, too.
  const again = { name: 'Again', starts_on: '2027-03-01' };
  const copy = await post('duplicate', again);
  expect(copy.body).toMatchObject({ ...price, ...first });

  const course = await createCourseRow(user.id, { courseType: 'evergreen' });
  const { body: run } = await send<Cohort>('POST', `/api/courses/${course.id}/enrollment/`, {});
  expect(run.payment_mode).toBe('own');
  expect(await change(first, {}, run.id)).toBe('price_required');
  expect(await change({ ...price, ...first }, {}, run.id)).toMatchObject(first);
});
