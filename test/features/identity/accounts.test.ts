import { expect, test } from 'vitest';
import { createSignedInClient, createUser } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { userRow } from '#support/rows.ts';
import { accountOf, send } from './support.ts';

const accountsPath = '/api/accounts/';
const grace = { first_name: 'Grace', last_name: 'Hopper', language: 'fr' };

test('the list of accounts contains only one’s own', async () => {
  const avatar = 'https://pictures.test/1';
  const { client, user } = await createSignedInClient({ avatarUrl: avatar });
  await createUser();

  const account = accountOf(user, { avatar });
  expect(await (await client.get(accountsPath)).json()).toEqual([account]);
  expect(await (await client.get(`${accountsPath}${user.id}/`)).json()).toEqual(account);
});

test.each([
  [
    'PUT',
    { ...grace, email: 'their own' },
    { firstName: 'Grace', lastName: 'Hopper', language: 'fr' },
  ],
  ['PATCH', { first_name: 'Grace', language: 'fr' }, { firstName: 'Grace', language: 'fr' }],
  ['PATCH', { last_name: 'Hopper' }, { lastName: 'Hopper' }],
  ['PATCH', { roster_news: false }, { rosterNews: false }],
  ['PATCH', { bio: 'Writes stories.' }, { bio: 'Writes stories.' }],
  ['PATCH', {}, {}],
])('a %s of %j changes only that, and sends no email', async (method, input, changed) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const neighbor = await createUser();
  const [before, neighborBefore] = [await userRow(user.id), await userRow(neighbor.id)];
  const sent = { ...input, ...('email' in input && { email: user.email }) };
  const response = await send(client, method, `${accountsPath}${user.id}/`, sent);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(accountOf(user, sent));
  expect(await userRow(user.id)).toEqual({ ...before, ...changed });
  expect(await userRow(neighbor.id)).toEqual(neighborBefore);
  expect(attempts).toEqual([]);
});

test.each([
  ['first_name', undefined, 'Name is required'],
  ['last_name', undefined, 'Name is required'],
  ['email', undefined, 'Email address is required'],
  ['language', undefined, 'Please choose English or French'],
  ['first_name', '<b>Ada</b>', 'Use only letters, spaces, apostrophes, hyphens and periods'],
  ['last_name', ' L ', 'Name must be at least 2 characters'],
  ['email', 'ada@example', 'Please enter a valid email address'],
  ['language', 'de', 'Please choose English or French'],
  ['id', 'x', 'This field is unknown.'],
  ['email_verified', true, 'This field is unknown.'],
  ['pending_email', 'ada@example.com', 'This field is unknown.'],
  ['google_sub', 'x', 'This field is unknown.'],
])('%s as %j is refused by PUT, and by PATCH if it is there: %s', async (field, value, message) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const path = `${accountsPath}${user.id}/`;
  const put = { ...grace, email: user.email, [field]: value };
  const answers = [await send(client, 'PUT', path, put)];
  if (value !== undefined) {
    answers.push(await send(client, 'PATCH', path, { [field]: value }));
  }

  for (const response of answers) {
    expect(response.status).toBe(400);
    const said = { errors: [message], fields: { [field]: [message] } };
    expect(await response.json()).toMatchObject({ code: 'validation_failed', ...said });
  }
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
});

test('parallel changes of different fields are all kept', async () => {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const path = `${accountsPath}${user.id}/`;
  const changes = Object.entries(grace).map(([name, value]) => ({ [name]: value }));
  await Promise.all(changes.map((change) => client.request('PATCH', path, change)));

  expect(await (await client.get(path)).json()).toMatchObject(grace);
});
