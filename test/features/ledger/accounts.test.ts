import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findCohortLedger } from '#features/ledger/find-balances.ts';
import type { CohortTotals } from '#features/ledger/schema.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createPerson } from '#support/factories.ts';
import { startFresh } from '../places/fresh.ts';
import { actionsOn, start } from '../places/storm.ts';
import { enrollBy, refused, setTime } from '../places/support.ts';
import {
  brief,
  checkBalances,
  createPaid,
  earlyUntil,
  entriesOf,
  named,
  received,
} from './support.ts';

checkBalances();

const fresh = startFresh();

test('everyone is charged who becomes enrolled, whichever way: the early price until its end, then the price', async () => {
  const { add, cohort, list, post } = await createPaid({
    ...earlyUntil(start + 1_000),
    capacity: 9,
  });
  const { status } = await enrollBy(fresh.resend, cohort.slug, { name: 'Confirmed' });
  expect(status).toBe('enrolled');
  await add({ name: 'Added' });
  const actions = actionsOn(cohort);
  const create = (name: string) => createPerson(cohort.ownerId, { name });
  const [invited, late] = [await create('Invited'), await create('Late')];
  await actions.invite(start, invited);
  await actions.invite(start, late);
  expect((await list()).items.map(({ name }) => name)).toEqual(['Added', 'Confirmed']);
  await actions.acceptInvitation(start + 999, invited);
  await actions.acceptInvitation(start + 1_000, late);
  setTime(start + 1_000);
  const text = 'Imported,imported@example.com';
  await post('imports/', { text, as: 'enrolled', informed: true });
  await actions.resize(start + 1_001, 5);
  const offered = await create('Offered');
  await actions.enroll(start + 500, offered);
  await actions.leave(start + 1_002, late);
  expect((await list()).items.map(({ name }) => name)).not.toContain('Offered');
  await actions.accept(start + 1_003, offered);

  const { items, totals } = await list();
  expect(items.map(named)).toEqual([
    'Added owes 20000',
    'Confirmed owes 20000',
    'Imported owes 24000',
    'Invited owes 20000',
    'Late owes 24000',
    'Offered owes 24000',
  ]);
  // Not of who has left: their instructor has not said that they still owe it.
  expect(totals).toMatchObject({ owing: 5, owed_minor: 108_000, currency: 'EUR' });
});

test('someone who joins a cohort without a price, or a free one, owes nothing', async () => {
  for (const values of [
    { priceMinor: null, currency: null },
    { priceMinor: 0, currency: 'EUR' },
  ]) {
    const { charge, cohort, list, enroll } = await createPaid(values);
    await enroll();

    expect(await entriesOf(cohort.id)).toEqual([]);
    expect((await list()).items.map(brief)).toEqual(['free 0']);
    expect(await charge()).toMatchObject(refused('price_required'));
  }
});

/** A cohort whose price is set when two people are enrolled, one of them early. */
async function pricedLater(early_price_minor: number) {
  const owner = await createPaid({ priceMinor: null, currency: null });
  const { id: early } = await owner.enroll('Early', { statusChangedAt: new Date('2026-11-01') });
  const { id: late } = await owner.enroll('Late', { statusChangedAt: new Date('2026-12-24') });
  const price = { price_minor: 24_000, currency: 'EUR' };
  const until = { early_price_minor, early_until_local: '2026-12-18T00:00' };
  expect((await owner.send('PATCH', '', { ...price, ...until })).status).toBe(200);
  return { ...owner, early, late };
}

