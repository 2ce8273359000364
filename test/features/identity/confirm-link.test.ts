import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import {
  browserWith,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { userRow } from '#support/rows.ts';
import { createBrowsers, expectRefused } from './address-thefts.ts';
import { confirmPath, userPath } from './paths.ts';

test('the first verification proves the mailbox, signs in, and removes all that was there before', async () => {
  const user = await createUser({
    emailVerifiedAt: null,
    googleSub: 'a-google-account',
    avatarUrl: 'x',
  });
  const course = await createCourseRow(user.id);
  await db.update(users).set({ selectedCourseId: course.id }).where(eq(users.id, user.id));
  const before = browserWith(await createSession(user.id));
  await createLink(user, { purpose: 'login' });
  const token = await createLink(user, { purpose: 'verification' });
  const client = createClient();
  const response = await client.post(confirmPath, { token });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ redirect_to: '/' });
  const account = { id: user.id, email: user.email, email_verified: true };
  expect(await (await client.get(userPath)).json()).toMatchObject(account);
  expect(await userRow(user.id)).toMatchObject({
    googleSub: null,
    avatarUrl: null,
    selectedCourseId: null,
    emailVerifiedAt: expect.any(Date),
  });
  expect(await db.select().from(courses).where(eq(courses.ownerId, user.id))).toEqual([]);
  expect((await before.get(userPath)).status).toBe(401);
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(1);
  expect(await db.select().from(links).where(eq(links.userId, user.id))).toHaveLength(0);
});

test('a login link leaves other sessions of the account alone', async () => {
  const { client: elsewhere, user } = await createSignedInClient();
  const client = createClient();
  await client.post(confirmPath, { token: await createLink(user) });

  expect((await client.get(userPath)).status).toBe(200);
  expect((await elsewhere.get(userPath)).status).toBe(200);
});

test('a link works only for its purpose, its address and the state of the account that it was made for', async () => {
  const { client: owner, user } = await createSignedInClient();
  const unverified = await createUser({ emailVerifiedAt: null });
  for (const token of [
    await createLink(unverified),
    await createLink(user, { purpose: 'verification' }),
    await createLink(user, { purpose: 'address_change' }),
    await createLink({ id: user.id, emailCanonical: uniqueEmail() }),
  ]) {
    expect((await createClient().post(confirmPath, { token })).status).toBe(400);
  }

  expect(await db.$count(sessions, eq(sessions.userId, unverified.id))).toBe(0);
  expect((await owner.get(userPath)).status).toBe(200);
});

test('of 20 parallel confirmations of one link exactly one creates a session', async () => {
  for (const purpose of ['login', 'verification'] as const) {
    const user = await createUser({ emailVerifiedAt: purpose === 'login' ? new Date() : null });
    const token = await createLink(user, { purpose });
    const clients = await createBrowsers(20);
    const responses = await Promise.all(
      clients.map((client) => client.post(confirmPath, { token })),
    );

    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(400)]);
    expect(clients.filter(({ cookies }) => cookies.has('__Host-session'))).toHaveLength(1);
    expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(1);
    expect(await db.select().from(links).where(eq(links.userId, user.id))).toHaveLength(0);
    // The browser that has won, and its network.
    expect(await db.$count(knownSignIns, eq(knownSignIns.userId, user.id))).toBe(2);
  }
});

test('the answer is the same for any invalid token', async () => {
  const user = await createUser();
  const used = await createLink(user);
  expect((await createClient().post(confirmPath, { token: used })).status).toBe(200);
  const expired = await createLink(user, { expiresAt: new Date(Date.now() - 1) });
  const wrong = [used, expired, createToken(), '', '%', 'A'.repeat(64), null, 1, [used], undefined];
  for (const token of wrong) {
    await expectRefused(confirmPath, token);
  }
});

test('a link is valid until it expires and not a second longer', async () => {
  const user = await createUser();
  const now = Date.now();
  const token = await createLink(user, { expiresAt: new Date(now + 600_000) });
  vi.useFakeTimers({ now: now + 600_001, toFake: ['Date'] });
  expect((await createClient().post(confirmPath, { token })).status).toBe(400);
  vi.setSystemTime(now + 599_000);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  vi.useRealTimers();
});

test('every sign-in makes a new session and ends the one that the browser had, even if it was another user’s', async () => {
  const { client, user: other } = await createSignedInClient();
  const former = client.cookies.get('__Host-session') ?? '';
  const user = await createUser();
  await client.post(confirmPath, { token: await createLink(user) });
  const first = client.cookies.get('__Host-session') ?? '';
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: user.id });
  expect(await db.$count(sessions, eq(sessions.userId, other.id))).toBe(0);
  await client.post(confirmPath, { token: await createLink(user) });

  const made = createToken();
  const chooser = browserWith(made);
  await chooser.post(confirmPath, { token: await createLink(other) });
  expect((await chooser.get(userPath)).status).toBe(200);
  for (const dead of [former, first, made]) {
    expect((await browserWith(dead).get(userPath)).status).toBe(401);
  }
});

test('the session cookie is for our host, not readable by scripts, and stored as a hash', async () => {
  const user = await createUser();
  const client = createClient();
  const headers = { 'User-Agent': 'x'.repeat(1_000) };
  const token = await createLink(user);
  const response = await client.post(confirmPath, { token }, { headers });

  const cookie = response.headers.getSetCookie().find((text) => text.startsWith('__Host-session='));
  expect(cookie).toMatch(/^__Host-session=[0-9a-f]{64}; /);
  const attributes = new Set(cookie?.split('; ').slice(1));
  expect(attributes).toEqual(
    new Set(['Max-Age=7776000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
  const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(row?.tokenHash).toBe(await hashToken(client.cookies.get('__Host-session') ?? ''));
  expect(row?.userAgent).toHaveLength(255);
});
