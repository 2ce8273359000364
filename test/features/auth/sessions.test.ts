import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { sessions } from '#db/schema/sessions.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
import { createSession, createSignedInClient, createUser, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { userPath } from './paths.ts';

const logoutPath = '/api/accounts/auth/logout/';
const day = 24 * 60 * 60 * 1000;

test.each([
  ['not seen for 30 days', { lastSeenAt: daysAgo(30) }, 401],
  [
    'seen just within 30 days',
    { createdAt: daysAgo(40), lastSeenAt: new Date(Date.now() - 30 * day + 5_000) },
    200,
  ],
  ['90 days old, though in daily use', { createdAt: daysAgo(90), lastSeenAt: daysAgo(1) }, 401],
  [
    'just within 90 days',
    { createdAt: new Date(Date.now() - 90 * day + 5_000), lastSeenAt: daysAgo(1) },
    200,
  ],
])('a session that is %s is answered accordingly', async (_age, values, status) => {
  const user = await createUser();
  const client = createClient();
  client.cookies.set('__Host-session', await createSession(user.id, values));

  expect((await client.get(userPath)).status).toBe(status);
});

test('a visit is recorded once a day', async () => {
  const user = await createUser();
  const client = createClient();
  const lastSeenAt = new Date(Date.now() - day);
  client.cookies.set('__Host-session', await createSession(user.id, { lastSeenAt }));
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
});

test('logging out twice, or without a session, is not an error', async () => {
  const client = createClient();
  expect((await client.post(logoutPath)).status).toBe(204);
  expect((await client.post(logoutPath)).status).toBe(204);
  expect((await client.get(logoutPath)).status).toBe(405);
});

test.each(['%', '', 'x', 'A'.repeat(64), 'a'.repeat(5_000)])(
  'a cookie that is not a token signs no one in: %#',
  async (value) => {
    const client = createClient();
    client.cookies.set('__Host-session', value);
    expect((await client.get(userPath)).status).toBe(401);
  },
);

test('of two cookies with one name the first counts, and no other name does', async () => {
  const { client } = await createSignedInClient();
  const session = client.cookies.get('__Host-session') ?? '';
  const status = async (cookie: string) =>
    (await createClient().get(userPath, { headers: { Cookie: cookie } })).status;

  expect(await status(`__Host-session=${session}; __Host-session=x`)).toBe(200);
  expect(await status(`__Host-session=x; __Host-session=${session}`)).toBe(401);
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

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * day);
}
