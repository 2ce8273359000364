import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { counters } from '#db/schema/counters.ts';
import { addressRestores, knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import { hashToken } from '#lib/tokens.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { databaseWith } from '#support/database.ts';
import { createLink, createRestore, createSession, createUser, db } from '#support/factories.ts';

const day = 24 * 60 * 60 * 1_000;
const now = Date.UTC(2030, 0, 1, 12, 17);

/** The hourly job of this file, without the others. */
function cleanUp(bindings: Parameters<typeof runByClock>[0] = {}) {
  return runByClock(bindings, { jobs: jobs.filter(({ name }) => name === 'clean-up') });
}

// The clean-up covers the whole database: each test starts with nothing to remove and a paused
// clock.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  await db.batch([
    db.delete(counters),
    db.delete(links),
    db.delete(sessions),
    db.delete(webhookDeliveries),
    db.delete(addressRestores),
    db.delete(knownSignIns),
  ]);
});
afterEach(() => {
  vi.useRealTimers();
});

test('links, sessions, counters, delivery ids, restores and known sign-ins are removed the moment they expire, and not a millisecond before', async () => {
  const user = await createUser();
  const token = {
    live: await createLink(user, { purpose: 'login', expiresAt: new Date(now + 1) }),
    expired: await createLink(user, { purpose: 'address_change', expiresAt: new Date(now) }),
    longExpired: await createLink(await createUser(), { expiresAt: new Date(now - 400 * day) }),
    fresh: await createSession(user.id),
    notIdle: await createSession(user.id, ages(40 * day, 30 * day - 1)),
    idle: await createSession(user.id, ages(40 * day, 30 * day)),
    young: await createSession(user.id, ages(90 * day - 1, 0)),
    old: await createSession(user.id, ages(90 * day, 0)),
  };
  await db
    .insert(counters)
    .values([counterUntil('live', now + 1), counterUntil('expired', now), counterUntil('old', 1)]);
  await db.insert(webhookDeliveries).values([
    { id: 'live', expiresAt: new Date(now + 1) },
    { id: 'expired', expiresAt: new Date(now) },
  ]);
  await createRestore(user, { id: 'live', expiresAt: new Date(now + 1) });
  await createRestore(user, { id: 'expired', expiresAt: new Date(now) });
  await db.insert(knownSignIns).values([
    { userId: user.id, origin: 'live', expiresAt: new Date(now + 1) },
    { userId: user.id, origin: 'expired', expiresAt: new Date(now) },
    { userId: user.id, origin: 'long expired', expiresAt: new Date(1) },
  ]);
  await cleanUp();

  expect((await db.select().from(links)).map(({ tokenHash }) => tokenHash)).toEqual([
    await hashToken(token.live),
  ]);
  expect((await db.select().from(sessions)).map(({ tokenHash }) => tokenHash).sort()).toEqual(
    (await Promise.all([token.fresh, token.notIdle, token.young].map(hashToken))).sort(),
  );
  expect((await db.select().from(counters)).map(({ key }) => key)).toEqual(['live']);
  expect((await db.select().from(webhookDeliveries)).map(({ id }) => id)).toEqual(['live']);
  expect((await db.select().from(addressRestores)).map(({ id }) => id)).toEqual(['live']);
  expect((await db.select().from(knownSignIns)).map(({ origin }) => origin)).toEqual(['live']);
  expect(loggedEvents()).toEqual([
    {
      event: 'cleaned_up',
      request_id: expect.any(String),
      user_id: null,
      links: 2,
      sessions: 2,
      counters: 2,
      webhookDeliveries: 1,
      addressRestores: 1,
      knownSignIns: 2,
      enrollmentRequests: 0,
      courseInterests: 0,
      learnerCodes: 0,
      is_done: true,
    },
  ]);
});

test('the tables take turns, 1,000 rows each; a run ends when its time is up and logs that, and the next one continues until nothing is left', async () => {
  await addExpired('counters', 4_500);
  await addExpired('webhook_deliveries', 10);
  // Two minutes per statement.
  const slow = databaseWith({
    prepare: (query) => {
      vi.setSystemTime(Date.now() + 2 * 60_000);
      return env.DB.prepare(query);
    },
  });
  await cleanUp({ DB: slow });
  expect(loggedEvents('cleaned_up')).toMatchObject([
    { counters: 1_000, webhookDeliveries: 10, is_done: false },
  ]);
  expect(await db.$count(counters)).toBe(3_500);

  await cleanUp({ DB: slow });
  expect(await db.$count(counters)).toBe(2_500);
  await cleanUp();
  expect(loggedEvents('cleaned_up').at(-1)).toMatchObject({ counters: 2_500, is_done: true });
  expect(await db.$count(counters)).toBe(0);
});

test('a failed run does not repeat the words of its cause, which are in the log', async () => {
  await createLink(await createUser(), { expiresAt: new Date(now) });
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'CANARY'); END",
  );
  const error = await cleanUp().catch((reason: Error) => reason);
  await env.DB.exec('DROP TRIGGER broken');
  const [line = '', ...more] = takeNoise();
  const { event, request_id } = JSON.parse(line);

  expect(event).toBe('failure');
  expect(error?.message).toBe(`The clean-up failed; the log has more under ${request_id}`);
  expect(error?.cause).toBeUndefined();
  expect(line).toContain('CANARY');
  expect(more).toEqual([]);
  expect(loggedEvents('cleaned_up')).toEqual([]);
});

/** Rows of a table that expire now, without rows they depend on. */
async function addExpired(table: 'counters' | 'webhook_deliveries', count: number) {
  const [columns, values] = {
    counters: ['key, window_start, count, expires_at', "'key ' || n, 0, 1"],
    webhook_deliveries: ['id, expires_at', "'id ' || n"],
  }[table];
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO ${table} (${columns}) SELECT ${values}, ? FROM numbers`,
  )
    .bind(count, now)
    .run();
}

function ages(sinceCreated: number, sinceSeen: number) {
  return { createdAt: new Date(now - sinceCreated), lastSeenAt: new Date(now - sinceSeen) };
}

function counterUntil(key: string, expiresAt: number) {
  return { key, windowStart: new Date(0), count: 1, expiresAt: new Date(expiresAt) };
}
