import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { requireFound } from '#lib/app-error.ts';
import { takeNoise } from '#support/console.ts';
import { day, minute } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { insertPaidCheckout } from '#support/payments.ts';
import { updateRow } from '#support/rows.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { createPaid, entriesOf, received } from '../ledger/support.ts';
import { start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createSelling,
  deliverLast,
  runForMoney,
  startPaying,
  wantedOf,
} from './support.ts';

/** What the owner sends who marks someone as left, with their money. */
const leaving = { money: 'refund', balance_minor: 0, paid_minor: 24_000, notify: false };
const given = startPaying();

/** Someone who has paid 240 euros online, and what their instructor does about it. */
async function createPaidOnline() {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  const id = (await checkoutOf(payer))?.id ?? '';
  const path = `/api/checkouts/${id}/refunds/`;
  return {
    owner,
    payer,
    id,
    refunds: () => owner.amounts('refund'),
    waivers: () => owner.amounts('waiver'),
    refund: (input = {}, key: string = crypto.randomUUID()) =>
      owner.post(path, input, { headers: { 'Idempotency-Key': key } }),
    charge: () => rowsOf(given.stripe.state, 'charge').at(-1)?.id ?? '',
    atStripe: () => rowsOf(given.stripe.state, 'refund'),
  };
}

test('refunds of a part and of the rest stand once, however often they are asked for and reported', async () => {
  const { refund, refunds, waivers, payer, owner, id, atStripe } = await createPaidOnline();
  const part = { amount_minor: 10_000 };
  expect(await refund(part, 'one')).toMatchObject({ status: 202, body: { state: 'done' } });
  expect(await refund(part, 'one')).toMatchObject({ status: 202, body: { state: 'done' } });
  expect(await refund({ amount_minor: 9_000 }, 'one')).toMatchObject(
    refused('idempotency_key_reused'),
  );
  for (const type of ['refund.created', 'charge.refunded', 'refund.created']) {
    await deliverLast(type);
  }
  expect(await refunds()).toEqual([10_000]);
  expect(await refund({ amount_minor: 14_001 })).toMatchObject(refused('more_than_paid'));
  expect(await refund({ waive_rest: true })).toMatchObject({ body: { amount_minor: 14_000 } });
  expect([await refunds(), await waivers()]).toEqual([[10_000, 14_000], [-24_000]]);
  expect(await refund()).toMatchObject(refused('nothing_paid'));
  expect(atStripe().map(({ amount }) => amount)).toEqual([10_000, 14_000]);
  expect(given.mailsTo(payer.person.email)).toHaveLength(3);
  const { post: byAnother } = await createSelling();
  for (const path of ['refunds', 'let-in', 'check']) {
    const answer = await byAnother(`/api/checkouts/${id}/${path}/`);
    expect(answer, path).toMatchObject(refused('not_found', 404));
  }
  const settled = await owner.send('DELETE', `/api/checkouts/${id}/problem/`);
  expect(settled).toMatchObject(refused('not_found', 404));
});

test('the file of the account names payments and refunds as Stripe does, to match its payouts', async () => {
  const { owner, payer, refund, atStripe } = await createPaidOnline();
  await refund({ amount_minor: 10_000 });
  const cash = { kind: 'payment', enrollments: [payer.id], ...received, amount_minor: 10_000 };
  await owner.post('ledger/', cash);
  const file = await (await owner.client.get(`${owner.base}ledger.csv`)).text();
  const { paymentIntent } = requireFound(await checkoutOf(payer));
  const ids = file.match(/"[^"]*"(?=\r?$)/gm)?.map((cell) => JSON.parse(cell));
  // In no order, as all happened at once.
  expect(ids?.sort()).toEqual(['', '', paymentIntent, atStripe()[0]?.id, 'stripe_id']);
  expect(paymentIntent).toMatch(/^pi_/);
});

test('a refund that was made at Stripe is found by its event, or by the listing of the night', async () => {
  const { refunds, charge, owner } = await createPaidOnline();
  given.stripe.act('refund', charge(), '4000');
  await deliverLast('refund.created');
  expect(await refunds()).toEqual([4_000]);
  given.stripe.act('refund', charge(), '5000');
  await runForMoney(start + day);
  await runForMoney();
  expect(await refunds()).toEqual([4_000, 5_000]);
  expect(await owner.read('ledger/')).toMatchObject({ totals: { refunded_minor: 9_000 } });
});

