import { beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { counters } from '#db/schema/counters.ts';
import { addressRestores, knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { slowDatabase, whileFailing } from '#support/database.ts';
import {
  copyRow,
  createLink,
  createRestore,
  createSession,
  createUser,
  db,
} from '#support/factories.ts';

const day = 24 * 60 * 60 * 1_000;
const now = Date.UTC(2030, 0, 1, 12, 17);

/** The hourly job of this file, without the others. */
function cleanUp(bindings: Parameters<typeof runByClock>[0] = {}) {
  return runByClock(bindings, { jobs: jobs.filter(({ name }) => name === 'clean-up') });
}

// The clean-up covers the whole database: each test starts with nothing to remove.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const tables = [counters, links, sessions, webhookDeliveries, addressRestores, knownSignIns];
  for (const table of tables) {
    await db.delete(table);
  }
});
test('links, sessions, counters, delivery ids, restores and known sign-ins are removed the moment they expire, and not a millisecond before', async () => {
  const user = await createUser();
  const [live, expired, old] = [now + 1, now, 1].map((time) => ({ expiresAt: new Date(time) }));
  await createLink(user, { ...live, id: 'live', purpose: 'login' });
  await createLink(user, { ...expired, purpose: 'address_change' });
  await createLink(await createUser(), old);
  await createSession(user.id, { id: 'new' });
  await createSession(user.id, { id: 'not idle', ...ages(40 * day, 30 * day - 1) });
  await createSession(user.id, { id: 'young', ...ages(90 * day - 1, 0) });
  await createSession(user.id, ages(40 * day, 30 * day));
  await createSession(user.id, ages(90 * day, 0));
  const counter = { windowStart: new Date(0), count: 1 };
  for (const [key, until] of Object.entries({ live, expired, old })) {
    const expiresAt = until?.expiresAt ?? new Date();
    await db.insert(counters).values({ ...counter, key, expiresAt });
    await db.insert(webhookDeliveries).values({ id: key, expiresAt });
    await createRestore(user, { id: key, expiresAt });
    await db.insert(knownSignIns).values({ userId: user.id, origin: key, expiresAt });
  }
  await cleanUp();

  expect(await db.select().from(links)).toMatchObject([{ id: 'live' }]);
  const left = await db.select().from(sessions);
  expect(left.map(({ id }) => id).sort()).toEqual(['new', 'not idle', 'young']);
  expect(await db.select().from(counters)).toMatchObject([{ key: 'live' }]);
  expect(await db.select().from(webhookDeliveries)).toMatchObject([{ id: 'live' }]);
  expect(await db.select().from(addressRestores)).toMatchObject([{ id: 'live' }]);
  expect(await db.select().from(knownSignIns)).toMatchObject([{ origin: 'live' }]);
  expect(loggedEvents()).toEqual([
    {
      event: 'cleaned_up',
      request_id: expect.any(String),
      user_id: null,
      ...{ links: 2, sessions: 2, counters: 2, webhookDeliveries: 2, addressRestores: 2 },
      ...{ knownSignIns: 2, enrollmentRequests: 0, courseInterests: 0, learnerCodes: 0 },
      is_done: true,
    },
  ]);
});

test('the tables take turns, 1,000 rows each; a run ends when its time is up and logs that, and the next one continues until nothing is left', async () => {
  const expiresAt = new Date(now);
  await createRestore(await createUser(), { id: 'gone', expiresAt });
  await copyRow('address_restores', 'gone', 4_499, { token_hash: 'token_hash || n' });
  await db.insert(webhookDeliveries).values({ id: 'gone', expiresAt });
  await copyRow('webhook_deliveries', 'gone', 9);
  const slow = slowDatabase(2 * 60_000);
  await cleanUp({ DB: slow });
  expect(loggedEvents('cleaned_up')).toMatchObject([
    { addressRestores: 1_000, webhookDeliveries: 10, is_done: false },
  ]);
  expect(await db.$count(addressRestores)).toBe(3_500);

  await cleanUp({ DB: slow });
  expect(await db.$count(addressRestores)).toBe(2_500);
  await cleanUp();
  expect(loggedEvents('cleaned_up').at(-1)).toMatchObject({
    addressRestores: 2_500,
    is_done: true,
  });
  expect(await db.$count(addressRestores)).toBe(0);
});

test('a failed run does not repeat the words of its cause, which are in the log', async () => {
  await createLink(await createUser(), { expiresAt: new Date(now) });
  const run = () => cleanUp().catch((reason: Error) => reason);
  const error = await whileFailing('DELETE ON links', run);
  const [line = '', ...more] = takeNoise();
  const { event, request_id } = JSON.parse(line);

  expect(event).toBe('failure');
  expect(error?.message).toBe(`The clean-up failed; the log has more under ${request_id}`);
  expect(error?.cause).toBeUndefined();
  expect(line).toContain('broken');
  expect(more).toEqual([]);
  expect(loggedEvents('cleaned_up')).toEqual([]);
});

function ages(sinceCreated: number, sinceSeen: number) {
  return { createdAt: new Date(now - sinceCreated), lastSeenAt: new Date(now - sinceSeen) };
}
