import { expect, test } from 'vitest';
import type { CohortTotals } from '#features/payments/schema.ts';
import { createCohortRow, createPerson } from '#support/factories.ts';
import { startFresh } from '../people/fresh.ts';
import { actionsOn, start } from '../people/storm.ts';
import { enrollBy } from '../people/support.ts';
import { createOwner } from '../roster-files/support.ts';
import { accountsOf, brief, createPaid, entriesOf, received } from './support.ts';

const fresh = startFresh();

test('everyone is charged who becomes enrolled, whichever way', async () => {
  const { client, cohort, list, send } = await createPaid({ capacity: 9 });
  const base = `/api/cohorts/${cohort.id}/enrollments/`;
  const add = (as: string, name: string) =>
    client.post(base, { as, name, email: `${crypto.randomUUID()}@example.com` });
  const confirmed = await enrollBy(fresh.resend, cohort.slug, { name: 'Confirmed' });
  await add('enrolled', 'Added');
  const actions = actionsOn(cohort);
  const invited = await createPerson(cohort.ownerId, { name: 'Invited' });
  await actions.invite(start + 1, invited);
  expect((await list()).items.map(({ name }) => name)).toEqual(['Added', 'Confirmed']);
  await actions.acceptInvitation(start + 2, invited);
  await send({ text: 'Imported,imported@example.com', as: 'enrolled' });
  await actions.resize(start + 3, 4);
  const offered = await createPerson(cohort.ownerId, { name: 'Offered' });
  await actions.enroll(start + 4, offered);
  await actions.leave(start + 5, invited);
  expect((await list()).items.map(({ name }) => name)).not.toContain('Offered');
  await actions.accept(start + 6, offered);

  const { items, totals } = await list();
  expect(items.map((account) => `${account.name} ${brief(account)}`)).toEqual([
    'Added owes 24000',
    'Confirmed owes 24000',
    'Imported owes 24000',
    'Invited owes 24000',
    'Offered owes 24000',
  ]);
  expect(totals).toMatchObject({ owing: 5, owed_minor: 120_000, currency: 'EUR' });
  expect(confirmed.status).toBe('enrolled');
});

test('someone who joins a cohort without a price, or a free one, owes nothing', async () => {
  for (const price of [
    { priceMinor: null, currency: null },
    { priceMinor: 0, currency: 'EUR' },
  ]) {
    const { cohort, list, enroll } = await createPaid(price);
    await enroll();

    expect(await entriesOf(cohort.id)).toEqual([]);
    expect((await list()).items.map(brief)).toEqual(['free 0']);
  }
});

test('a price that is set later is charged to those who are enrolled, once', async () => {
  const { client, cohort, list, enroll, charge } = await createPaid({
    priceMinor: null,
    currency: null,
  });
  await enroll('Ada');
  await enroll('Bea');
  await enroll('Cleo', { status: 'left' });
  expect(await charge()).toMatchObject({ status: 422, body: { code: 'price_required' } });
  const price = { price_minor: 1500, currency: 'JPY' };
  expect((await client.request('PATCH', `/api/cohorts/${cohort.id}/`, price)).status).toBe(200);
  await enroll('Dora');

  expect(await charge()).toEqual({ status: 200, body: { charged: 2 } });
  expect(await charge()).toEqual({ status: 200, body: { charged: 0 } });
  expect((await list()).items.map((one) => `${one.name} ${brief(one)}`)).toEqual([
    'Ada owes 1500',
    'Bea owes 1500',
    'Dora owes 1500',
  ]);
});