test('a refund of a payment of which no one has heard yet writes both', async () => {
  const owner = await createSelling();
  await (await owner.person()).open();
  given.stripe.pay();
  given.stripe.act('refund', rowsOf(given.stripe.state, 'charge')[0]?.id ?? '', '24000');
  const { calls } = given.stripe.state;
  const before = calls.length;
  await deliverLast('refund.created');
  // The page of the payment, its refunds and its disputes.
  expect(calls.length - before).toBe(3);
  const kinds = (await owner.entries()).map(({ kind }) => kind);
  expect(kinds).toEqual(['charge', 'payment', 'refund']);
});

test.each([
  ['before it has heard anything', { status: 500, after: false }],
  ['after Stripe has paid back', { status: 500, after: true }],
] as const)(
  'a worker that dies %s leaves one refund and one entry',
  async (_when, { status, after }) => {
    const { refund, refunds, atStripe, id } = await createPaidOnline();
    given.stripe.fail('/v1/refunds', status, { after });
    expect(await refund()).toMatchObject({ status: 202, body: { state: 'wanted' } });
    given.stripe.recover();
    expect(await refund()).toMatchObject(refused('nothing_paid'));
    await runForMoney(start + 5 * minute);
    await runForMoney();
    expect([await refunds(), atStripe().length]).toEqual([[24_000], 1]);
    expect(await wantedOf(id)).toMatchObject([{ failedAt: null, doneAt: expect.any(Date) }]);
  },
);

test('while Stripe does not answer a run asks once, for another refund each time', async () => {
  const owner = await createSelling();
  const payers = [await owner.person(), await owner.person(), await owner.person()];
  // Lists the account, which it does once a day.
  await runForMoney(start);
  await db.delete(refundsWanted);
  for (const payer of payers) {
    await payer.pay();
    const row = requireFound(await checkoutOf(payer));
    const dueAt = new Date(start);
    await db.insert(refundsWanted).values({
      ...{ id: crypto.randomUUID(), checkoutId: row.id, ownerId: row.ownerId, reason: 'no_place' },
      ...{ amountMinor: 24_000, dueAt, createdAt: dueAt },
    });
  }
  given.stripe.fail('/v1/refunds', 500, { count: 100 });
  const { calls } = given.stripe.state;
  for (const run of [1, 2, 3]) {
    const before = calls.length;
    await runForMoney(start + run * 5 * minute);
    // The library tries twice.
    expect(calls.length - before).toBe(2);
    expect((await db.select().from(refundsWanted)).map(({ attempts }) => attempts).sort()).toEqual(
      [0, 0, 0].map((_, n) => (n > 2 - run ? 1 : 0)),
    );
  }
  takeNoise();
  given.stripe.recover();
  await runForMoney(start + 20 * minute);
  expect(await owner.amounts('refund')).toHaveLength(3);
});

test('a refund that fails later is reversed, and its owner told once', async () => {
  const { refund, refunds, owner, id, atStripe } = await createPaidOnline();
  await refund();
  given.stripe.act('refund_failed', atStripe()[0]?.id ?? '');
  await deliverLast('refund.failed');
  await deliverLast('refund.failed');
  expect(await refunds()).toEqual([24_000, -24_000]);
  expect(given.mailsTo(owner.user.email)).toHaveLength(1);
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
  expect(row).toMatchObject({ problem: 'lost', refundedMinor: 0 });
  // Settled otherwise, or by another refund.
  expect(await refund()).toMatchObject({ body: { state: 'done' } });
});

test('a refund that fails after its person was moved is reversed where it is now', async () => {
  const { refund, refunds, owner, payer, atStripe } = await createPaidOnline();
  await refund({ amount_minor: 10_000 });
  await owner.moveAway(payer);
  given.stripe.act('refund_failed', atStripe()[0]?.id ?? '');
  await deliverLast('refund.failed');
  await deliverLast('refund.failed');
  expect((await refunds()).reduce((sum, amount) => sum + amount, 0)).toBe(0);
  expect((await checkoutOf(payer))?.problem).toBe('lost');
});

