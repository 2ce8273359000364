import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask } from '#db/query.ts';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { people } from '#db/schema/people.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { settlePayments } from '#features/checkouts/settle-payments.ts';
import { requireFound } from '#lib/app-error.ts';
import { takeNoise } from '#support/console.ts';
import { minute } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { deliverEvent } from '#support/stripe.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { received } from '../ledger/support.ts';
import { contextAt, start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createSelling,
  deliverLast,
  payLast,
  runForMoney,
  startPaying,
} from './support.ts';

const paid = 'checkout.session.completed';
const given = startPaying();

/** An instructor who is paid online, and someone who owes them 240 euros. */
async function createOwing() {
  const owner = await createSelling();
  return { owner, payer: await owner.person() };
}

test('someone pays what they owe on the account of their instructor, who types nothing', async () => {
  const { owner, payer } = await createOwing();
  const opened = await payer.open();
  expect(opened).toMatchObject({ status: 200, body: { url: expect.stringContaining('/pay/') } });
  expect(given.stripe.sessions()).toMatchObject([
    {
      account: owner.account,
      amount_total: 24_000,
      currency: 'eur',
      customer_email: payer.person.email,
      client_reference_id: opened.body.checkout_id,
    },
  ]);
  // Stripe keeps the addresses to which it leads back.
  expect(JSON.stringify(given.stripe.sessions())).not.toContain(payer.link);
  await payLast();
  const payment = { amountMinor: -24_000, method: 'online', source: 'stripe', createdBy: 'person' };
  expect(await owner.entries()).toMatchObject([
    { kind: 'charge' },
    { kind: 'payment', ...payment },
  ]);
  const [receipt, ...others] = given.mailsTo(payer.person.email);
  expect([receipt?.text, others]).toEqual([expect.stringContaining('This is not an invoice'), []]);
  expect(await payer.open()).toMatchObject(refused('nothing_owed'));
});

test('returning from Stripe asks before the event comes, and otherwise the clock asks', async () => {
  const { owner, payer: here } = await createOwing();
  const away = await owner.person();
  const { body } = await here.open();
  expect(await here.check(body.checkout_id)).toMatchObject({ body: { payment: 'open' } });
  given.stripe.pay();
  const paidHere = { status: 200, body: { payment: 'paid', to_pay_online: null } };
  expect(await here.check(body.checkout_id)).toMatchObject(paidHere);
  await away.open();
  given.stripe.pay();
  await runForMoney(start + 5 * minute);
  expect(await owner.amounts('payment')).toEqual([-24_000, -24_000]);
});

test('without events the clock asks after as long again as a page is open, and once it has ended', async () => {
  const { payer } = await createOwing();
  const { body } = await payer.open();
  const { sessionId } = (await checkoutOf(payer)) ?? {};
  const asked = () =>
    given.stripe.state.calls.filter(({ path }) => path.endsWith(`/sessions/${sessionId}`)).length;
  for (const after of [2, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 23 * 60 + 1]) {
    const before = asked();
    await runForMoney(start + (after - 1) * minute);
    expect(asked() - before, `${after} minutes`).toBe(0);
    await runForMoney(start + after * minute);
    expect(asked() - before, `${after} minutes`).toBe(1);
    // Who comes back and asks changes nothing about that.
    await payer.check(body.checkout_id);
  }
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired', checkAt: null });
});

test('without events one run settles sixteen payments with the fifty requests that it has', async () => {
  const owner = await createSelling();
  for (let payers = 0; payers < 17; payers += 1) {
    await (await owner.person()).open();
    given.stripe.pay();
  }
  const ctx = contextAt(start + 2 * minute);
  await settlePayments(ctx);
  expect(await owner.amounts('payment')).toHaveLength(16);
  expect(ctx.requests.made).toBeLessThanOrEqual(50);
});

test('while Stripe does not answer nothing is lost, for the person, the event and the clock', async () => {
  const { owner, payer } = await createOwing();
  const { body } = await payer.open();
  given.stripe.pay();
  given.stripe.fail('/v1/checkout/sessions', 500, { count: 20 });
  expect(await payer.check(body.checkout_id)).toMatchObject(refused('payment_unavailable', 503));
  expect((await deliverEvent(given.stripe.event(paid))).status).toBe(503);
  await runForMoney(start + 2 * minute);
  takeNoise();
  expect((await checkoutOf(payer))?.status).toBe('open');
  given.stripe.recover();
  await runForMoney(start + 5 * minute);
  expect(await owner.amounts('payment')).toHaveLength(1);
});

