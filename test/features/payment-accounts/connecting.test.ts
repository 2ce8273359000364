import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { settled } from '#support/background.ts';
import { createSignedInClient, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { deliverEvent, fakeStripe } from '#support/stripe.ts';
import { createSelling, deliverLast, type Stripe } from '../checkouts/support.ts';
import { startFresh } from '../places/fresh.ts';
import { refused } from '../places/support.ts';

const path = '/api/payment-account/';
const given = startFresh();

let stripe: Stripe;
beforeEach(() => {
  stripe = fakeStripe();
});

/** A signed-in instructor, and what they do about their account at Stripe. */
async function createInstructor() {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  const send = async (method: string, to = '', input?: object) => {
    await client.get('/api/health/');
    const response = await client.request(method, `${path}${to}`, input);
    await settled();
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  return {
    user,
    send,
    connect: (country = 'FR') => send('POST', '', { country }),
    read: async () => (await send('GET')).body,
    mails: () => mailsTo(user.email, given.resend.accepted).length,
    account: () => Object.values(stripe.state.accounts).at(-1)?.id ?? '',
  };
}

test('an instructor connects an account of their own, in parts, and hears of it by email', async () => {
  await createSelling();
  const { connect, read, send, account, mails } = await createInstructor();
  // That of another is not theirs.
  expect(await read()).toMatchObject({ status: 'none', account_hint: null });
  expect(await connect('France')).toMatchObject(refused('validation_failed', 400));
  const first = await connect();
  expect(first).toMatchObject({ status: 201, body: { redirect_to: expect.any(String) } });
  expect(stripe.state.accounts[account()]).toMatchObject({ country: 'FR', status: 'restricted' });
  expect(await read()).toMatchObject({ status: 'unfinished', missing: expect.any(Array) });

  stripe.act('finish_in_part', account());
  expect(await send('POST', 'check/')).toMatchObject({ status: 204 });
  expect((await read()).missing).toHaveLength(1);
  // It continues with the same account.
  expect(await connect()).toMatchObject({ status: 200 });
  stripe.act('finish', account());
  await deliverLast(stripe, 'account.updated');
  expect(await read()).toMatchObject({
    ...{ status: 'ready', country: 'FR', missing: [], account_hint: account().slice(-4) },
  });
  expect([Object.keys(stripe.state.accounts).length, mails()]).toEqual([2, 1]);
});

test('Stripe pauses an account: that is known, mailed once, and over when Stripe says so', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const status = async () => (await owner.client.get(path)).json<{ status: string }>();
  stripe.act('pause', owner.account);
  await deliverLast(stripe, 'account.updated');
  await deliverLast(stripe, 'account.updated');
  expect(await status()).toMatchObject({ status: 'paused' });
  const [mail, ...more] = mailsTo(owner.user.email, given.resend.accepted);
  expect([mail?.subject, more]).toEqual(['Stripe has paused payments to you', []]);
  expect(mail?.text).toContain('https://lectern.test/settings/payments\n');
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  stripe.act('resume', owner.account);
  await deliverLast(stripe, 'account.updated');
  expect(await status()).toMatchObject({ status: 'ready' });
  stripe.act('disconnect', owner.account);
  await deliverLast(stripe, 'account.application.deauthorized');
  expect(await status()).toMatchObject({ status: 'none' });
});

test('disconnecting waits until no one is paying, and connecting again is the same account', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  expect(await owner.send('DELETE', path)).toMatchObject(refused('payments_open'));
  stripe.act('expire', stripe.sessions()[0]?.id ?? '');
  await deliverLast(stripe, 'checkout.session.expired');
  expect(await owner.send('DELETE', path)).toMatchObject({ status: 204 });
  expect(await owner.send('DELETE', path)).toMatchObject({ status: 404 });
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  expect(await owner.send('POST', path, { country: 'FR' })).toMatchObject({ status: 201 });
  const row = await db
    .select()
    .from(paymentAccounts)
    .where(eq(paymentAccounts.ownerId, owner.user.id))
    .get();
  expect(row).toMatchObject({ stripeAccount: owner.account, disconnectedAt: null });
});

test('deleting an account ends its open payment pages', async () => {
  const owner = await createSelling();
  await (await owner.person()).open();
  expect(await owner.send('DELETE', `/api/accounts/${owner.user.id}/`)).toMatchObject({
    status: 204,
  });
  expect(stripe.sessions()).toMatchObject([{ status: 'expired' }]);
});

test('an event of an unknown account is accepted, so that Stripe does not repeat it', async () => {
  const account = 'acct_unknown';
  const unknown = { type: 'account.updated', account, object: { id: account } };
  expect((await deliverEvent(unknown)).status).toBe(200);
});
