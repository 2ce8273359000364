import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { db } from '#support/factories.ts';
import { deliverEvent } from '#support/stripe.ts';
import {
  checkoutOf,
  createSelling,
  deliverLast,
  runForMoney,
  startPaying,
} from '../checkouts/support.ts';
import { createOwner, refused } from '../places/support.ts';

const path = '/api/payment-account/';
const given = startPaying();

test('an instructor connects an account of their own, in parts, and hears of it by email', async () => {
  await createSelling();
  const { send, user } = await createOwner();
  const read = async () => (await send('GET', path)).body;
  const connect = (country: string) => send('POST', path, { country });
  const account = () => Object.values(given.stripe.state.accounts).at(-1)?.id ?? '';
  // That of another is not theirs.
  expect(await read()).toMatchObject({ status: 'none', account_hint: null });
  expect(await connect('France')).toMatchObject(refused('validation_failed', 400));
  const first = await connect('FR');
  expect(first).toMatchObject({ status: 201, body: { redirect_to: expect.any(String) } });
  const made = { country: 'FR', status: 'restricted' };
  expect(given.stripe.state.accounts[account()]).toMatchObject(made);
  expect(await read()).toMatchObject({ status: 'unfinished', missing: expect.any(Array) });

  given.stripe.act('finish_in_part', account());
  expect(await send('POST', `${path}check/`)).toMatchObject({ status: 204 });
  expect(await read()).toMatchObject({ missing: [expect.any(String)] });
  // It continues with the same account.
  expect(await connect('FR')).toMatchObject({ status: 200 });
  given.stripe.act('finish', account());
  await deliverLast('account.updated');
  const ready = { status: 'ready', country: 'FR', missing: [] };
  expect(await read()).toMatchObject({ ...ready, account_hint: account().slice(-4) });
  expect(Object.keys(given.stripe.state.accounts)).toHaveLength(2);
  expect(given.mailsTo(user.email)).toHaveLength(1);
});

test('Stripe pauses an account: that is known, mailed once, and over when Stripe says so', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  const status = async () => (await owner.client.get(path)).json<{ status: string }>();
  given.stripe.act('pause', owner.account);
  await deliverLast('account.updated');
  await deliverLast('account.updated');
  expect(await status()).toMatchObject({ status: 'paused' });
  const [mail, ...more] = given.mailsTo(owner.user.email);
  expect([mail?.subject, more]).toEqual(['Stripe has paused payments to you', []]);
  expect(mail?.text).toMatch(/^Hello Anna,/);
  expect(mail?.text).toContain('https://lectern.test/settings/payments\n');
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  given.stripe.act('resume', owner.account);
  await deliverLast('account.updated');
  expect(await status()).toMatchObject({ status: 'ready' });
  given.stripe.act('disconnect', owner.account);
  await deliverLast('account.application.deauthorized');
  expect(await status()).toMatchObject({ status: 'none' });
});

test('disconnecting ends the pages on which people pay, and connecting again is the same account', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  expect(await owner.send('DELETE', path)).toMatchObject({ status: 204 });
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
  await runForMoney();
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired' });
  expect(await owner.send('DELETE', path)).toMatchObject({ status: 404 });
  expect(await payer.open()).toMatchObject(refused('payment_off'));
  expect(await owner.send('POST', path, { country: 'FR' })).toMatchObject({ status: 201 });
  const isOwners = eq(paymentAccounts.ownerId, owner.user.id);
  expect(await db.select().from(paymentAccounts).where(isOwners)).toMatchObject([
    { stripeAccount: owner.account, disconnectedAt: null },
  ]);
});

test('deleting an account ends its open payment pages', async () => {
  const owner = await createSelling();
  await (await owner.person()).open();
  expect((await owner.send('DELETE', `/api/accounts/${owner.user.id}/`)).status).toBe(204);
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
});

test('an event of an unknown account is accepted, so that Stripe does not repeat it', async () => {
  const account = 'acct_unknown';
  const unknown = { type: 'account.updated', account, object: { id: account } };
  expect((await deliverEvent(unknown)).status).toBe(200);
});
