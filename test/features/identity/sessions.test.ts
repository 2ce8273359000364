import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { knownSignIns, sessions } from '#db/schema/sign-in.ts';
import type { Session } from '#features/identity/schema.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
import {
  browserWith,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { confirmPath, userPath } from './paths.ts';

const logoutPath = '/api/accounts/auth/logout/';
const sessionsPath = '/api/accounts/auth/sessions/';
const hour = 60 * 60 * 1000;
const day = 24 * hour;

test.each([
  ['not seen for 30 days', 40 * day, 30 * day, 401],
  ['seen just within 30 days', 40 * day, 30 * day - 5_000, 200],
  ['90 days old, though in daily use', 90 * day, day, 401],
  ['just within 90 days', 90 * day - 5_000, day, 200],
])(
  'sessions end 30 days after the last visit or 90 days after the login: %s',
  async (_age, sinceCreated, sinceSeen, status) => {
    const values = { createdAt: ago(sinceCreated), lastSeenAt: ago(sinceSeen) };
    const client = browserWith(await createSession((await createUser()).id, values));

    expect((await client.get(userPath)).status).toBe(status);
  },
);

test('a visit is recorded once a day', async () => {
  const user = await createUser();
  const lastSeenAt = ago(day);
  const client = browserWith(await createSession(user.id, { lastSeenAt }));
  const seen = async () =>
    (
      await db.select().from(sessions).where(eq(sessions.userId, user.id)).get()
    )?.lastSeenAt.getTime();

  await client.get(userPath);
  // After the answer, which does not wait for it.
  await vi.waitFor(async () => expect(await seen()).toBeGreaterThan(lastSeenAt.getTime()), 10_000);
  const first = await seen();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await client.get(userPath);
  expect(await seen()).toBe(first);
});

test('logging out ends the session permanently and changes the CSRF token', async () => {
  const { client, user } = await createSignedInClient();
  await client.get(userPath);
  const session = client.cookies.get('__Host-session') ?? '';
  const csrf = client.cookies.get('__Host-csrftoken');
  const response = await client.post(logoutPath);

  expect(response.status).toBe(204);
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(client.cookies.get('__Host-csrftoken')).not.toBe(csrf);
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(0);
  // The next login needs no page load before it, and an API read in between does no harm.
  fakeResend();
  await client.get('/api/health/');
  const login = await client.post('/api/accounts/auth/login/', { email: user.email });
  expect(login.status).toBe(200);
  client.cookies.set('__Host-session', session);
  expect((await client.get(userPath)).status).toBe(401);
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

test('when the database does not answer, no one is signed in', async () => {
  const { client } = await createSignedInClient();
  const response = await client.get(userPath, { bindings: { DB: brokenDatabase() } });

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'unavailable' });
  expect(takeNoise()).toHaveLength(1);
});

test('interleaved requests of two users never mix', async () => {
  const people = await Promise.all([createSignedInClient(), createSignedInClient()]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const person = people[index % 2] ?? people[0];
      const response = await person.client.get(userPath);
      const { id } = await response.json<{ id: string }>();
      return id === person.user.id;
    }),
  );

  expect(answers.every(Boolean)).toBe(true);
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
  const response = await end(client, id);

  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect((await ended.get(userPath)).status).toBe(401);
  expect((await kept.get(userPath)).status).toBe(200);
  expect((await client.get(userPath)).status).toBe(200);
  expect(client.cookies.has('__Host-session')).toBe(true);
  expect(loggedEvents('sessions_ended')).toMatchObject([{ user_id: user.id, count: 1 }]);
  expect((await end(client, id)).status).toBe(404);
});

test.each(['current', 'its id'])(
  'ending the session of this browser by %s clears its cookie',
  async (which) => {
    const { client, user } = await createSignedInClient();
    const other = browserWith(await createSession(user.id));
    const token = client.cookies.get('__Host-session') ?? '';
    const response = await end(client, which === 'current' ? which : await currentId(client));

    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toContain(
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(client.cookies.has('__Host-session')).toBe(false);
    expect((await browserWith(token).get(userPath)).status).toBe(401);
    expect((await other.get(userPath)).status).toBe(200);
  },
);

/** A browser that is new here, on a network of its own. */
async function signedInByLink(user: { id: string; emailCanonical: string }): Promise<Client> {
  const client = createClient();
  await client.post(confirmPath, { token: await createLink(user) });
  return client;
}

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
  const client = await signedInByLink(user);
  const other = await signedInByLink(user);
  const { client: stranger } = await createSignedInClient();
  const known = await knownOrigins(user.id);
  expect(known).toHaveLength(4);
  expect((await end(client, 'others')).status).toBe(204);

  expect((await other.get(userPath)).status).toBe(401);
  expect((await client.get(userPath)).status).toBe(200);
  expect((await stranger.get(userPath)).status).toBe(200);
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect(await knownOrigins(user.id)).toEqual(known.slice(0, 2));

  const again = await end(client, 'others');
  expect(again.status).toBe(204);
  expect(again.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-bookmark=/)]);
  expect((await client.get(userPath)).status).toBe(200);
});

test('another user’s session and malformed ids are not found, and all sessions stay alive', async () => {
  const { client, user } = await createSignedInClient();
  const { client: stranger, user: other } = await createSignedInClient();
  const [own] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  const before = await db.select().from(sessions);
  const ids = [await currentId(stranger), other.id, own?.tokenHash ?? '', 'CURRENT', 'all', '%'];
  for (const id of [...ids, crypto.randomUUID()]) {
    const response = await end(client, id);
    expect([id, response.status]).toEqual([id, 404]);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  }

  expect(await db.select().from(sessions)).toEqual(before);
  expect((await stranger.get(userPath)).status).toBe(200);
});

/** As from a page that was loaded before, with its CSRF token. */
async function end(client: Client, id: string) {
  await client.get('/api/health/');
  return client.request('DELETE', `${sessionsPath}${id}/`);
}

async function currentId(client: Client): Promise<string> {
  const list = await (await client.get(sessionsPath)).json<Session[]>();
  return list.find(({ is_current }) => is_current)?.id ?? '';
}

function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}
