import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findAudiences } from '#features/messages/audiences.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { createRunOwner } from '../self-paced/run-owner.ts';
import { message } from './support.ts';

const fresh = startFresh();

const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(start - days * day);

test('in an open run, a message reaches those who are stuck, also before the clock has noticed', async () => {
  const { run, user, enroll, send } = await createRunOwner({ priceMinor: 1_000, currency: 'EUR' });
  await enroll('Stuck', { lastSeenAt: daysAgo(20), quietAt: null, standing: 'stuck' });
  await enroll('Silent', { lastSeenAt: daysAgo(15) });
  await enroll('Reading', { lastSeenAt: daysAgo(2) });
  await enroll('Idle', { quietAt: daysAgo(1) });
  const { counts } = await ask(contextAt(start), {
    counts: findAudiences(run.id, [])(contextAt(start), sql`${user.id}`),
  });
  expect(counts).toEqual({ enrolled: 4, stuck: 2, owing: 4, waitlist: 0, chosen: 0 });

  const to = { ...message, audience: 'stuck' };
  expect((await send('POST', 'messages/', { ...to, dry_run: true })).body).toMatchObject({
    summary: 'It goes to 2 people.',
    email: { subject: 'Bring chairs (Fiction)' },
  });
  expect(await send('POST', 'messages/', to)).toMatchObject({ status: 202 });
  await drainByClock();
  const greetings = fresh.resend.accepted.map(({ text }) => /Hello (.*),/.exec(text)?.[1]);
  expect(greetings.sort()).toEqual(['Silent', 'Stuck']);
});
