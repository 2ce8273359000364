import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { sweep } from '#features/places/sweep.ts';
import { contextOn } from '#support/context.ts';
import { db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import { createSelling, deliverLast, enrolls, runForMoney, type Stripe } from './support.ts';

const [minute, hour] = [60 * 1000, 60 * 60 * 1000];
const given = startFresh();
let stripe: Stripe;
beforeEach(() => {
  stripe = fakeStripe();
});

const createFirst = (values = {}) => createSelling({ paymentMode: 'online_first', ...values });

async function pays(payer: { open: () => Promise<unknown> }) {
  await payer.open();
  stripe.pay();
  await deliverLast(stripe, 'checkout.session.completed');
}

async function sweepAt(time: number): Promise<void> {
  setTime(time);
  await sweep(contextAt(time));
  await drainOutbox(contextOn(), null);
}

test('a kept place says until when, and what it costs; once paid, nothing more is asked for', async () => {
  const owner = await createFirst({ paymentNote: 'To FR76 3000.', paymentUrl: 'https://pay.test' });
  const payer = await enrolls(given, owner);
  expect(payer.mail()?.subject).toMatch(
    /^Kept for you until Tuesday, November 24, .+, 2:10 PM: your place in Writing$/,
  );
  expect(payer.mail()?.text).toContain('Pay €240\nhttps://lectern.test/p/');
  await pays(payer);

  const [receipt, enrolled] = mailsTo(payer.email, given.resend.accepted).slice(-2).reverse();
  expect(receipt?.text).toContain('Payment method: Online');
  expect(receipt?.text).toContain('This is not an invoice.');
  expect(enrolled?.subject).toContain('You’re in');
  expect(enrolled?.text).toContain('Price: €240.00');
  expect(enrolled?.text).not.toMatch(/How to pay|still|FR76|pay\.test/i);
});

test('an offer says what the place costs then, and a reminder of it what it costs by then', async () => {
  const early = { earlyPriceMinor: 20_000, earlyUntilAt: new Date(start + 30 * hour) };
  const owner = await createFirst({ capacity: 1, ...early });
  const [first, next] = [await enrolls(given, owner), await enrolls(given, owner)];
  await first.participate('decline');
  expect(next.mail()?.subject).toContain('A place is free for you');
  expect(next.mail()?.text).toContain('yours once you’ve paid €200.');
  setTime(start + 36 * hour);
  await drainOutbox(contextOn(), null);
  expect(next.mail()?.text).toContain('Pay €240\n');
  await sweepAt(start + 49 * hour);

  expect(next.mail()?.subject).toBe('Your place in Writing is no longer kept');
});

test('word of a kept place goes out late even if its end was put off, but not once it is answered', async () => {
  const owner = await createFirst({ capacity: null });
  const people = [
    await enrolls(given, owner),
    await enrolls(given, owner),
    await enrolls(given, owner),
  ];
  const [waiting, declined, paid] = people as [Payer, Payer, Payer];
  const isHeld = eq(mailsDue.kind, 'place_held');
  const unsent = { sentAt: null, providerId: null, dueAt: new Date(start) };
  await db.update(mailsDue).set(unsent).where(isHeld);
  await declined.participate('decline');
  await pays(paid);
  setTime(start + 35 * minute);
  await waiting.open();
  await drainOutbox(contextOn(), null);

  const rows = await db.select().from(mailsDue).where(isHeld);
  const failureOf = new Map(rows.map(({ toAddress, failure }) => [toAddress, failure]));
  expect(people.map(({ email }) => failureOf.get(email))).toEqual([
    null,
    'not_needed',
    'not_needed',
  ]);
});

type Payer = Awaited<ReturnType<typeof enrolls>>;

test('a payment without a place is said to both, with until when, and so is its way back', async () => {
  const owner = await createFirst({ capacity: 1 });
  const [late] = [await enrolls(given, owner), await enrolls(given, owner)];
  await late.open();
  stripe.pay();
  await sweepAt(start + 71 * minute);
  await deliverLast(stripe, 'checkout.session.completed');
  const toOwner = () => mailsTo(owner.user.email, given.resend.accepted).at(-1);

  expect(late.mail()?.subject).toBe('Your payment of €240 for Writing came too late');
  const until = /decides until (.+ at 2:11 PM \(Paris\)) whether/.exec(late.mail()?.text ?? '');
  expect(until).not.toBeNull();
  expect(toOwner()?.text).toContain(`pay it back by ${until?.[1]}.`);
  expect(toOwner()?.text).toContain('Decide now\nhttps://lectern.test/payments\n');
  setTime(start + 71 * minute + 24 * hour);
  await runForMoney();
  expect(late.mail()?.subject).toBe('Refund of €240: Writing');
  expect(toOwner()?.subject).toMatch(/^Refunded automatically: €240 to /);
});

test('who pays later reads that they can pay online, as long as their instructor takes payments', async () => {
  const owner = await createSelling({ paymentNote: 'To FR76 3000.' });
  const says = 'You can pay online on your page.';
  const payer = await enrolls(given, owner);
  expect(payer.mail()?.text).toContain(says);
  await db
    .update(paymentAccounts)
    .set({ chargesEnabled: false })
    .where(eq(paymentAccounts.ownerId, owner.user.id));
  const other = await enrolls(given, owner);

  expect(other.mail()?.text).not.toContain(says);
  expect(`${payer.mail()?.text}`).not.toContain('FR76');
});
