import { expect, test } from 'vitest';
import { createEnrollment } from '#support/factories.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { refused } from '../places/support.ts';
import { createOwner } from './support.ts';

startFresh();

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
  const nameOf = (address: string) =>
    Object.values(crowd).find(({ person }) => person.email === address)?.person.name;
  return {
    ...owner,
    ...crowd,
    sentTo: async (input: object) => {
      const { status } = await write(input);
      await drainByClock();
      return [status, ...accepted.splice(0).map(({ to }) => nameOf(to))].sort();
    },
  };
}

test('a message goes to those whom it is for', async () => {
  const { sentTo, read } = await createCrowd();
  expect(await sentTo({ audience: 'owing' })).toEqual([202, 'Owing']);
  expect(await sentTo({ audience: 'waitlist' })).toEqual([202, 'Waiting']);
  expect(await sentTo({})).toEqual([202, 'Owing', 'Paid']);

  const { messages } = await read<{ messages: { audience: string }[] }>('emails/');
  expect(messages.map(({ audience }) => audience).sort()).toEqual([
    'enrolled',
    'owing',
    'waitlist',
  ]);
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

test('a key of a message to some is not used for others', async () => {
  const { write } = await createCrowd();
  const key = { headers: { 'Idempotency-Key': 'one' } };
  await write({ audience: 'owing' }, key);
  const again = await write({ audience: 'waitlist' }, key);
  expect(again).toMatchObject({ body: { code: 'idempotency_key_reused' } });
});

test('a key of a message to chosen people is not used for other chosen ones', async () => {
  const { paid, waiting, left, mailCount, write } = await createCrowd();
  const options = { headers: { 'Idempotency-Key': 'to-some' } };
  const to = (...enrollments: string[]) => write({ audience: 'chosen', enrollments }, options);
  const first = await to(paid.id, left.id);
  expect(first).toMatchObject({ status: 202, body: { recipients: 1 } });
  expect(await to(left.id, paid.id)).toEqual(first);
  expect(await to(waiting.id)).toMatchObject(refused('idempotency_key_reused'));
  expect(await to(paid.id, waiting.id)).toMatchObject(refused('idempotency_key_reused'));

  expect(await mailCount()).toBe(1);
});
