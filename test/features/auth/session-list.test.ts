import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { sessions } from '#db/schema/sessions.ts';
import type { Session } from '#features/auth/schema.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import {
  browserWith,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
} from '#support/factories.ts';
import { confirmPath, userPath } from './paths.ts';

const sessionsPath = '/api/accounts/auth/sessions/';
const hour = 60 * 60 * 1000;
const day = 24 * hour;

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
  const ids = [
    await currentId(stranger),
    other.id,
    user.id,
    own?.tokenHash ?? '',
    'CURRENT',
    'all',
  ];
  const nonsense = [crypto.randomUUID(), '1', '%27', '%', '__proto__', '1%20OR%201=1', '%25'];
  for (const id of [...ids, ...nonsense]) {
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
