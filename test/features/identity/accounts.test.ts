import { expect, test } from 'vitest';
import { loggedEvents } from '#support/console.ts';
import { minute } from '#support/days.ts';
import {
  browserWith,
  createCohortRow,
  createCourseRow,
  createSession,
  createSignedInClient,
  createUser,
  uniqueEmail,
} from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { fakeResend } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { fakeStripe } from '#support/stripe.ts';
import { accountIn, accountOf, accountsPath, ago, patch, send } from './support.ts';

const grace = { first_name: 'Grace', last_name: 'Hopper', language: 'fr' };
const renamed = { firstName: 'Grace', lastName: 'Hopper', language: 'fr' };

test.each([
  ['PUT', { ...grace, email: 'their own' }, renamed],
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
  const answer = await send(client, method, `${accountsPath}${user.id}/`, sent);

  expect(answer).toEqual({ status: 200, body: accountOf(user, sent) });
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
  ['email_verified', true, 'This field is unknown.'],
])('%s as %j is refused by PUT, and by PATCH if it is there: %s', async (field, value, message) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const inputs = {
    PUT: { ...grace, email: user.email, [field]: value },
    ...(value !== undefined && { PATCH: { [field]: value } }),
  };
  for (const [method, input] of Object.entries(inputs)) {
    const said = { errors: [message], fields: { [field]: [message] } };
    const refusal = { status: 400, body: { code: 'validation_failed', ...said } };
    expect(await send(client, method, `${accountsPath}${user.id}/`, input)).toMatchObject(refusal);
  }

  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
});

test('parallel changes of different fields are all kept', async () => {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const changes = Object.entries(grace).map(([name, value]) => ({ [name]: value }));
  await Promise.all(changes.map((change) => patch(client, user.id, change)));

  expect(await accountIn(client)).toMatchObject(grace);
});

test.each([
  ['DELETE', '/api/accounts/{account}/', 204],
  ['GET', '/api/accounts/{account}/export/', 200],
  ['PATCH', '/api/accounts/{account}/', 200],
  ['POST', '/api/cohorts/{cohort}/purge/', 204],
  ['POST', '/api/payment-account/', 200],
  ['DELETE', '/api/payment-account/', 204],
] as const)(
  '%s %s is refused in a session older than 15 minutes, and allowed just before',
  async (method, path, status) => {
    const { attempts } = fakeResend();
    fakeStripe();
    const { id } = await createUser();
    await connectAccount(id);
    const course = await createCourseRow(id, { courseType: 'cohort' });
    const cohort = await createCohortRow(course, { deletedAt: new Date() });
    const address = path.replace('{account}', id).replace('{cohort}', cohort.id);
    const change = { first_name: 'Grace', email: uniqueEmail() };
    const input = { PATCH: change, POST: { country: 'FR' }, GET: undefined, DELETE: undefined };
    const browserOf = async (age: number) =>
      browserWith(await createSession(id, { createdAt: ago(age) }));
    const old = await browserOf(15 * minute + 5_000);
    const young = await browserOf(15 * minute - 10_000);
    const before = await everything();
    const refused = await send(old, method, address, input[method]);

    const message = 'Please confirm it’s you by logging in again with a new link.';
    expect(refused).toMatchObject({ status: 403, body: { code: 'proof_required', message } });
    expect(await everything()).toEqual(before);
    expect(attempts).toEqual([]);
    expect(loggedEvents('proof_demanded')).toMatchObject([{ user_id: id }]);
    expect((await send(young, method, address, input[method])).status).toBe(status);
  },
);
