import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { type Client, createClient } from '#support/client.ts';
import {
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { confirmPath, userPath } from '../auth/paths.ts';
import { accountOf } from './address-change.ts';

const accountsPath = '/api/accounts/';

test('the list of accounts contains only one’s own', async () => {
  const avatar = 'https://pictures.test/1';
  const { client, user } = await createSignedInClient({ avatarUrl: avatar });
  await createUser();

  const account = accountOf(user, { avatar });
  expect(await (await client.get(accountsPath)).json()).toEqual([account]);
  expect(await (await client.get(accountPath(user.id))).json()).toEqual(account);
});

test('creating an account is a sign-up: an email is sent, and its click signs in', async () => {
  const { accepted } = fakeResend();
  const email = uniqueEmail();
  const client = createClient();
  const input = { first_name: 'Grace', last_name: 'Hopper', email };
  const response = await client.post(accountsPath, input);

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ email });
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(accepted).toMatchObject([
    { to: email, subject: 'Confirm your email address for Lectern' },
  ]);
  const row = await db.select().from(users).where(eq(users.email, email)).get();
  expect(row).toMatchObject({ firstName: 'Grace', lastName: 'Hopper', emailVerifiedAt: null });
  // A session of an unverified account is invalid.
  client.cookies.set('__Host-session', await createSession(row?.id ?? ''));
  expect((await client.get(accountPath(row?.id ?? ''))).status).toBe(401);

  await client.post(confirmPath, { token: tokenIn(accepted[0]) });
  const account = await (await client.get(accountPath(row?.id ?? ''))).json();
  expect(account).toMatchObject({ id: row?.id, email, email_verified: true });
});

test('other accounts, missing ones and malformed ids are all not found, and nothing changes', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { user: stranger } = await createSignedInClient();
  const before = await everything();
  const input = { first_name: 'Evil', last_name: 'Twin', email: uniqueEmail(), language: 'fr' };
  const nonsense = ['%27', '%', '__proto__', 'auth', `${user.id}%00`];
  for (const id of [stranger.id, crypto.randomUUID(), ...nonsense]) {
    const responses = [
      await send(client, 'GET', accountPath(id)),
      await send(client, 'PUT', accountPath(id), input),
      await send(client, 'PATCH', accountPath(id), input),
      await send(client, 'DELETE', accountPath(id)),
      await send(client, 'GET', `${accountPath(id)}export/`),
    ];
    expect([id, ...responses.map(({ status }) => status)]).toEqual([id, ...Array(5).fill(404)]);
  }

  expect(await everything()).toEqual(before);
  expect(attempts).toEqual([]);
});

test('names and language change immediately, and nothing else with them', async () => {
  const { attempts } = fakeResend();
  const avatar = 'https://pictures.test/1';
  const { client, user } = await createSignedInClient({
    googleSub: crypto.randomUUID(),
    avatarUrl: avatar,
  });
  const before = await userRow(user.id);
  const names = { first_name: '  Grace ', last_name: 'Hopper', language: 'fr' };
  const response = await send(client, 'PATCH', accountPath(user.id), names);

  expect(response.status).toBe(200);
  const account = accountOf(user, { ...names, first_name: 'Grace', avatar });
  expect(await response.json()).toEqual(account);
  expect(await (await client.get(userPath)).json()).toEqual(account);
  expect(await userRow(user.id)).toEqual({
    ...before,
    firstName: 'Grace',
    lastName: 'Hopper',
    language: 'fr',
  });
  expect(attempts).toEqual([]);
});

test.each([
  [{ first_name: 'Grace' }, { firstName: 'Grace' }],
  [{ last_name: 'Hopper' }, { lastName: 'Hopper' }],
  [{ language: 'fr' }, { language: 'fr' }],
  [{ roster_news: false }, { rosterNews: false }],
  [{}, {}],
])('a PATCH of %j changes only that', async (input, changed) => {
  const { client, user } = await createSignedInClient();
  const { user: neighbor } = await createSignedInClient();
  const [before, neighborBefore] = [await userRow(user.id), await userRow(neighbor.id)];
  const response = await send(client, 'PATCH', accountPath(user.id), input);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: user.id, email: user.email, ...input });
  expect(await userRow(user.id)).toEqual({ ...before, ...changed });
  expect(await userRow(neighbor.id)).toEqual(neighborBefore);
});

test('a PUT replaces names and language, and sends no email for the current address', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const input = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
  const response = await send(client, 'PUT', accountPath(user.id), input);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(accountOf(user, input));
  expect(await userRow(user.id)).toEqual({
    ...before,
    firstName: 'Grace',
    lastName: 'Hopper',
    language: 'fr',
  });
  expect(attempts).toEqual([]);
});

test.each([
  ['first_name', 'Name is required'],
  ['last_name', 'Name is required'],
  ['email', 'Email address is required'],
  ['language', 'Please choose English or French'],
])('a PUT without %s is refused', async (field, message) => {
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const input = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
  const path = accountPath(user.id);
  const response = await send(client, 'PUT', path, { ...input, [field]: undefined });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'validation_failed',
    errors: [message],
    fields: { [field]: [message] },
  });
  expect(await userRow(user.id)).toEqual(before);
});

test.each([
  ['first_name', '', 'Name is required'],
  ['last_name', ' L ', 'Name must be at least 2 characters'],
  ['last_name', 'L'.repeat(50), 'Name must be less than 50 characters'],
  ['first_name', '<b>Ada</b>', 'Use only letters, spaces, apostrophes, hyphens and periods'],
  ['last_name', 'evil.biz', 'Add a space after each period'],
  ['email', '', 'Email address is required'],
  ['email', 'ada@example', 'Please enter a valid email address'],
  ['language', 'de', 'Please choose English or French'],
  ['language', null, 'Please choose English or French'],
])('%s as %j is refused by PUT and PATCH: %s', async (field, value, message) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const whole = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
  const put = await send(client, 'PUT', accountPath(user.id), { ...whole, [field]: value });
  const patch = await send(client, 'PATCH', accountPath(user.id), { [field]: value });

  for (const response of [put, patch]) {
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: 'validation_failed',
      message: 'Invalid input. Please check your information.',
      errors: [message],
      fields: { [field]: [message] },
      request_id: response.headers.get('X-Request-Id'),
    });
  }
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
});

test.each([
  'id',
  'is_admin',
  'email_verified',
  'email_canonical',
  'pending_email',
  'google_sub',
  'firstName',
])('no request sets %s', async (key) => {
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const whole = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
  const put = await send(client, 'PUT', accountPath(user.id), { ...whole, [key]: 'x' });
  const patch = await send(client, 'PATCH', accountPath(user.id), { [key]: 'x' });

  for (const response of [put, patch]) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ fields: { [key]: ['This field is unknown.'] } });
  }
  expect(await userRow(user.id)).toEqual(before);
});

test('parallel changes of different fields are all kept', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { client, user } = await createSignedInClient();
    await client.get('/api/health/');
    const changes = [{ first_name: 'Grace' }, { last_name: 'Hopper' }, { language: 'fr' }, {}];
    const path = `/api/accounts/${user.id}/`;
    await Promise.all(changes.map((change) => client.request('PATCH', path, change)));

    expect(await (await client.get(path)).json()).toMatchObject({
      first_name: 'Grace',
      last_name: 'Hopper',
      language: 'fr',
    });
  }
});

function accountPath(id: string): string {
  return `${accountsPath}${id}/`;
}

/** As from a page that was loaded before, with its CSRF token. */
async function send(client: Client, method: string, path: string, input?: unknown) {
  await client.get('/api/health/');
  return client.request(method, path, input);
}
