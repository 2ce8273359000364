import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { knownSignIns, sessions } from '#db/schema/sign-in.ts';
import type { Session } from '#features/identity/schema.ts';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { day, hour } from '#support/days.ts';
import {
  browserWith,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
} from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { fakeResend } from '#support/resend.ts';
import {
  accessTo,
  accountIn,
  ago,
  confirm,
  confirmPath,
  endSession,
  logoutPath,
  requestLogin,
  sessionsPath,
  signedIn,
  userPath,
} from './support.ts';

test('sessions end 30 days after the last visit or 90 days after the login', async () => {
  const { id } = await createUser();
  for (const [sinceCreated, sinceSeen, isLive] of [
    [40 * day, 30 * day, false],
    [40 * day, 30 * day - 5_000, true],
    // Though in daily use.
    [90 * day, day, false],
    [90 * day - 5_000, day, true],
  ] as const) {
    const values = { createdAt: ago(sinceCreated), lastSeenAt: ago(sinceSeen) };
    const browser = browserWith(await createSession(id, values));
    expect(await signedIn(browser), `${sinceCreated}, ${sinceSeen}`).toEqual([isLive]);
  }
});

test('a visit is recorded once a day, after its answer', async () => {
  const lastSeenAt = ago(day);
  const { id } = await createUser();
  const client = browserWith(await createSession(id, { lastSeenAt }));
  const visit = async () => {
    await client.get(userPath);
    await settled();
    const session = await db.select().from(sessions).where(eq(sessions.userId, id)).get();
    return session?.lastSeenAt.getTime();
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  const first = await visit();
  expect(first).toBeGreaterThan(lastSeenAt.getTime());
  vi.setSystemTime(Date.now() + hour);
  expect(await visit()).toBe(first);
});

test('logging out ends the session permanently and changes the CSRF token', async () => {
  const { client, user } = await createSignedInClient();
  await client.get(userPath);
  const session = client.cookies.get('__Host-session') ?? '';
  const csrf = client.cookies.get('__Host-csrftoken');

  expect((await client.post(logoutPath)).status).toBe(204);
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(client.cookies.get('__Host-csrftoken')).not.toBe(csrf);
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  // The next login needs no page load before it, and an API read in between does no harm.
  fakeResend();
  await client.get('/api/health/');
  expect((await requestLogin(user.email, client)).status).toBe(200);
  client.cookies.set('__Host-session', session);
  expect(await signedIn(client)).toEqual([false]);
  // Logging out again is not an error.
  expect((await client.post(logoutPath)).status).toBe(204);
});

test('of two cookies with one name the first counts, and no other name or value does', async () => {
  const { client } = await createSignedInClient();
  const session = client.cookies.get('__Host-session') ?? '';
  const status = async (cookie: string) =>
    (await createClient().get(userPath, { headers: { Cookie: cookie } })).status;

  expect(await status(`__Host-session=${session}; __Host-session=x`)).toBe(200);
  expect(await status(`__Host-session=x; __Host-session=${session}`)).toBe(401);
  expect(await status('__Host-session=%')).toBe(401);
  expect(await status(`session=${session}`)).toBe(401);
  expect(await status(`__host-session=${session}`)).toBe(401);
});

test('interleaved requests of two users never mix', async () => {
  const people = [await createSignedInClient(), await createSignedInClient()];
  const requests = Array.from({ length: 20 }, () => people).flat();
  const found = await Promise.all(requests.map(({ client }) => accountIn(client)));

  expect(found.map(({ id }) => id)).toEqual(requests.map(({ user }) => user.id));
});

test('the list contains one’s own live sessions, most recently seen first', async () => {
  const user = await createUser();
  const current = {
    id: crypto.randomUUID(),
    createdAt: ago(3 * day),
    lastSeenAt: ago(2 * hour),
    userAgent: 'Firefox',
  };
  const older = { ...current, id: crypto.randomUUID(), lastSeenAt: ago(20 * day) };
  const newer = { ...current, id: crypto.randomUUID(), lastSeenAt: ago(hour), userAgent: 'Safari' };
  await createSession(user.id, older);
  const client = browserWith(await createSession(user.id, current));
  await createSession(user.id, newer);
  await createSession(user.id, { createdAt: ago(40 * day), lastSeenAt: ago(30 * day) });
  await createSession(user.id, { createdAt: ago(90 * day), lastSeenAt: ago(hour) });
  await createSignedInClient();
  const response = await client.get(sessionsPath);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(
    [newer, current, older].map(({ id, createdAt, lastSeenAt, userAgent }) => ({
      id,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      user_agent: userAgent,
      is_current: id === current.id,
    })),
  );
});

test('one session is ended by its id, and no other', async () => {
  const { client, user } = await createSignedInClient();
  const id = crypto.randomUUID();
  const ended = browserWith(await createSession(user.id, { id }));
  const kept = browserWith(await createSession(user.id));

  expect(await endSession(client, id)).toBe(204);
  expect(await signedIn(ended, kept, client)).toEqual([false, true, true]);
  expect(loggedEvents('sessions_ended')).toMatchObject([{ user_id: user.id, count: 1 }]);
  expect(await endSession(client, id)).toBe(404);
});

/** The account's known browsers and networks, oldest first. */
async function knownOrigins(userId: string): Promise<string[]> {
  const rows = await db
    .select({ origin: knownSignIns.origin })
    .from(knownSignIns)
    .where(eq(knownSignIns.userId, userId))
    .orderBy(sql`rowid`);
  return rows.map(({ origin }) => origin);
}

test('“others” ends all sessions and forgets all browsers and networks except the caller’s, and having none is not an error', async () => {
  const user = await createUser();
  /** A browser that is new here, on a network of its own. */
  const signIn = async () => {
    const client = createClient();
    await confirm({ token: await createLink(user) }, client);
    return client;
  };
  const [client, other] = [await signIn(), await signIn()];
  const { client: stranger } = await createSignedInClient();
  const known = await knownOrigins(user.id);
  expect(known).toHaveLength(4);
  expect(await endSession(client, 'others')).toBe(204);

  expect(await signedIn(other, client, stranger)).toEqual([false, true, true]);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
  expect(await knownOrigins(user.id)).toEqual(known.slice(0, 2));

  const again = await client.request('DELETE', `${sessionsPath}others/`);
  expect(again.status).toBe(204);
  expect(again.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-bookmark=/)]);
});