test('who has left with a refund and comes back before it is made owes the price again', async () => {
  const { owner, payer, refunds, waivers } = await createPaidOnline();
  expect(await owner.post(`enrollments/${payer.id}/left/`, leaving)).toMatchObject({ status: 200 });
  await payer.participate('rejoin');
  await runForMoney();
  expect([await refunds(), await waivers()]).toEqual([[24_000], []]);
  expect(await payer.open()).toMatchObject({ status: 200 });
  expect(given.stripe.sessions().at(-1)).toMatchObject({ amount_total: 24_000 });
});

test('who leaves with a refund reads how much, and their account says that it is under way until it is made', async () => {
  const { owner, payer } = await createPaidOnline();
  const account = async () => {
    const { items } = await owner.read<{ items: object[] }>('ledger/');
    return items[0];
  };
  expect(await account()).toMatchObject({ refunding_minor: 0, state: 'paid' });
  await owner.post(`enrollments/${payer.id}/left/`, { ...leaving, notify: true });
  const told = given.mailsTo(payer.person.email).at(-1);
  expect(told?.text).toContain('Anna Martin is refunding you €240.');
  expect(await account()).toMatchObject({ refunding_minor: 24_000, state: 'paid' });
  await runForMoney();
  expect(await account()).toMatchObject({ refunding_minor: 0, state: 'refunded' });
});

test('a refund that Stripe refuses the clock is a payment to look at, and told', async () => {
  const { owner, payer } = await createPaidOnline();
  await owner.post(`enrollments/${payer.id}/left/`, leaving);
  Object.assign(rowsOf(given.stripe.state, 'charge')[0] ?? {}, { amount_refunded: 24_000 });
  await runForMoney();
  expect(await checkoutOf(payer)).toMatchObject({ problem: 'lost', refundedMinor: 0 });
  expect(given.mailsTo(owner.user.email)).toHaveLength(1);
});

test('what Stripe refuses is said, and changes nothing', async () => {
  const { refund, refunds, owner, payer } = await createPaidOnline();
  const charge = rowsOf(given.stripe.state, 'charge')[0];
  Object.assign(charge ?? {}, { amount_refunded: 24_000, refunded: true });
  expect(await refund()).toMatchObject(refused('refund_refused'));
  expect(await refunds()).toEqual([]);
  expect(await checkoutOf(payer)).toMatchObject({ refundedMinor: 0 });
  expect(given.mailsTo(owner.user.email)).toEqual([]);
});

test('a dispute is shown and told; won, it is over, and lost, it is an entry', async () => {
  for (const [end, refunded] of [
    ['win', []],
    ['lose', [24_000]],
  ] as const) {
    const { charge, payer, refunds, owner, id } = await createPaidOnline();
    given.stripe.act('dispute', charge());
    await deliverLast('charge.dispute.created');
    expect(await checkoutOf(payer)).toMatchObject({ problem: 'disputed' });
    const { body } = await owner.send('GET', 'checkouts/?show=problems');
    expect(body).toMatchObject({ items: [{ id, problem: 'disputed' }] });
    given.stripe.act(end, rowsOf(given.stripe.state, 'dispute').at(-1)?.id ?? '');
    if (end === 'win') {
      await deliverLast('charge.dispute.closed');
      await deliverLast('charge.dispute.closed');
    } else {
      // Its event is lost, and so long ago that no list of new ones has it.
      await runForMoney(start + 40 * day);
    }
    const problem = end === 'win' ? null : 'dispute_lost';
    expect(await checkoutOf(payer)).toMatchObject({ problem });
    expect(await refunds()).toEqual(refunded);
    expect(given.mailsTo(owner.user.email)).toHaveLength(end === 'win' ? 1 : 2);
  }
});

/** Someone who owes 240 euros and has paid some of it online, and what their instructor does. */
async function createPaidInParts(...paid: number[]) {
  const owner = await createPaid();
  const { id, person } = await owner.enroll();
  const of = { cohort: { ...owner.cohort, ownerId: owner.user.id }, id, person: person.id };
  const rows: Awaited<ReturnType<typeof insertPaidCheckout>>[] = [];
  for (const [index, paidMinor] of paid.entries()) {
    const paidAt = new Date(Date.UTC(2026, 10, 20, index));
    rows.push(await insertPaidCheckout(of, { paidMinor, paidAt }));
  }
  return {
    ...owner,
    id,
    rows,
    leave: (input: object) => owner.post(`enrollments/${id}/left/`, { ...input, notify: false }),
    settle: (input: object) => owner.post(`enrollments/${id}/settle/`, input),
    entries: async () =>
      (await entriesOf(owner.cohort.id)).map((one) => `${one.kind} ${one.amountMinor}`),
    /** What Stripe is asked for, by the payments. */
    wanted: () => Promise.all(rows.map((row) => wantedOf(row.id))),
  };
}

