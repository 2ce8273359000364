import { expect, test } from 'vitest';
import type { Bindings } from '#env.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { createCourseRow } from '#support/factories.ts';
import { createAccountRow } from '#support/payments.ts';
import { cohortPath, createCohort, createTeacher, spring } from './support.ts';

const price = { price_minor: 24_000, currency: 'EUR' };
const [online, first] = [{ payment_mode: 'online' }, { payment_mode: 'online_first' }];

/** An instructor with a cohort that costs something, and how they change it. */
async function createPriced(values: object = price) {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher, values);
  /** How the cohort is then, or the code of the refusal. */
  const change = async (input: object, bindings: Partial<Bindings> = {}) => {
    const response = await teacher.client.request('PATCH', cohortPath(id), input, { bindings });
    const { code, ...cohort } = await response.json<Cohort & { code?: string }>();
    return code ?? cohort;
  };
  return { ...teacher, id, change };
}

test('people pay online once there is a price and an account that can be paid to', async () => {
  const { change, user } = await createPriced();
  expect(await change(online)).toBe('payment_account_required');
  await createAccountRow(user.id);

  expect(await change(online)).toMatchObject({ payment_mode: 'online' });
  expect(await change(first)).toMatchObject({ payment_mode: 'online_first' });
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
  expect(await change({ ...price, ...first })).toMatchObject({ payment_mode: 'online_first' });
  expect(await change({ price_minor: 100, currency: 'EUR' })).toMatchObject({
    payment_mode: 'online_first',
  });
  expect(await change({ price_minor: 30, currency: 'EUR' })).toBe('price_not_payable');
  const without = { price_minor: null, currency: null };
  expect(await change({ ...without, ...first })).toBe('price_required');

  expect(await change(without)).toMatchObject({ price_minor: null, payment_mode: 'own' });
});

test('an owner whom the operator has named needs no account', async () => {
  const { change, user } = await createPriced();
  const named = { STRIPE_OWN_ACCOUNT_FOR: user.email.toUpperCase() };
  expect(await change(online, named)).toMatchObject(online);
});

test('without Stripe in the deployment no one pays online', async () => {
  const { change, user } = await createPriced();
  await createAccountRow(user.id);

  const without = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  expect(await change(online, without)).toBe('payment_account_required');
});

test('a new cohort can be paid online, its copy too, and an open run', async () => {
  const { change, client, id, path, user } = await createPriced();
  const cohort = { ...spring, ...price, ...online };
  const refused = await client.post(path, cohort);
  expect(await refused.json()).toMatchObject({ code: 'payment_account_required' });
  await createAccountRow(user.id);
  expect(await (await client.post(path, cohort)).json()).toMatchObject(online);

  await change(first);
  // In a deployment that has no Stripe anymore, too.
  const copy = await client.post(cohortPath(id, 'duplicate/'), {
    name: 'Again',
    starts_on: '2027-03-01',
  });
  expect(await copy.json()).toMatchObject({ ...price, ...first });

  const course = await createCourseRow(user.id, { courseType: 'evergreen' });
  const opened = await client.post(`/api/courses/${course.id}/enrollment/`, {});
  const run = await opened.json<Cohort>();
  expect(run.payment_mode).toBe('own');
  const set = (input: object) => client.request('PATCH', cohortPath(run.id), input);
  expect((await set(first)).status).toBe(422);
  expect(await (await set({ ...price, ...first })).json()).toMatchObject(first);
});
