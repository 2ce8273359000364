import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { requireFound } from '#lib/app-error.ts';
import { contextOn } from '#support/context.ts';
import { hour, minute } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import {
  checkoutOf,
  createFirst,
  createSelling,
  runForMoney,
  startPaying,
  sweepAt,
} from './support.ts';

const given = startPaying();
const { enrolls } = given;

test('a kept place says until when, and what it costs; once paid, nothing more is asked for', async () => {
  const owner = await createFirst({ paymentNote: 'To FR76 3000.', paymentUrl: 'https://pay.test' });
  const payer = await enrolls(owner);
  expect(payer.mail()?.subject).toMatch(
    /^Kept for you until Tuesday, November 24, .+, 2:10 PM: your place in Writing$/,
  );
  expect(payer.mail()?.text).toContain('Pay €240\nhttps://lectern.test/p/');
  await payer.pay();

  const [receipt, enrolled] = given.mailsTo(payer.email).slice(-2).reverse();
  expect(receipt?.text).toContain('Payment method: Online');
  expect(receipt?.text).toContain('This is not an invoice.');
  expect(enrolled?.subject).toContain('You’re in');
  expect(enrolled?.text).toContain('Price: €240.00');
  expect(enrolled?.text).not.toMatch(/How to pay|still|FR76|pay\.test/i);
});

test('an offer says what the place costs then, and a reminder of it what it costs by then', async () => {
  const early = { earlyPriceMinor: 20_000, earlyUntilAt: new Date(start + 30 * hour) };
  const owner = await createFirst(early);
  const [first, next] = [await enrolls(owner), await enrolls(owner)];
  await first.participate('decline');
  expect(next.mail()?.subject).toContain('A place is free for you');
  expect(next.mail()?.text).toContain('yours once you’ve paid €200.');
  setTime(start + 36 * hour);
  await drainOutbox(contextOn(), null);
  expect(next.mail()?.text).toContain('Pay €240\n');
  await sweepAt(start + 49 * hour);
  await drainOutbox(contextOn(), null);

  expect(next.mail()?.subject).toBe('Your place in Writing is no longer kept');
});

test('word of a kept place goes out late even if its end was put off, but not once it is answered', async () => {
  const owner = await createFirst({ capacity: null });
  const [waiting, declined, paid] = [
    await enrolls(owner),
    await enrolls(owner),
    await enrolls(owner),
  ];
  const isHeld = eq(mailsDue.kind, 'place_held');
  const unsent = { sentAt: null, providerId: null, dueAt: new Date(start) };
  await db.update(mailsDue).set(unsent).where(isHeld);
  await declined.participate('decline');
  await paid.pay();
  setTime(start + 35 * minute);
  await waiting.open();
  await drainOutbox(contextOn(), null);

  const rows = await db.select().from(mailsDue).where(isHeld);
  const failures = Object.fromEntries(rows.map((row) => [row.toAddress, row.failure]));
  expect(failures).toEqual({
    [waiting.email]: null,
    [declined.email]: 'not_needed',
    [paid.email]: 'not_needed',
  });
});

test('in the archive, payments and refunds are told, and no one is reminded', async () => {
  const owner = await createSelling();
  const payer = await enrolls(owner);
  const debtors = [await enrolls(owner), await enrolls(owner)];
  const told = () => payer.mail()?.subject;
  // The first reminder goes out at once, the others after the cohort is archived.
  await owner.post('payment-reminders/');
  await owner.post('archive/');
  await payer.pay();
  expect(told()).toMatch('Receipt for €240');
  const { id } = requireFound(await checkoutOf(payer));
  await owner.post(`/api/checkouts/${id}/refunds/`);
  expect(told()).toMatch('Refund of €240');
  await runForMoney(start + hour);
  const mails = [payer, ...debtors].flatMap(({ email }) => given.mailsTo(email));
  expect(mails.filter(({ subject }) => /Still to pay/.test(subject))).toHaveLength(1);
});

test('who pays later reads that they can pay online, as long as their instructor takes payments', async () => {
  const owner = await createSelling({ paymentNote: 'To FR76 3000.' });
  const says = 'You can pay online on your page.';
  const payer = await enrolls(owner);
  expect(payer.mail()?.text).toContain(says);
  await db
    .update(paymentAccounts)
    .set({ chargesEnabled: false })
    .where(eq(paymentAccounts.ownerId, owner.user.id));
  const other = await enrolls(owner);

  expect(other.mail()?.text).not.toContain(says);
  expect(`${payer.mail()?.text}`).not.toContain('FR76');
});