test('an account adds up: in parts, waived, refunded, reversed', async () => {
  const { enroll, account, pay, waive, refund, reverse } = await createPaid();
  const { id } = await enroll();

  await pay(id, 10_000, { note: ' First part ' });
  expect(brief(await account(id))).toBe('partly_paid 14000');
  const { entries } = await pay(id);
  expect(entries).toMatchObject([{ kind: 'payment', amount_minor: -14_000, method: 'transfer' }]);
  expect(brief(await account(id))).toBe('paid 0');
  const wrong = await pay(id, 5000);
  expect(brief(await account(id))).toBe('overpaid -5000');
  expect((await reverse(wrong.entries[0]?.id ?? '', { note: 'Twice' })).body).toMatchObject({
    kind: 'payment',
    amount_minor: 5000,
    note: 'Twice',
  });
  expect(brief(await account(id))).toBe('paid 0');
  await refund(id, 4000);
  expect(brief(await account(id))).toBe('partly_paid 4000');
  await waive(id);
  expect(brief(await account(id))).toBe('paid 0');
  const all = await refund(id, null, { waive_rest: true });
  expect(all.entries.map(({ kind, amount_minor: amount }) => [kind, amount])).toEqual([
    ['refund', 20_000],
    ['waiver', -20_000],
  ]);
  const after = await account(id);
  expect(brief(after)).toBe('refunded 0');
  expect(after).toMatchObject({ charged_minor: 24_000, waived_minor: 24_000, paid_minor: 24_000 });
  expect(after.entries.map(({ note }) => note).filter(Boolean)).toEqual(['First part', 'Twice']);
});

test('a place that was waived says so', async () => {
  const { enroll, account, waive } = await createPaid();
  const { id } = await enroll();
  await waive(id);

  expect(brief(await account(id))).toBe('waived 0');
});

test('several people are marked as paid at once, each with what they owe', async () => {
  const { enroll, write, pay, list } = await createPaid();
  const people = [await enroll('Ada'), await enroll('Bea'), await enroll('Cleo')];
  await pay(people[1]?.id ?? '', 14_000);
  await pay(people[2]?.id ?? '');
  const { entries } = await write({
    kind: 'payment',
    enrollments: people.map(({ id }) => id),
    ...received,
  });

  expect(entries.map(({ amount_minor: amount }) => amount)).toEqual([-24_000, -10_000]);
  expect((await list()).totals).toMatchObject({ owing: 0, owed_minor: 0, paid_in_full: 3 });
});

test.each([
  ['payment', { amount_minor: null }, 'nothing_owed'],
  ['waiver', { amount_minor: null }, 'nothing_owed'],
  ['waiver', { amount_minor: 1 }, 'more_than_owed'],
  ['refund', { amount_minor: 24_001 }, 'more_than_paid'],
  ['charge', {}, 'charged_already'],
])('what cannot be is refused: a %s of %j', async (kind, input, code) => {
  const { cohort, enroll, pay, write } = await createPaid();
  const { id } = await enroll();
  await pay(id);
  const money = kind === 'payment' || kind === 'refund' ? received : {};
  const refused = await write({ kind, enrollments: [id], ...money, ...input });

  expect([refused.status, refused.code]).toEqual([422, code]);
  expect(await entriesOf(cohort.id)).toHaveLength(2);
});

test.each([
  [
    { kind: 'payment', amount_minor: 0, ...received },
    { amount_minor: ['Please enter an amount above 0'] },
  ],
  [
    { kind: 'waiver', amount_minor: 100_000_000 },
    { amount_minor: [expect.stringMatching(/8 digits at most/)] },
  ],
  [
    { kind: 'payment', amount_minor: '1,234', ...received },
    { amount_minor: [expect.stringMatching(/ambiguous/)] },
  ],
  [
    { kind: 'payment', amount_minor: 1.5, ...received },
    { amount_minor: ['Please enter an amount above 0'] },
  ],
  [{ kind: 'payment', ...received, method: null }, { method: ['Please choose how it was paid'] }],
  [{ kind: 'refund', method: 'cash' }, { received_on: ['Please choose a date'] }],
  [
    { kind: 'payment', ...received, received_on: '2026-02-30' },
    { received_on: ['This date does not exist'] },
  ],
  [{ kind: 'waiver', note: 'x'.repeat(301) }, { note: ['Note must be at most 300 characters'] }],
])('input is checked: %#', async (input, fields) => {
  const { enroll, write } = await createPaid();
  const { id } = await enroll();
  const refused = await write({ enrollments: [id], ...input });

  expect(refused.status).toBe(400);
  expect(refused.fields).toEqual(fields);
});

test('an entry is reversed once, and a reversal never', async () => {
  const { cohort, enroll, pay, reverse } = await createPaid();
  const { id } = await enroll();
  const [entry] = (await pay(id)).entries;
  const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(entry?.id ?? '')));

  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await entriesOf(cohort.id)).toHaveLength(3);
  expect(await reverse(answers[0]?.body.id ?? '')).toMatchObject({
    status: 422,
    body: { code: 'entry_is_reversal' },
  });
});

