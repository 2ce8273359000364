import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator } from 'emulate';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { stripeStandIn } from '../../scripts/local/stripe/stand-in.ts';
import { startWithRetry } from './free-port.ts';

const ownSecret = 'whsec_of_the_own_account';
const connectedSecret = 'whsec_of_connected_accounts';

/** The app: what it was sent, and as whom it answers. */
const received: { body: string; signature: string }[] = [];
let app: Server;
let url: string;
let stop: () => Promise<void>;
let stripe: Stripe;

beforeAll(async () => {
  app = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    received.push({ body, signature: String(request.headers['stripe-signature']) });
    response.end();
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const appOrigin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const webhookSecret = `${ownSecret} ${connectedSecret}`;
  const service = stripeStandIn({ appOrigin, webhookSecret });
  const standIn = await startWithRetry(() => createEmulator({ service, port: 0 }));
  url = standIn.url;
  stop = () => standIn.close();
  stripe = connect('sk_test_of_this_test');
});

afterAll(async () => {
  await stop();
  app.closeAllConnections();
  app.close();
});

beforeEach(async () => {
  await control('clear');
  received.length = 0;
});

test('a session of an inline price is made once for a key, and refused with another amount or 20 minutes', async () => {
  const [first, again] = [await open('a-key'), await open('a-key')];
  expect(first).toMatchObject({ amount_total: 24_000, currency: 'eur', status: 'open' });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');

  await expect(open('a-key', { unit_amount: 1 })).rejects.toThrow(/only be used with the same/);
  await expect(open('k2', { unit_amount: 49 })).rejects.toMatchObject({ code: 'amount_too_small' });
  await expect(open('k3', {}, { expires_at: inSeconds(1200) })).rejects.toThrow(/at least 30 min/);
  await expect(open('k4', {}, { payment_method_types: ['card'] })).rejects.toThrow(
    'Received unknown parameter: payment_method_types',
  );
  await expect(connect('pk_wrong').refunds.list()).rejects.toMatchObject({ statusCode: 401 });
});

test('a payment by page sends one signed event, and refunds end where the money does', async () => {
  const session = await open('pay');
  expect(await say(`/pay/${session.id}`, { how: 'decline' })).toContain('Your card was declined');
  await say(`/pay/${session.id}`, { how: 'pay' });
  expect(eventOf(ownSecret)).toMatchObject({ type: 'checkout.session.completed' });

  const expand = ['payment_intent.latest_charge'];
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand });
  expect(paid).toMatchObject({
    payment_status: 'paid',
    url: null,
    payment_intent: { latest_charge: { amount_refunded: 0 }, metadata: { checkout: 'c1' } },
  });
  const intent = (paid.payment_intent as Stripe.PaymentIntent).id;
  const refund = await stripe.refunds.create({ payment_intent: intent, amount: 9_000 });
  await expect(stripe.refunds.create({ payment_intent: intent, amount: 15_001 })).rejects.toThrow(
    /greater than unrefunded/,
  );
  await control('act', { action: 'refund_failed', id: refund.id });
  expect(eventOf(ownSecret)).toMatchObject({ type: 'refund.failed' });
  await stripe.refunds.create({ payment_intent: intent });
  await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  const listed = await stripe.refunds.list({ limit: 1, created: { gte: inSeconds(-60) } });
  expect(listed).toMatchObject({ has_more: true, data: [{ amount: 24_000 }] });
});

test('money of a delayed method comes later or not at all, and a disputed payment is not refunded', async () => {
  const sessions = [await open('one'), await open('two')];
  for (const { id } of sessions) {
    await say(`/pay/${id}`, { how: 'pay_later' });
    const { payment_status } = await stripe.checkout.sessions.retrieve(id);
    expect(payment_status).toBe('unpaid');
  }
  const [late, never] = sessions.map(({ id }) => id);
  await control('act', { action: 'bounce', id: never });
  expect(eventOf(ownSecret)).toMatchObject({ type: 'checkout.session.async_payment_failed' });
  await control('act', { action: 'arrive', id: late });
  const event = eventOf(ownSecret);
  expect(event).toMatchObject({ type: 'checkout.session.async_payment_succeeded' });

  const paid = event.data.object as Stripe.Checkout.Session;
  const payment_intent = String(paid.payment_intent);
  const { latest_charge: id } = await stripe.paymentIntents.retrieve(payment_intent);
  await control('act', { action: 'dispute', id });
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  const { data } = await stripe.disputes.list({ payment_intent });
  await control('act', { action: 'lose', id: data[0]?.id });
  expect(eventOf(ownSecret)).toMatchObject({
    type: 'charge.dispute.closed',
    data: { object: { status: 'lost', amount: 24_000 } },
  });
  const cards = { excluded_payment_method_types: ['sepa_debit'] };
  expect(await (await fetch((await open('cards', {}, cards)).url ?? '')).text()).not.toContain(
    'SEPA',
  );
});

