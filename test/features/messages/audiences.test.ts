import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findAudiences } from '#features/messages/audiences.ts';
import { day } from '#support/days.ts';
import { createEnrollment } from '#support/factories.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { refused } from '../places/support.ts';
import { createSelfPaced } from '../self-paced/owner.ts';
import { createOwner, message } from './support.ts';

const fresh = startFresh();

/** People of a cohort that costs 240 euros, and who gets what is written to some of them. */
async function createCrowd() {
  const owner = await createOwner({ priceMinor: 24_000, currency: 'EUR' });
  const { accepted, cohort, post, write } = owner;
  const of = (name: string, status = {}) => createEnrollment(cohort, status, { name });
  const crowd = {
    paid: await of('Paid'),
    owing: await of('Owing'),
    waiting: await of('Waiting', { status: 'waitlisted', queueNo: 1 }),
    left: await of('Left', { status: 'left' }),
  };
  const how = { method: 'cash', received_on: '2026-11-20' };
  await post('ledger/', { kind: 'payment', enrollments: [crowd.paid.id], ...how });
  const people = Object.values(crowd).map(({ person }) => person);
  const sentTo = async (input: object) => {
    const { status } = await write(input);
    await drainByClock();
    const names = accepted
      .splice(0)
      .map(({ to }) => people.find(({ email }) => email === to)?.name);
    return [status, ...names].sort();
  };
  return { ...owner, ...crowd, sentTo };
}

test('a message goes to those whom it is for', async () => {
  const { sentTo, read } = await createCrowd();
  expect(await sentTo({ audience: 'owing' })).toEqual([202, 'Owing']);
  expect(await sentTo({ audience: 'waitlist' })).toEqual([202, 'Waiting']);
  expect(await sentTo({})).toEqual([202, 'Owing', 'Paid']);

  const { messages } = await read<{ messages: { audience: string }[] }>('emails/');
  const audiences = messages.map(({ audience }) => audience);
  expect(audiences.sort()).toEqual(['enrolled', 'owing', 'waitlist']);
});

test('chosen people get a message only if they take part or wait, and are in the cohort', async () => {
  const others = await createCrowd();
  const { paid, waiting, left, sentTo, write } = await createCrowd();
  const enrollments = [paid.id, waiting.id, left.id, others.owing.id];
  expect(await sentTo({ audience: 'chosen', enrollments })).toEqual([202, 'Paid', 'Waiting']);
  const preview = await write({ audience: 'chosen', enrollments, dry_run: true });
  expect(preview.body).toMatchObject({
    summary: 'It goes to 2 people. 2 people you chose aren’t taking part and won’t get it.',
  });
  const none = refused('message_without_recipients');
  expect(await write({ audience: 'chosen', enrollments: [left.id] })).toMatchObject(none);
  expect(await write({ audience: 'chosen' })).toMatchObject(none);
});

test('in an open run, a message reaches those who are stuck, also before the clock has noticed', async () => {
  const price = { price_minor: 1_000, currency: 'EUR' };
  const { run, user, enroll, post } = await createSelfPaced(price, 'Fiction');
  const daysAgo = (days: number) => new Date(start - days * day);
  await enroll('Stuck', { lastSeenAt: daysAgo(20), quietAt: null, standing: 'stuck' });
  await enroll('Silent', { lastSeenAt: daysAgo(15) });
  await enroll('Reading', { lastSeenAt: daysAgo(2) });
  await enroll('Idle', { quietAt: daysAgo(1) });
  const ctx = contextAt(start);
  const { counts } = await ask(ctx, { counts: findAudiences(run.id, [])(ctx, sql`${user.id}`) });
  expect(counts).toEqual({ enrolled: 4, stuck: 2, owing: 4, waitlist: 0, chosen: 0 });

  const to = { ...message, audience: 'stuck' };
  expect(await post('messages/', { ...to, dry_run: true })).toMatchObject({
    body: { summary: 'It goes to 2 people.', email: { subject: 'Bring chairs (Fiction)' } },
  });
  expect(await post('messages/', to)).toMatchObject({ status: 202 });
  await drainByClock();
  const greetings = fresh.resend.accepted.map(({ text }) => /Hello (.*),/.exec(text)?.[1]);
  expect(greetings.sort()).toEqual(['Silent', 'Stuck']);
});
