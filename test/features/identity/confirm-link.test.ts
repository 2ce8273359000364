import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import {
  browserWith,
  createChange,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { userRow } from '#support/rows.ts';
import { confirmPath, userPath } from './paths.ts';
import { accessTo, ago, atOnce, expectRefused, oneOf20 } from './support.ts';

test('the first verification proves the mailbox, signs in, and removes all that was there before', async () => {
  const fromBefore = { googleSub: 'a-google-account', avatarUrl: 'x' };
  const user = await createUser({ emailVerifiedAt: null, ...fromBefore });
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
  expect((await before.get(userPath)).status).toBe(401);
  expect(await userRow(user.id)).toMatchObject({
    googleSub: null,
    avatarUrl: null,
    selectedCourseId: null,
    emailVerifiedAt: expect.any(Date),
  });
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(0);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
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
    (await createChange(unverified)).token,
    await createLink(user, { purpose: 'verification' }),
    await createLink(user, { purpose: 'address_change' }),
    await createLink({ id: user.id, emailCanonical: uniqueEmail() }),
  ]) {
    const browser = createClient();
    await expectRefused(confirmPath, { token }, browser);
    expect(browser.cookies.has('__Host-session')).toBe(false);
  }
  expect((await owner.get(userPath)).status).toBe(200);
});

test.each(['login', 'verification', 'address_change'] as const)(
  'of 20 parallel clicks on a link for %s exactly one counts, and signs in',
  async (purpose) => {
    const { accepted } = fakeResend();
    const user = await createUser({ emailVerifiedAt: purpose === 'verification' ? null : ago(0) });
    const { email, token } =
      purpose === 'address_change'
        ? await createChange(user)
        : { email: user.email, token: await createLink(user, { purpose }) };
    const { statuses, signedIn } = await atOnce(confirmPath, { token });

    expect(statuses).toEqual(oneOf20);
    expect(signedIn).toBe(1);
    const isMoved = purpose === 'address_change';
    expect(await accessTo(user.id)).toEqual([1, 0, isMoved ? 1 : 0]);
    expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
    // The old address is notified once.
    expect(accepted.map(({ to }) => to)).toEqual(isMoved ? [user.email] : []);
    // The browser that has won, and its network.
    expect(await db.$count(knownSignIns, eq(knownSignIns.userId, user.id))).toBe(2);
  },
);

test('the answer is the same for any invalid token', async () => {
  const user = await createUser();
  const used = await createLink(user);
  expect((await createClient().post(confirmPath, { token: used })).status).toBe(200);
  const expired = await createLink(user, { expiresAt: ago(1) });
  const wrong = [used, expired, createToken(), '', '%', 'A'.repeat(64), null, 1, [used], undefined];
  for (const token of wrong) {
    await expectRefused(confirmPath, { token });
  }
});

test('a link is valid until it expires and not a second longer', async () => {
  const user = await createUser();
  const now = Date.now();
  const token = await createLink(user, { expiresAt: new Date(now + 600_000) });
  vi.useFakeTimers({ now: now + 600_001, toFake: ['Date'] });
  await expectRefused(confirmPath, { token });
  vi.setSystemTime(now + 599_000);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
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
