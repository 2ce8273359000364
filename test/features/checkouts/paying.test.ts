import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ask } from '#db/query.ts';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { people } from '#db/schema/people.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { requireFound } from '#lib/app-error.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { deliverEvent, fakeStripe } from '#support/stripe.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { checkBalances } from '../ledger/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import { checkoutOf, createSelling, deliverLast, runForMoney, type Stripe } from './support.ts';

const minute = 60 * 1000;
const given = startFresh();
checkBalances();

let stripe: Stripe;
beforeEach(() => {
  stripe = fakeStripe();
});

const paid = 'checkout.session.completed';
const payments = async ({ entries }: { entries: () => Promise<{ kind: string }[]> }) =>
  (await entries()).filter(({ kind }) => kind === 'payment');

test('someone pays what they owe on the account of their instructor, who types nothing', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const opened = await payer.open();
  expect(opened).toMatchObject({ status: 200, body: { url: expect.stringContaining('/pay/') } });
  expect(stripe.sessions()).toMatchObject([
    {
      account: owner.account,
      amount_total: 24_000,
      currency: 'eur',
      customer_email: payer.person.email,
      client_reference_id: opened.body.checkout_id,
    },
  ]);
  // Stripe keeps the addresses to which it leads back.
  expect(JSON.stringify(stripe.sessions())).not.toContain(payer.link);
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await payments(owner)).toMatchObject([
    { amountMinor: -24_000, method: 'online', source: 'stripe', createdBy: 'person' },
  ]);
  const [receipt, ...others] = mailsTo(payer.person.email, given.resend.accepted);
  expect([receipt?.text, others]).toEqual([expect.stringContaining('This is not an invoice'), []]);
  expect(await payer.open()).toMatchObject(refused('nothing_owed'));
});

test('returning from Stripe asks before the event comes, and otherwise the clock asks', async () => {
  const owner = await createSelling();
  const [here, away] = [await owner.person(), await owner.person()];
  const { body } = await here.open();
  expect(await here.check(body.checkout_id)).toMatchObject({ body: { payment: 'open' } });
  stripe.pay();
  expect(await here.check(body.checkout_id)).toMatchObject({
    status: 200,
    body: { payment: 'paid', to_pay_online: null },
  });
  await away.open();
  stripe.pay();
  setTime(start + 5 * minute);
  await runForMoney();
  expect(await payments(owner)).toHaveLength(2);
});

test('without events the clock asks after 2, 5, 15 and 60 minutes, and once the page has ended', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const { sessionId } = (await checkoutOf(payer)) ?? {};
  const asked = () =>
    stripe.state.calls.filter(({ path }) => path === `/v1/checkout/sessions/${sessionId}`).length;
  for (const after of [2, 5, 15, 60, 23 * 60 + 1]) {
    const before = asked();
    // Who comes back and asks changes nothing about that.
    await (after === 5 ? payer.check((await checkoutOf(payer))?.id ?? '') : null);
    setTime(start + (after - 1) * minute);
    await runForMoney();
    expect(asked() - before, `${after} minutes`).toBe(after === 5 ? 1 : 0);
    setTime(start + after * minute);
    await runForMoney();
    expect(asked() - before, `${after} minutes`).toBe(after === 5 ? 2 : 1);
  }
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired', checkAt: null });
});

test('while Stripe does not answer nothing is lost, for the person, the event and the clock', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const { body } = await payer.open();
  stripe.pay();
  stripe.fail('/v1/checkout/sessions', 500, { count: 20 });
  expect(await payer.check(body.checkout_id)).toMatchObject(refused('payment_unavailable', 503));
  expect((await deliverEvent(stripe.event(paid))).status).toBe(503);
  setTime(start + 2 * minute);
  await runForMoney();
  takeNoise();
  expect((await checkoutOf(payer))?.status).toBe('open');
  stripe.recover();
  setTime(start + 5 * minute);
  await runForMoney();
  expect(await payments(owner)).toHaveLength(1);
});

test('where access was taken back, a page counts as ended when its time is over', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const { body } = await payer.open();
  stripe.act('disconnect', owner.account);
  expect(await payer.check(body.checkout_id)).toMatchObject(refused('payment_unavailable', 503));
  takeNoise();
  setTime(start + 24 * 60 * minute);
  await runForMoney();
  expect((await checkoutOf(payer))?.status).toBe('expired');
});

test('an event that comes twenty times at once, and late, is one entry', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  // As a request has read it that is slower than all others.
  const { rows } = await ask(contextAt(start), {
    rows: checkoutRows(sql`o.enrollment_id = ${payer.id}`),
  });
  stripe.pay();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => deliverEvent(stripe.event(paid))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const once = await checkoutOf(payer);
  setTime(start + minute);
  await lookUp(contextAt(start + minute), requireFound(rows[0]));
  await deliverLast(stripe, paid);
  await runForMoney();
  expect(await checkoutOf(payer)).toEqual(once);
  expect(await payments(owner)).toHaveLength(1);
});

test('two tabs get one page, and what was paid otherwise meanwhile is no longer asked for', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const tabs = await Promise.all(Array.from({ length: 10 }, () => payer.open()));
  // Of ten at once, some may find the page not made yet.
  const pages = tabs.filter(({ status }) => status === 200).map(({ body }) => body.url);
  expect(new Set(pages)).toEqual(new Set([(await payer.open()).body.url]));
  expect(stripe.sessions()).toHaveLength(1);

  const transfer = { kind: 'payment', enrollments: [payer.id], amount_minor: 9_000 };
  const received = { method: 'transfer', received_on: '2026-11-20' };
  expect(await owner.post('ledger/', { ...transfer, ...received })).toMatchObject({ status: 201 });
  await payer.open();
  expect(stripe.sessions().map(({ status, amount_total: amount }) => [status, amount])).toEqual([
    ['expired', 24_000],
    ['open', 15_000],
  ]);
});