test('a charge that was wrong is reversed and written again', async () => {
  const { enroll, account, reverse, write } = await createPaid();
  const { id } = await enroll();
  const [charge] = (await account(id)).entries;
  await reverse(charge?.id ?? '');
  expect(brief(await account(id))).toBe('free 0');
  await write({ kind: 'charge', enrollments: [id], amount_minor: 12_000 });

  expect(brief(await account(id))).toBe('owes 12000');
});

test('20 parallel marks with one key are one entry, and another request with it is refused', async () => {
  const { client, cohort, enroll, write } = await createPaid();
  const { id } = await enroll();
  await client.get('/api/health/');
  const input = { kind: 'payment', enrollments: [id], ...received };
  const options = { headers: { 'Idempotency-Key': 'one' } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => write(input, options)));

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map(({ entries }) => entries[0]?.id)).size).toBe(1);
  expect(await entriesOf(cohort.id)).toHaveLength(2);
  const other = await write({ ...input, method: 'cash' }, options);
  expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused']);
});

test('a request that is sent again writes nothing to people whom it has left out', async () => {
  const { account, cohort, enroll, reverse, waive, write } = await createPaid();
  const [grace, alan] = [await enroll(), await enroll('Alan Turing')];
  const waived = await waive(alan.id);
  const input = { kind: 'payment', enrollments: [grace.id, alan.id], ...received };
  const options = { headers: { 'Idempotency-Key': 'both' } };
  const first = await write(input, options);
  await reverse(waived.entries[0]?.id ?? '');
  const again = await write(input, options);

  expect(again.entries).toEqual(first.entries);
  expect(first.entries).toHaveLength(1);
  expect(brief(await account(alan.id))).toBe('owes 24000');
  expect(await entriesOf(cohort.id)).toHaveLength(5);
});

test('20 parallel marks without a key do not pay twice', async () => {
  const { cohort, enroll, pay } = await createPaid();
  const { id } = await enroll();
  await Promise.all(Array.from({ length: 20 }, () => pay(id)));

  expect(await entriesOf(cohort.id)).toHaveLength(2);
});

test('another owner’s people and entries do not exist', async () => {
  const owner = await createPaid();
  const { id } = await owner.enroll();
  const [entry] = (await owner.pay(id, 100)).entries;
  const stranger = await createPaid();
  const own = await stranger.enroll();
  const theirs = accountsOf(stranger.client, owner.cohort.id);
  const base = `/api/cohorts/${owner.cohort.id}/`;
  const course = `/api/courses/${owner.course.id}/`;
  const before = await entriesOf(owner.cohort.id);

  expect((await theirs.pay(id)).status).toBe(404);
  expect((await theirs.charge()).status).toBe(404);
  expect((await theirs.remind()).status).toBe(404);
  expect((await stranger.reverse(entry?.id ?? '')).status).toBe(404);
  // In a cohort of their own, neither with one of theirs.
  expect((await stranger.pay(id)).status).toBe(404);
  const both = { kind: 'payment', enrollments: [own.id, id], ...received };
  expect((await stranger.write(both)).status).toBe(404);
  for (const path of [`${base}ledger/`, `${base}ledger/${id}/`, `${base}ledger.csv`]) {
    expect((await stranger.client.get(path)).status, path).toBe(404);
  }
  for (const path of [`${course}payments/`, `${course}ledger.csv`]) {
    expect((await stranger.client.get(path)).status, path).toBe(404);
  }
  expect(await entriesOf(owner.cohort.id)).toEqual(before);
  expect(await entriesOf(stranger.cohort.id)).toHaveLength(1);
});

test('someone who is moved owes the price of the other cohort, and keeps what they paid', async () => {
  const { client, cohort, course, enroll, pay, account, list } = await createPaid();
  const target = await createCohortRow(course, { priceMinor: 30_000, currency: 'EUR' });
  const { id } = await enroll();
  await pay(id, 20_000);
  const path = `/api/cohorts/${cohort.id}/enrollments/${id}/transfer/`;
  expect((await client.post(path, { cohort_id: target.id })).status).toBe(200);

  expect(brief(await account(id))).toBe('free 0');
  expect((await list('?show=gone')).items).toEqual([]);
  const there = accountsOf(client, target.id);
  expect(brief(await there.account(id))).toBe('partly_paid 10000');
  expect((await there.account(id)).entries.map(({ source }) => source)).toEqual([
    'move',
    'enrollment',
  ]);
});