test('another user’s session and malformed ids are not found, and all sessions stay alive', async () => {
  const { client, user } = await createSignedInClient();
  const { client: stranger, user: other } = await createSignedInClient();
  const [own] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  const before = await db.select().from(sessions);
  const ids = [await currentId(stranger), other.id, own?.tokenHash ?? '', 'CURRENT', 'all', '%'];
  for (const id of [...ids, crypto.randomUUID()]) {
    expect(await endSession(client, id), id).toBe(404);
  }

  expect(await db.select().from(sessions)).toEqual(before);
});

async function currentId(client: Client): Promise<string> {
  const list = await (await client.get(sessionsPath)).json<Session[]>();
  return list.find(({ is_current }) => is_current)?.id ?? '';
}

/** A browser whose login page was asked to lead back. */
function clientOnItsWayTo(next: string): Client {
  const client = createClient();
  client.cookies.set('return_to', encodeURIComponent(next));
  return client;
}

test('an emailed link leads to the page that asked for the sign-in, once, also after one that does not work', async () => {
  const user = await createUser();
  const client = clientOnItsWayTo('/settings?tab=a#sessions');
  expect((await confirm({ token: 'x' }, client)).status).toBe(400);
  const first = await client.post(confirmPath, { token: await createLink(user) });
  expect(await first.json()).toEqual({ redirect_to: '/settings?tab=a#sessions' });
  expect(first.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^return_to=; Max-Age=0; Path=\//),
  );
  const second = await confirm({ token: await createLink(user) }, client);

  expect(second.body).toEqual({ redirect_to: '/' });
});

test('Google leads to the page that asked for the sign-in, also after a refusal, and either way only to a page of ours', async () => {
  const google = fakeGoogle();
  const client = clientOnItsWayTo('/settings/billing');
  await google.signIn(client, googlePerson({ email_verified: false }));
  const callback = await google.signIn(client, googlePerson());
  expect(callback.headers.get('Location')).toBe('/settings/billing');
  expect(client.cookies.has('return_to')).toBe(false);

  const abroad = await google.signIn(clientOnItsWayTo('//evil.test'), googlePerson());
  expect(abroad.headers.get('Location')).toBe('/');
  const token = await createLink(await createUser());
  const { body } = await confirm({ token }, clientOnItsWayTo('//evil.test'));
  expect(body).toEqual({ redirect_to: '/' });
});