test('where access was taken back, a page counts as ended when its time is over', async () => {
  const { owner, payer } = await createOwing();
  const { body } = await payer.open();
  given.stripe.act('disconnect', owner.account);
  expect(await payer.check(body.checkout_id)).toMatchObject(refused('payment_unavailable', 503));
  takeNoise();
  await runForMoney(start + 24 * 60 * minute);
  expect((await checkoutOf(payer))?.status).toBe('expired');
});

test('an event that comes twenty times at once, and late, is one entry', async () => {
  const { owner, payer } = await createOwing();
  await payer.open();
  // As a request has read it that is slower than all others.
  const { rows } = await ask(contextAt(start), {
    rows: checkoutRows(contextAt(start), sql`o.enrollment_id = ${payer.id}`),
  });
  given.stripe.pay();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => deliverEvent(given.stripe.event(paid))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const once = await checkoutOf(payer);
  setTime(start + minute);
  await lookUp(contextAt(start + minute), requireFound(rows[0]));
  await deliverLast(paid);
  await runForMoney();
  expect(await checkoutOf(payer)).toEqual(once);
  expect(await owner.amounts('payment')).toHaveLength(1);
});

test('two tabs get one page, and what was paid otherwise meanwhile is no longer asked for', async () => {
  const { owner, payer } = await createOwing();
  const tabs = await Promise.all(Array.from({ length: 10 }, () => payer.open()));
  // Of ten at once, some may find the page not made yet.
  const pages = tabs.filter(({ status }) => status === 200).map(({ body }) => body.url);
  expect(new Set(pages)).toEqual(new Set([(await payer.open()).body.url]));
  expect(given.stripe.sessions()).toHaveLength(1);

  const transfer = { kind: 'payment', enrollments: [payer.id], amount_minor: 9_000 };
  expect(await owner.post('ledger/', { ...transfer, ...received })).toMatchObject({ status: 201 });
  await payer.open();
  expect(
    given.stripe.sessions().map(({ status, amount_total: amount }) => [status, amount]),
  ).toEqual([
    ['expired', 24_000],
    ['open', 15_000],
  ]);
});

test('no amount, currency or address comes from a request, and no one pays for another', async () => {
  const { owner, payer } = await createOwing();
  const other = await owner.person();
  for (const more of [{ amount: 1 }, { currency: 'USD' }, { success_url: 'https://evil.test' }]) {
    expect(await payer.open(more)).toMatchObject(refused('validation_failed', 400));
  }
  expect(await payer.open({ enrollment_id: other.id })).toMatchObject(refused('not_found', 404));
  expect(await payer.open({ link: `${payer.link.slice(0, -1)}x` })).toMatchObject({ status: 400 });
  const { body } = await payer.open();
  expect(await other.check(body.checkout_id)).toMatchObject(refused('not_found', 404));
});

test('only Stripe’s own signature of the last five minutes counts', async () => {
  const owner = await createSelling();
  await (await owner.person()).open();
  given.stripe.pay();
  const event = given.stripe.event(paid);
  const own = env.STRIPE_WEBHOOK_SECRET.split(' ')[0] ?? '';
  const refusals = [
    [{ secret: 'whsec_of_someone_else' }, 401],
    [{ at: -6 * 60 }, 401],
    [{ at: 6 * 60 }, 401],
    [{ header: '' }, 401],
    [{ header: `t=${'1,v1='.repeat(20_000)}` }, 401],
    [{ header: `t=${Math.floor(start / 1000)},t=1,v1=${'0'.repeat(64)}` }, 401],
    [{ raw: '{}' }, 401],
    [{ raw: 'x'.repeat(300_000) }, 413],
    // Signed, but of another account: it changes nothing.
    [{ account: 'acct_of_another' }, 200],
    [{ account: null, secret: own }, 200],
  ] as const;
  for (const [delivery, status] of refusals) {
    const answer = await deliverEvent(event, delivery);
    expect(answer.status, JSON.stringify(delivery).slice(0, 60)).toBe(status);
  }
  const unknown = { ...event?.object, client_reference_id: crypto.randomUUID() };
  expect((await deliverEvent(event && { ...event, object: unknown })).status).toBe(200);
  expect(await owner.amounts('payment')).toEqual([]);
});