test('money in another currency stays where it was paid', async () => {
  const { client, cohort, course, enroll, pay, list } = await createPaid();
  const target = await createCohortRow(course, { priceMinor: 30_000, currency: 'USD' });
  const { id } = await enroll();
  await pay(id);
  const path = `/api/cohorts/${cohort.id}/enrollments/${id}/transfer/`;
  expect((await client.post(path, { cohort_id: target.id })).status).toBe(200);

  expect((await list('?show=gone')).items.map(brief)).toEqual(['overpaid -24000']);
  expect((await accountsOf(client, target.id).list()).items.map(brief)).toEqual(['owes 30000']);
});

test('the currency stays once there is an entry; the price and none do not', async () => {
  const { client, cohort, enroll } = await createPaid();
  const path = `/api/cohorts/${cohort.id}/`;
  const change = (input: object) => client.request('PATCH', path, input);
  expect((await change({ price_minor: 25_000, currency: 'USD' })).status).toBe(200);
  await enroll();

  const refused = await change({ price_minor: 25_000, currency: 'EUR' });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'currency_in_use' });
  expect((await change({ price_minor: 1000, currency: 'USD' })).status).toBe(200);
  expect((await change({ price_minor: null, currency: null })).status).toBe(200);
  expect((await change({ price_minor: 1000, currency: 'EUR' })).status).toBe(422);
});

test('a course adds up by cohort, also those that are deleted', async () => {
  const { client, cohort, course, enroll, pay } = await createPaid({ name: 'Autumn' });
  await pay((await enroll('Ada')).id);
  await enroll('Bea');
  await createCohortRow(course, { name: 'Spring', startsOn: '2027-02-01' });
  await client.request('DELETE', `/api/cohorts/${cohort.id}/`);
  const totals = async () =>
    (await (await client.get(`/api/courses/${course.id}/payments/`)).json<CohortTotals[]>()).map(
      (one) => [one.cohort_name, one.currency, one.paid_minor, one.owed_minor, one.owing],
    );
  const autumn = ['Autumn', 'EUR', 24_000, 24_000, 1];
  expect(await totals()).toEqual([['Spring', null, 0, 0, 0], autumn]);
  expect((await client.post(`/api/cohorts/${cohort.id}/purge/`)).status).toBe(204);

  expect(await totals()).toEqual([['Spring', null, 0, 0, 0], autumn]);
  const { list } = accountsOf(client, cohort.id);
  expect((await list('?show=gone')).items.map((one) => `${one.name} ${brief(one)}`)).toEqual([
    'Ada paid 0',
    'Bea owes 24000',
  ]);
});

test('accounts come 100 at a time, and by who still owes', async () => {
  const { enroll, list, pay } = await createPaid();
  for (let index = 0; index < 102; index += 1) {
    await enroll(`Person ${String(index).padStart(3, '0')}`);
  }
  const first = await list();
  const second = await list(`?after=${first.next}`);

  expect([first.items.length, second.items.length, second.next]).toEqual([100, 2, null]);
  await pay(first.items[0]?.id ?? '');
  const owing = await list('?show=owing');
  expect(owing.items[0]?.name).toBe('Person 001');
  expect((await list(`?show=owing&after=${owing.next}`)).items).toHaveLength(1);
});

test('an instructor can write only so often in a minute', async () => {
  const { enroll, write, cohort } = await createPaid();
  const { id } = await enroll();
  const input = { kind: 'payment', enrollments: [id], amount_minor: 1, ...received };
  const limited = { bindings: { LIMITS: { ledger_writes_per_user: ['1/m'] } } };

  expect((await write(input, limited)).status).toBe(201);
  expect((await write(input, limited)).status).toBe(429);
  expect(await entriesOf(cohort.id)).toHaveLength(2);
});

test('without a login, nothing is written', async () => {
  const { cohort } = await createOwner();
  const { createClient } = await import('#support/client.ts');
  const nobody = accountsOf(createClient(), cohort.id);

  expect((await nobody.pay(crypto.randomUUID())).status).toBe(401);
  expect((await nobody.charge()).status).toBe(401);
  expect((await nobody.remind()).status).toBe(401);
  expect((await nobody.reverse(crypto.randomUUID())).status).toBe(401);
});
