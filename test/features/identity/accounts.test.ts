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
import { userRow } from '#support/rows.ts';
import { accountOf } from './address-change.ts';
import { confirmPath } from './paths.ts';

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
  const row = await db.select().from(users).where(eq(users.email, email)).get();
  expect(row).toMatchObject({ firstName: 'Grace', lastName: 'Hopper', emailVerifiedAt: null });
  // A session of an unverified account is invalid.
  client.cookies.set('__Host-session', await createSession(row?.id ?? ''));
  expect((await client.get(accountPath(row?.id ?? ''))).status).toBe(401);

  await client.post(confirmPath, { token: tokenIn(accepted[0]) });
  const account = await (await client.get(accountPath(row?.id ?? ''))).json();
  expect(account).toMatchObject({ id: row?.id, email, email_verified: true });
});

test.each([
  [
    { first_name: 'Grace', language: 'fr' },
    { firstName: 'Grace', language: 'fr' },
  ],
  [{ last_name: 'Hopper' }, { lastName: 'Hopper' }],
  [{ roster_news: false }, { rosterNews: false }],
  [{ bio: 'Writes short stories.' }, { bio: 'Writes short stories.' }],
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
  ['first_name', undefined, 'Name is required'],
  ['last_name', undefined, 'Name is required'],
  ['email', undefined, 'Email address is required'],
  ['language', undefined, 'Please choose English or French'],
  ['first_name', '', 'Name is required'],
  ['last_name', ' L ', 'Name must be at least 2 characters'],
  ['first_name', '<b>Ada</b>', 'Use only letters, spaces, apostrophes, hyphens and periods'],
  ['email', 'ada@example', 'Please enter a valid email address'],
  ['language', 'de', 'Please choose English or French'],
])('%s as %j is refused by PUT, and by PATCH if it is there: %s', async (field, value, message) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const whole = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
  const put = await send(client, 'PUT', accountPath(user.id), { ...whole, [field]: value });
  const patch = await send(client, 'PATCH', accountPath(user.id), { [field]: value });

  for (const response of value === undefined ? [put] : [put, patch]) {
    expect(response.status).toBe(400);
    const said = { errors: [message], fields: { [field]: [message] } };
    expect(await response.json()).toMatchObject({ code: 'validation_failed', ...said });
  }
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
});

test.each(['id', 'email_verified', 'pending_email', 'google_sub'])(
  'no request sets %s',
  async (key) => {
    const { client, user } = await createSignedInClient();
    const before = await userRow(user.id);
    const whole = { first_name: 'Grace', last_name: 'Hopper', email: user.email, language: 'fr' };
    const put = await send(client, 'PUT', accountPath(user.id), { ...whole, [key]: 'x' });
    const patch = await send(client, 'PATCH', accountPath(user.id), { [key]: 'x' });

    for (const response of [put, patch]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        fields: { [key]: ['This field is unknown.'] },
      });
    }
    expect(await userRow(user.id)).toEqual(before);
  },
);

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