test('a price that is set later is charged once to those who are enrolled, as it was by then', async () => {
  const { charge, enroll, list } = await pricedLater(20_000);
  await enroll('Left', { status: 'left' });
  await enroll('Now');

  expect(await charge()).toEqual({ status: 200, body: { charged: 2 } });
  expect(await charge()).toEqual({ status: 200, body: { charged: 0 } });
  const charged = ['Early owes 20000', 'Late owes 24000', 'Now owes 20000'];
  expect((await list()).items.map(named)).toEqual(charged);
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
  const { body } = await reverse(wrong.entries[0]?.id ?? '', { note: 'Twice' });
  expect(body).toMatchObject({ kind: 'payment', amount_minor: 5000, note: 'Twice' });
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

test('several people are marked as paid at once, each with what they owe', async () => {
  const { enroll, write, pay, list } = await createPaid();
  const people = [await enroll('Ada'), await enroll('Bea'), await enroll('Cleo')];
  await pay(people[1]?.id ?? '', 14_000);
  await pay(people[2]?.id ?? '');
  const enrollments = people.map(({ id }) => id);
  const { entries } = await write({ kind: 'payment', enrollments, ...received });

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
  const answer = await write({ kind, enrollments: [id], ...money, ...input });

  expect([answer.status, answer.code]).toEqual([422, code]);
  expect(await entriesOf(cohort.id)).toHaveLength(2);
});

const payment = { kind: 'payment', ...received };
const tooLittle = { amount_minor: ['Please enter an amount above 0'] };

test.each([
  [{ ...payment, amount_minor: 0 }, tooLittle],
  [{ ...payment, amount_minor: '1,234' }, { amount_minor: [expect.stringMatching(/ambiguous/)] }],
  [
    { kind: 'waiver', amount_minor: 1_000_000_000_000 },
    { amount_minor: [expect.stringMatching(/12 digits at most/)] },
  ],
  [{ ...payment, method: null }, { method: ['Please choose how it was paid'] }],
  [{ kind: 'refund', method: 'cash' }, { received_on: ['Please choose a date'] }],
  [{ kind: 'waiver', note: 'x'.repeat(301) }, { note: ['Note must be at most 300 characters'] }],
])('input is checked: %#', async (input, fields) => {
  const { enroll, write } = await createPaid();
  const { id } = await enroll();
  const answer = await write({ enrollments: [id], ...input });

  expect(answer.status).toBe(400);
  expect(answer.fields).toEqual(fields);
});

test('an entry is reversed once, and a reversal never', async () => {
  const { cohort, enroll, pay, reverse } = await createPaid();
  const { id } = await enroll();
  const [entry] = (await pay(id)).entries;
  const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(entry?.id ?? '')));

  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await entriesOf(cohort.id)).toHaveLength(3);
  const again = await reverse(answers[0]?.body.id ?? '');
  expect(again).toMatchObject(refused('entry_is_reversal'));
});

test('20 parallel marks do not pay twice, with a key or without; another request with it is refused', async () => {
  const { client, cohort, enroll, pay, write } = await createPaid();
  const [keyed, other] = [await enroll(), await enroll()];
  await client.get('/api/health/');
  const input = { kind: 'payment', enrollments: [keyed.id], ...received };
  const options = { headers: { 'Idempotency-Key': 'one' } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => write(input, options)));
  await Promise.all(Array.from({ length: 20 }, () => pay(other.id)));

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map(({ entries }) => entries[0]?.id)).size).toBe(1);
  expect(await entriesOf(cohort.id)).toHaveLength(4);
  const reused = await write({ ...input, method: 'cash' }, options);
  expect([reused.status, reused.code]).toEqual([422, 'idempotency_key_reused']);
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

test('another owner’s people cannot be paid for in a cohort of one’s own, alone or beside others', async () => {
  const [owner, stranger] = [await createPaid(), await createPaid()];
  const { id } = await owner.enroll();
  const own = await stranger.enroll();
  const before = await entriesOf(owner.cohort.id);
  for (const enrollments of [[id], [own.id, id]]) {
    expect((await stranger.write({ ...payment, enrollments })).status).toBe(404);
  }
  expect(await entriesOf(owner.cohort.id)).toEqual(before);
  expect(await entriesOf(stranger.cohort.id)).toHaveLength(1);
});

test('someone who is moved owes the early price of the other cohort while there is one; with money in another currency no one is', async () => {
  const { course, enroll, list, moveTo, pay, post } = await createPaid();
  const [ada, bea] = [await enroll('Ada'), await enroll('Bea')];
  await pay(bea.id);
  const price = { priceMinor: 24_000, currency: 'EUR', ...earlyUntil(start + 1_000) };
  const early = await moveTo(ada.id, price);
  expect((await early.list()).items.map(named)).toEqual(['Ada owes 20000']);
  const dollars = await createCohortRow(course, { priceMinor: 30_000, currency: 'USD' });
  const transfer = `enrollments/${bea.id}/transfer/`;
  expect(await post(transfer, { cohort_id: dollars.id })).toMatchObject(
    refused('money_in_other_currency'),
  );

  expect((await list()).items.map(named)).toEqual(['Bea paid 0']);
  // A cohort without a price takes the currency of the money.
  const free = await moveTo(bea.id, { priceMinor: null, currency: null });
  expect((await free.list()).items.map(named)).toEqual(['Bea overpaid -24000']);
});

test('the price of the moment is charged, and the currency stays once there is an entry', async () => {
  const { cohort, enroll, send } = await createPaid();
  const setPrice = (price_minor: number | null, currency: string | null) =>
    send('PATCH', '', { price_minor, currency });
  expect((await setPrice(25_000, 'USD')).status).toBe(200);
  await enroll();

  expect(await setPrice(25_000, 'EUR')).toMatchObject(refused('currency_in_use'));
  expect((await setPrice(1000, 'USD')).status).toBe(200);
  await enroll();
  expect((await setPrice(null, null)).status).toBe(200);
  expect((await setPrice(1000, 'EUR')).status).toBe(422);
  const charges = await entriesOf(cohort.id);
  expect(charges.map(({ amountMinor }) => amountMinor).sort()).toEqual([1000, 25_000]);
});