test('no one records by hand what is paid online, nor reverses it', async () => {
  const { account, id, reverse, write } = await createPaidInParts(24_000);
  const byHand = { kind: 'payment', enrollments: [id], amount_minor: 100, ...received };
  expect(await write({ ...byHand, method: 'online' })).toMatchObject({
    status: 400,
    fields: { method: expect.anything() },
  });
  const { entries } = await account(id);
  const payment = entries.find(({ kind }) => kind === 'payment');

  expect(await reverse(payment?.id ?? '')).toMatchObject(refused('entry_is_online'));
  expect(await entriesOf(payment?.cohort_id ?? '')).toHaveLength(2);
});

test('who leaves gets what they paid online from Stripe, and nothing is written by hand', async () => {
  const { entries, leave, wanted } = await createPaidInParts(10_000, 4_000);
  const seen = { balance_minor: 10_000, paid_minor: 14_000 };
  expect((await leave({ ...seen, money: 'refund' })).status).toBe(200);

  const back = { waiveRest: true, reason: 'owner' };
  expect(await wanted()).toMatchObject([
    [{ amountMinor: 10_000, ...back }],
    [{ amountMinor: 4_000, ...back }],
  ]);
  expect(await entries()).toHaveLength(3);
  await leave({ ...seen, money: 'refund' });
  expect((await wanted()).flat()).toHaveLength(2);
});

test('only what was paid otherwise is refunded by hand', async () => {
  const { cohort, entries, id, leave, pay, wanted } = await createPaidInParts(10_000);
  await pay(id, 6_000, { method: 'cash' });
  await leave({ balance_minor: 8_000, paid_minor: 16_000, money: 'refund' });

  expect((await wanted()).flat()).toMatchObject([{ amountMinor: 10_000 }]);
  expect((await entries()).slice(3)).toEqual(['refund 6000', 'waiver -14000']);
  const refund = (await entriesOf(cohort.id)).find(({ kind }) => kind === 'refund');
  expect(refund?.method).toBe('cash');
});

test('Stripe sends back no more than was paid and not given back yet', async () => {
  const { id, leave, refund, rows, wanted } = await createPaidInParts(10_000, 4_000);
  // Given back in cash, and a part that is on its way already.
  await refund(id, 3_000, { method: 'cash' });
  await db.insert(refundsWanted).values({
    ...{ id: crypto.randomUUID(), checkoutId: rows[0]?.id ?? '', ownerId: rows[0]?.ownerId ?? '' },
    ...{ amountMinor: 2_000, reason: 'owner', dueAt: new Date(), createdAt: new Date() },
  });
  setTime(start + minute);
  await leave({ balance_minor: 13_000, paid_minor: 11_000, money: 'refund' });

  const amounts = (await wanted()).map((all) => all.map(({ amountMinor }) => amountMinor));
  expect(amounts).toEqual([expect.arrayContaining([2_000, 5_000]), [4_000]]);
});

test('an account is settled by Stripe, too, and not twice while the money is under way', async () => {
  const { post, id, settle, wanted } = await createPaidInParts(24_000);
  await post(`enrollments/${id}/remove/`, { notify: false });
  const seen = { balance_minor: 0, paid_minor: 24_000, money: 'refund' };
  expect((await settle(seen)).status).toBe(200);
  expect(await settle(seen)).toMatchObject(refused('balance_changed'));

  expect((await wanted()).flat()).toHaveLength(1);
});

test('what Stripe has refused or lost is not asked for again', async () => {
  const { leave, rows, wanted } = await createPaidInParts(24_000);
  await updateRow(checkouts, rows[0], { refundedMinor: 24_000 });
  const left = await leave({ balance_minor: 0, paid_minor: 24_000, money: 'refund' });

  expect(left.status).toBe(200);
  expect((await wanted()).flat()).toEqual([]);
});