test('an account is connected by Accounts v2, and takes payments from then until it is paused', async () => {
  const include = ['configuration.merchant' as const, 'requirements' as const];
  const account = await stripe.v2.core.accounts.create({
    contact_email: 'ada@example.com',
    dashboard: 'full',
    identity: { country: 'FR' },
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    include,
  });
  const as = { stripeAccount: account.id };
  expect(account.requirements?.entries?.[0]?.minimum_deadline.status).toBe('currently_due');
  await expect(open('early', {}, {}, as)).rejects.toThrow(/cannot currently make/);
  await expect(open('x', {}, {}, { stripeAccount: 'acct_x' })).rejects.toMatchObject({
    code: 'account_invalid',
  });

  const onboarding = { refresh_url: `${url}/refresh`, return_url: `${url}/return` };
  const link = await stripe.v2.core.accountLinks.create({
    account: account.id,
    use_case: { type: 'account_onboarding', account_onboarding: onboarding },
  });
  const path = new URL(link.url).pathname;
  await say(path, { how: 'finish' });
  expect(eventOf(connectedSecret)).toMatchObject({ type: 'account.updated', account: account.id });
  const used = await fetch(link.url, { redirect: 'manual' });
  expect(used.headers.get('location')).toBe(onboarding.refresh_url);
  const session = await open('ready', {}, {}, as);
  await expect(stripe.checkout.sessions.retrieve(session.id)).rejects.toMatchObject({
    code: 'resource_missing',
  });

  await control('act', { action: 'pause', id: account.id });
  const paused = await stripe.v2.core.accounts.retrieve(account.id, { include });
  const { card_payments } = paused.configuration?.merchant?.capabilities ?? {};
  expect(card_payments?.status).toBe('restricted');
  await expect(open('late', {}, {}, as)).rejects.toThrow(/cannot currently make/);
});

test('events are lost, held, turned around, repeated and aged as told, and calls fail as told', async () => {
  await control('webhooks', { mode: 'hold' });
  for (const key of ['one', 'two']) {
    await say(`/pay/${(await open(key)).id}`, { how: 'pay' });
  }
  expect(received).toEqual([]);
  await control('webhooks', { mode: 'send', times: 2, age_s: -400 });
  await control('webhooks/release', { order: 'reversed' });
  const ids = received.map(({ body }) => JSON.parse(body).id);
  const { events } = (await (await fetch(`${url}/_control/`)).json()) as {
    events: { id: string }[];
  };
  expect(ids).toEqual([1, 1, 0, 0].map((at) => events[at]?.id));
  // The library refuses what is old, and takes what is of the future.
  expect(() => eventOf(ownSecret)).not.toThrow();
  await control(`events/${ids[0]}/replay`, { age_s: 400 });
  expect(() => eventOf(ownSecret)).toThrow(/tolerance/);

  const work = (by = stripe) => by.refunds.list({ limit: 1 });
  await control('failures', { status: '404-without-error' });
  expect(await work()).toMatchObject({ message: 'Not Found' });
  // The library asks again by itself when a connection breaks.
  for (const [status, count] of [
    [500, 1],
    ['html', 1],
    ['hang', 1],
    ['drop', 2],
  ]) {
    await control('failures', { status, count, path: '/refunds' });
    const impatient = connect('sk_test_of_this_test', 1000);
    await expect(work(status === 'hang' ? impatient : stripe), String(status)).rejects.toThrow();
  }
  await control('failures', { status: 500, after: true });
  await expect(open('lost')).rejects.toThrow(/unknown error/);
  expect((await open('lost')).lastResponse.headers['idempotent-replayed']).toBe('true');
});

type Price = { unit_amount?: number };

function connect(key: string, timeout = 60_000): Stripe {
  const { hostname: host, port } = new URL(url);
  const options = { host, port, protocol: 'http', telemetry: false } as const;
  return new Stripe(key, { ...options, maxNetworkRetries: 0, timeout });
}

function open(idempotencyKey: string, price: Price = {}, more = {}, options = {}) {
  const product_data = { name: 'Reading <aloud>' };
  const price_data = { currency: 'eur', unit_amount: 24_000, product_data, ...price };
  return stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ price_data, quantity: 1 }],
      success_url: `${url}/success`,
      cancel_url: `${url}/cancel`,
      payment_intent_data: { metadata: { checkout: 'c1' } },
      ...more,
    },
    { idempotencyKey, ...options },
  );
}

function eventOf(secret: string): Stripe.Event {
  const { body = '', signature = '' } = received.at(-1) ?? {};
  return stripe.webhooks.constructEvent(body, signature, secret);
}

async function control(path: string, input: object = {}): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(input);
  const response = await fetch(`${url}/_control/${path}`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

async function say(path: string, form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(form);
  const response = await fetch(url + path, { method: 'POST', body, redirect: 'manual' });
  return response.text();
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}