test('a course adds up by cohort, also those that are deleted', async () => {
  const { client, course, enroll, list, pay, post, send } = await createPaid({ name: 'Autumn' });
  await pay((await enroll('Ada')).id);
  await enroll('Bea');
  await createCohortRow(course, { name: 'Spring', startsOn: '2027-02-01' });
  await send('DELETE', '', { money: 'keep' });
  const totals = async () =>
    (await (await client.get(`/api/courses/${course.id}/payments/`)).json<CohortTotals[]>()).map(
      (one) => [one.cohort_name, one.currency, one.paid_minor, one.owed_minor, one.owing],
    );
  const autumn = ['Autumn', 'EUR', 24_000, 24_000, 1];
  expect(await totals()).toEqual([['Spring', null, 0, 0, 0], autumn]);
  expect((await post('purge/')).status).toBe(204);

  // No one can owe anything for what is deleted.
  expect(await totals()).toEqual([
    ['Spring', null, 0, 0, 0],
    ['Autumn', 'EUR', 24_000, 0, 0],
  ]);
  const { items } = await list('?show=gone');
  expect(items.map(named)).toEqual(['Ada paid 0', 'Bea owes 24000']);
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

test('someone who has left is listed until their money is refunded and the rest waived', async () => {
  const { cohort, enroll, list, pay, post, refund, waive } = await createPaid();
  const [ada, bea, cleo] = [await enroll('Ada'), await enroll('Bea'), await enroll('Cleo')];
  await pay(ada.id);
  await waive(cleo.id);
  await pay((await enroll('Dora')).id);
  const left = async (query = '') =>
    (await list(`?show=left${query}`)).items.map((one) => `${named(one)} ${one.status}`);
  expect(await left()).toEqual([]);
  const { leave } = actionsOn(cohort);
  await leave(start + 1, ada.person);
  await leave(start + 2, cleo.person);
  await post(`enrollments/${bea.id}/remove/`);

  expect(await left()).toEqual(['Ada paid 0 left', 'Bea owes 24000 removed']);
  expect(await left(`&after=${ada.id}`)).toEqual(['Bea owes 24000 removed']);
  await refund(ada.id, null, { waive_rest: true });
  await waive(bea.id);
  expect(await left()).toEqual([]);
});

test('a charge by hand is the price when each enrolled; that of a free place is skipped, or needs an amount and hides no one who is to be charged', async () => {
  const { early, late, list, write } = await pricedLater(20_000);
  const charge = { kind: 'charge', enrollments: [early, late] };
  expect((await write(charge)).status).toBe(201);
  expect((await list()).items.map(named)).toEqual(['Early owes 20000', 'Late owes 24000']);
  expect(await write(charge)).toMatchObject({ status: 422, code: 'charged_already' });

  const { cohort, ...free } = await pricedLater(0);
  const [ctx, owner] = [contextOn(), sql`${cohort.ownerId}`];
  const view = { cohortId: cohort.id, filter: 'everyone', after: null } as const;
  const uncharged = async () =>
    (await ask(ctx, { ledger: findCohortLedger(view)(ctx, owner, owner) })).ledger?.uncharged;
  const ofFree = { kind: 'charge', enrollments: [free.early] };
  expect(await free.write(ofFree)).toMatchObject({ status: 422, code: 'price_required' });
  await free.write({ ...ofFree, amount_minor: 500 });
  expect(await uncharged()).toBe(1);
  expect(await free.charge()).toMatchObject({ body: { charged: 1 } });
  expect(await uncharged()).toBe(0);
  const others = await pricedLater(0);
  const both = { kind: 'charge', enrollments: [others.early, others.late] };
  expect((await others.write(both)).entries).toMatchObject([{ amount_minor: 24_000 }]);
});

test('a word of one’s own goes with the method other alone, and stays when it is reversed', async () => {
  const { account, enroll, pay, reverse } = await createPaid();
  const { id } = await enroll();
  const word = { method_word: ' Zelle ' };
  for (const wrong of [word, { method: 'other', method_word: 'x'.repeat(41) }]) {
    expect((await pay(id, 100, wrong)).status).toBe(400);
  }
  const { entries } = await pay(id, 100, { method: 'other', ...word });
  expect(entries).toMatchObject([{ method: 'other', method_word: 'Zelle' }]);
  await reverse(entries[0]?.id ?? '');

  const words = (await account(id)).entries.map((one) => one.method_word);
  expect(words).toEqual([null, 'Zelle', 'Zelle']);
});