test('no amount, currency or address comes from a request, and no one pays for another', async () => {
  const owner = await createSelling();
  const [payer, other] = [await owner.person(), await owner.person()];
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
  stripe.pay();
  const event = stripe.event(paid);
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
    expect(
      (await deliverEvent(event, delivery)).status,
      JSON.stringify(delivery).slice(0, 60),
    ).toBe(status);
  }
  const unknown = { ...event?.object, client_reference_id: crypto.randomUUID() };
  expect((await deliverEvent(event && { ...event, object: unknown })).status).toBe(200);
  expect(await payments(owner)).toEqual([]);
});

test.each([500, 'html', '404-without-error', 'drop', 'hang'] as const)(
  'if Stripe answers %s, the person reads that, and pays with the next attempt',
  async (status) => {
    // The worker waits for seconds, and then asks again.
    const wait = globalThis.setTimeout;
    const timer = vi.spyOn(globalThis, 'setTimeout');
    timer.mockImplementation((run, ms = 0, ...given) => wait(run, Math.min(ms, 50), ...given));
    onTestFinished(() => timer.mockRestore());
    const owner = await createSelling();
    const payer = await owner.person();
    stripe.fail('/v1/checkout/sessions', status);
    expect(await payer.open()).toMatchObject(refused('payment_unavailable', 503));
    stripe.recover();
    takeNoise();
    expect(await payer.open()).toMatchObject({ status: 200 });
    expect(stripe.sessions()).toHaveLength(1);
  },
);

test('a page of which Stripe’s answer was lost is found again, even if Stripe keeps the error', async () => {
  const owner = await createSelling();
  for (const saved of [false, true]) {
    const payer = await owner.person();
    stripe.fail('/v1/checkout/sessions', 500, { after: true, saved });
    expect(await payer.open()).toMatchObject(refused('payment_unavailable', 503));
    stripe.recover();
    setTime(Date.now() + 30_000);
    const again = await payer.open();
    const { body } = saved ? await payer.open() : again;
    expect(again.status).toBe(saved ? 503 : 200);
    expect(body).toMatchObject({ url: stripe.sessions().at(-1)?.url });
    expect((await checkoutOf(payer))?.status).toBe('open');
  }
  takeNoise();
  // The page that no one knows, and the others.
  expect(stripe.sessions()).toHaveLength(3);
});

test('a page that no one paid on ends, and a later payment of it counts', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const [session] = stripe.sessions();
  stripe.act('expire', session?.id ?? '');
  await deliverLast(stripe, 'checkout.session.expired');
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired', checkAt: null });
  // As with a webhook of yesterday that Stripe sends again.
  Object.assign(session ?? {}, { status: 'open' });
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await payments(owner)).toHaveLength(1);
});

test('a bank that takes its time is waited for, and may say no', async () => {
  const owner = await createSelling();
  const [sure, poor] = [await owner.person(), await owner.person()];
  const says = async (payer: typeof sure, arrives: 'arrive' | 'bounce') => {
    const { body } = await payer.open();
    const id = stripe.sessions().at(-1)?.id ?? '';
    stripe.act('pay_later', id);
    expect(await payer.check(body.checkout_id)).toMatchObject({
      body: { payment: 'confirming', to_pay_online: null },
    });
    stripe.act(arrives, id);
    return (await payer.check(body.checkout_id)).body.payment;
  };
  const voucher = await owner.person();
  const { body } = await voucher.open();
  stripe.act('pay_later', stripe.sessions().at(-1)?.id ?? '');
  const intent = rowsOf(stripe.state, 'payment_intent').at(-1);
  Object.assign(intent ?? {}, { status: 'requires_action' });
  expect(await voucher.check(body.checkout_id)).toMatchObject({ body: { payment: 'confirming' } });
  expect(await voucher.open()).toMatchObject(refused('payment_confirming'));
  expect(await says(sure, 'arrive')).toBe('paid');
  expect(await says(poor, 'bounce')).toBe('expired');
  expect(await poor.open()).toMatchObject({ status: 200 });
});

test('without an account, a mode or Stripe itself, no one is sent anywhere', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const set = (paymentMode: 'own' | 'online') =>
    db.update(cohorts).set({ paymentMode }).where(eq(cohorts.id, owner.cohort.id));
  await set('own');
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  await set('online');
  await db.update(paymentAccounts).set({ chargesEnabled: false });
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  const bindings = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  const input = { link: payer.link, enrollment_id: payer.id };
  const path = '/api/participation/checkout/';
  const off = await createClient().request('POST', path, input, { bindings });
  expect([off.status, (await off.json<{ code: string }>()).code]).toEqual([422, 'payment_off']);
  expect((await deliverEvent(stripe.event(paid), { bindings })).status).toBe(404);
  expect(stripe.sessions()).toEqual([]);
});

test('an address that Stripe does not take is left out', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await db.update(people).set({ email: 'élodie' }).where(eq(people.id, payer.person.id));
  expect(await payer.open()).toMatchObject({ status: 200 });
  expect(stripe.sessions()).toMatchObject([{ customer_email: null }]);
});

test('owners whom the operator has named are paid on the operator’s account', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const bindings = { STRIPE_OWN_ACCOUNT_FOR: owner.user.email };
  const input = { link: payer.link, enrollment_id: payer.id };
  await createClient().request('POST', '/api/participation/checkout/', input, { bindings });
  expect(stripe.sessions()).toMatchObject([{ account: null, amount_total: 24_000 }]);
});