test.each([500, 'html', '404-without-error', 'drop', 'hang'] as const)(
  'if Stripe answers %s, the person reads that, and pays with the next attempt',
  async (status) => {
    // The worker waits for seconds, and then asks again.
    const wait = globalThis.setTimeout;
    const timer = vi.spyOn(globalThis, 'setTimeout');
    timer.mockImplementation((run, ms = 0, ...given) => wait(run, Math.min(ms, 50), ...given));
    onTestFinished(() => timer.mockRestore());
    const { payer } = await createOwing();
    given.stripe.fail('/v1/checkout/sessions', status);
    expect(await payer.open()).toMatchObject(refused('payment_unavailable', 503));
    given.stripe.recover();
    takeNoise();
    expect(await payer.open()).toMatchObject({ status: 200 });
    expect(given.stripe.sessions()).toHaveLength(1);
  },
);

test('a page of which Stripe’s answer was lost is found again, even if Stripe keeps the error', async () => {
  const owner = await createSelling();
  for (const saved of [false, true]) {
    const payer = await owner.person();
    given.stripe.fail('/v1/checkout/sessions', 500, { after: true, saved });
    expect(await payer.open()).toMatchObject(refused('payment_unavailable', 503));
    given.stripe.recover();
    setTime(Date.now() + 30_000);
    const again = await payer.open();
    const { body } = saved ? await payer.open() : again;
    expect(again.status).toBe(saved ? 503 : 200);
    expect(body).toMatchObject({ url: given.stripe.sessions().at(-1)?.url });
    expect((await checkoutOf(payer))?.status).toBe('open');
  }
  takeNoise();
  // The page that no one knows, and the others.
  expect(given.stripe.sessions()).toHaveLength(3);
});

test('a page that no one paid on ends, and a later payment of it counts', async () => {
  const { owner, payer } = await createOwing();
  await payer.open();
  const [session] = given.stripe.sessions();
  given.stripe.act('expire', session?.id ?? '');
  await deliverLast('checkout.session.expired');
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired', checkAt: null });
  // As with a webhook of yesterday that Stripe sends again.
  Object.assign(session ?? {}, { status: 'open' });
  await payLast();
  expect(await owner.amounts('payment')).toHaveLength(1);
});

test('a bank that takes its time is waited for, and may say no', async () => {
  const { owner, payer: voucher } = await createOwing();
  const [sure, poor] = [await owner.person(), await owner.person()];
  const says = async (payer: typeof sure, arrives: 'arrive' | 'bounce') => {
    const { body } = await payer.open();
    const id = given.stripe.sessions().at(-1)?.id ?? '';
    given.stripe.act('pay_later', id);
    const confirming = { payment: 'confirming', to_pay_online: null };
    expect(await payer.check(body.checkout_id)).toMatchObject({ body: confirming });
    given.stripe.act(arrives, id);
    return (await payer.check(body.checkout_id)).body.payment;
  };
  const { body } = await voucher.open();
  given.stripe.act('pay_later', given.stripe.sessions().at(-1)?.id ?? '');
  const intent = rowsOf(given.stripe.state, 'payment_intent').at(-1);
  Object.assign(intent ?? {}, { status: 'requires_action' });
  expect(await voucher.check(body.checkout_id)).toMatchObject({ body: { payment: 'confirming' } });
  expect(await voucher.open()).toMatchObject(refused('payment_confirming'));
  expect(await says(sure, 'arrive')).toBe('paid');
  expect(await says(poor, 'bounce')).toBe('expired');
  expect(await poor.open()).toMatchObject({ status: 200 });
});

test('without an account, a mode or Stripe itself, no one is sent anywhere', async () => {
  const { owner, payer } = await createOwing();
  const off = refused('payment_off');
  await updateRow(cohorts, owner.cohort, { paymentMode: 'own' });
  expect(await payer.open()).toMatchObject(off);
  await updateRow(cohorts, owner.cohort, { paymentMode: 'online' });
  await db.update(paymentAccounts).set({ chargesEnabled: false });
  expect(await payer.open()).toMatchObject(off);
  const bindings = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  expect(await payer.open({}, bindings)).toMatchObject(off);
  expect((await deliverEvent(given.stripe.event(paid), { bindings })).status).toBe(404);
  expect(given.stripe.sessions()).toEqual([]);
});

test('an address that Stripe does not take is left out', async () => {
  const { payer } = await createOwing();
  await updateRow(people, payer.person, { email: 'élodie' });
  expect(await payer.open()).toMatchObject({ status: 200 });
  expect(given.stripe.sessions()).toMatchObject([{ customer_email: null }]);
});

test('owners whom the operator has named are paid on the operator’s account', async () => {
  const { owner, payer } = await createOwing();
  await payer.open({}, { STRIPE_OWN_ACCOUNT_FOR: owner.user.email });
  expect(given.stripe.sessions()).toMatchObject([{ account: null, amount_total: 24_000 }]);
});
