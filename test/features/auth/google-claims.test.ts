import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
import {
  attemptsOf,
  type Claims,
  callbackOf,
  fakeGoogle,
  googlePerson,
  startSignIn,
} from '#support/google.ts';
import { everything } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';

const userPath = '/api/accounts/auth/user/';
const seconds = () => Math.floor(Date.now() / 1000);

test.each<[string, () => Claims]>([
  ['another issuer', () => ({ iss: 'https://evil.test' })],
  ['an issuer that starts like Google’s', () => ({ iss: 'https://google.test.evil.test' })],
  ['Google’s issuer without TLS', () => ({ iss: 'http://google.test' })],
  ['an empty issuer', () => ({ iss: '' })],
  ['no issuer', () => ({ iss: undefined })],
  ['another audience', () => ({ aud: 'somebody-else' })],
  ['our audience among others', () => ({ aud: ['lectern-test', 'somebody-else'] })],
  ['our audience in a list', () => ({ aud: ['lectern-test'] })],
  ['no audience', () => ({ aud: undefined })],
  ['an expiry in the past', () => ({ exp: seconds() - 61 })],
  ['no end', () => ({ exp: undefined })],
  ['a text as expiry', () => ({ exp: String(seconds() + 3_600) })],
  ['null as expiry', () => ({ exp: null })],
  ['a start in the future', () => ({ iat: seconds() + 120 })],
  ['no beginning', () => ({ iat: undefined })],
  ['no nonce', () => ({ nonce: undefined })],
  ['an empty nonce', () => ({ nonce: '' })],
  ['another nonce', () => ({ nonce: createToken() })],
  ['no sub', () => ({ sub: undefined })],
  ['an empty sub', () => ({ sub: '' })],
  ['a number as sub', () => ({ sub: 1_000_000_000 })],
  ['a sub of 256 characters', () => ({ sub: '1'.repeat(256) })],
])('an ID token with %s signs no one in', async (_what, claims) => {
  const google = fakeGoogle();
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson(claims()));

  await expectRefusal(response, client, 'auth_failed', 'id_token');
  expect(google.requests).toHaveLength(1);
  expect(await everything()).toEqual(before);
});

test.each<[string, () => Claims]>([
  ['an expiry just past', () => ({ exp: seconds() - 30 })],
  ['a start just ahead', () => ({ iat: seconds() + 30 })],
  ['a sub of 255 characters', () => ({ sub: '2'.repeat(255) })],
  ['the issuer without its scheme', () => ({ iss: 'google.test' })],
])('clock skew and long subs are tolerated: %s is accepted', async (_what, claims) => {
  const google = fakeGoogle();
  const response = await google.signIn(createClient(), googlePerson(claims()));

  expect(response.headers.get('Location')).toBe('/');
});

test.each([
  ['https://accounts.google.com', '/'],
  ['accounts.google.com', '/'],
  ['http://accounts.google.com', '/login?error=auth_failed'],
  ['accounts.google.com.evil.test', '/login?error=auth_failed'],
  ['https://google.test', '/login?error=auth_failed'],
])('both of Google’s issuer names are accepted: %s', async (iss, location) => {
  const google = fakeGoogle();
  const options = { bindings: { GOOGLE_ISSUER: 'https://accounts.google.com' } };
  const response = await google.signIn(createClient(), googlePerson({ iss }), options);

  expect(response.headers.get('Location')).toBe(location);
});

test.each<[string, Claims, string]>([
  ['whose email_verified is false', { email_verified: false }, 'email_not_verified'],
  ['whose email_verified is a text', { email_verified: 'true' }, 'email_not_verified'],
  ['whose email_verified is another text', { email_verified: 'false' }, 'email_not_verified'],
  ['whose email_verified is a number', { email_verified: 1 }, 'email_not_verified'],
  ['whose email_verified is null', { email_verified: null }, 'email_not_verified'],
  ['without email_verified', { email_verified: undefined }, 'email_not_verified'],
  ['that is missing', { email: undefined }, 'email_not_verified'],
  ['that is empty', { email: '' }, 'email_not_verified'],
  ['that is a list', { email: ['grace@gmail.com'] }, 'email_not_verified'],
  ['that is malformed', { email: 'grace.gmail.com' }, 'address'],
  ['that is two addresses', { email: 'grace@evil.test＠gmail.com' }, 'address'],
  ['without a mail server', { email: 'grace@localhost' }, 'address'],
])('an address %s signs no one in', async (_what, claims, reason) => {
  const google = fakeGoogle();
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson(claims));

  await expectRefusal(response, client, 'email_not_verified', reason);
  expect(await everything()).toEqual(before);
});

test.each<[string, (idToken: string) => unknown]>([
  ['missing', () => undefined],
  ['null', () => null],
  ['an object', () => ({})],
])('an ID token that is %s is not an answer from Google', async (_what, change) => {
  const google = fakeGoogle(({ id_token, ...tokens }) =>
    Response.json({ ...tokens, id_token: change(id_token) }),
  );
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson());

  await expectRefusal(response, client, 'auth_failed', 'token_request');
  expect(await everything()).toEqual(before);
});

test.each<[string, (idToken: string) => string]>([
  ['garbage', () => 'garbage'],
  ['empty', () => ''],
  ['without a signature', (idToken) => idToken.split('.').slice(0, 2).join('.')],
  ['with four parts', (idToken) => `${idToken}.x`],
  ['not base64url', () => '%.%.%'],
  ['not JSON', () => `e30.${btoa('{"sub":').replaceAll('=', '')}.e30`],
  ['without claims', () => 'e30.bnVsbA.e30'],
  ['with a list of claims', () => 'e30.W10.e30'],
])('an ID token that is %s signs no one in', async (_what, change) => {
  const google = fakeGoogle(({ id_token, ...tokens }) =>
    Response.json({ ...tokens, id_token: change(id_token) }),
  );
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson());

  await expectRefusal(response, client, 'auth_failed', 'id_token');
  expect(await everything()).toEqual(before);
});

const canary = 'a-canary-in-what-google-sent';

test.each<[string, (tokens: object) => Response]>([
  [
    'a 400 with a message',
    () => Response.json({ error: 'invalid_grant', error_description: canary }, { status: 400 }),
  ],
  ['a 401 with tokens', (tokens) => Response.json(tokens, { status: 401 })],
  ['a 500 with tokens', (tokens) => Response.json(tokens, { status: 500 })],
  ['a 201 with tokens', (tokens) => Response.json(tokens, { status: 201 })],
  ['nothing', () => new Response(null, { status: 204 })],
  [
    'a redirect with tokens',
    (tokens) => Response.json(tokens, { status: 302, headers: { Location: 'https://evil.test/' } }),
  ],
  ['a page', () => new Response(`<!doctype html><title>${canary}</title>`)],
  ['half of its JSON', (tokens) => new Response(JSON.stringify(tokens).slice(0, -10))],
  ['invalid JSON that the parser would quote', () => new Response(`{"id_token": ${canary}}`)],
  ['an empty body', () => new Response('')],
  ['null', () => Response.json(null)],
  ['a text', () => Response.json(canary)],
  ['100 kB around its tokens', (tokens) => Response.json({ ...tokens, more: 'x'.repeat(100_000) })],
])(
  'when Google answers %s, no one is signed in and none of the answer is passed on',
  async (_what, answer) => {
    sawSecret(canary);
    const google = fakeGoogle(answer);
    const client = createClient();
    const before = await everything();
    const response = await google.signIn(client, googlePerson());

    await expectRefusal(response, client, 'auth_failed', 'token_request');
    expect(google.requests).toHaveLength(1);
    expect(google.requests[0]?.redirect).toBe('manual');
    expect(await everything()).toEqual(before);
  },
);

test('60 kB around the tokens are accepted', async () => {
  const google = fakeGoogle((tokens) => Response.json({ ...tokens, more: 'x'.repeat(60_000) }));
  const response = await google.signIn(createClient(), googlePerson());

  expect(response.headers.get('Location')).toBe('/');
});

test('when Google cannot be reached, no one is signed in', async () => {
  sawSecret(canary);
  const google = fakeGoogle(() => {
    throw new TypeError(`Network connection lost: ${canary}`);
  });
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson());

  await expectRefusal(response, client, 'auth_failed', 'token_request');
  expect(await everything()).toEqual(before);
});

test('when Google never answers, or never finishes, people wait 10 seconds at most', {
  timeout: 30_000,
}, async () => {
  const answers: ((signal: AbortSignal | null) => Promise<Response>)[] = [
    (signal) => aborted(signal),
    async (signal) => {
      const start = async (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new TextEncoder().encode('{"id_token": "'));
        await aborted(signal).catch((error) => controller.error(error));
      };
      return new Response(new ReadableStream({ start: (controller) => void start(controller) }));
    },
  ];
  const google = fakeGoogle((_tokens, signal) => (answers.shift() ?? aborted)(signal));
  const clients = [createClient(), createClient()];
  const before = await everything();
  const startedAt = Date.now();
  const responses = await Promise.all(
    clients.map((client) => google.signIn(client, googlePerson())),
  );

  expect(Date.now() - startedAt).toBeGreaterThan(9_000);
  expect(Date.now() - startedAt).toBeLessThan(15_000);
  expect(google.requests).toHaveLength(2);
  expect(responses.map(({ headers }) => headers.get('Location'))).toEqual(
    Array(2).fill('/login?error=auth_failed'),
  );
  expect(loggedEvents('google_refused')).toMatchObject([
    { reason: 'token_request', cause: 'TimeoutError' },
    { reason: 'token_request', cause: 'TimeoutError' },
  ]);
  expect(clients.flatMap(attemptsOf)).toEqual([]);
  expect(await everything()).toEqual(before);
});

test('when the database fails, people end on the login page and the operator gets one log entry', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const url = await startSignIn(client);
  const before = await everything();
  const response = await client.get(callbackOf(url, google.codeFor(url, googlePerson())), {
    bindings: { DB: brokenDatabase() },
  });

  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(attemptsOf(client)).toEqual([]);
  expect(takeNoise()).toEqual([expect.stringContaining('"event":"failure"')]);
  expect(await everything()).toEqual(before);
});

test('a failure halfway leaves no partial account', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const person = googlePerson();
  const before = await everything();
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const failed = await google.signIn(client, person);
  await env.DB.exec('DROP TRIGGER broken');

  expect(failed.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(takeNoise()).toHaveLength(1);
  expect(await everything()).toEqual(before);
  expect((await google.signIn(client, person)).headers.get('Location')).toBe('/');
});

/** A request without an answer, until it is aborted. */
function aborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

async function expectRefusal(response: Response, client: Client, code: string, reason: string) {
  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe(`/login?error=${code}`);
  expect(await response.text()).toBe('');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(attemptsOf(client)).toEqual([]);
  expect((await client.get(userPath)).status).toBe(401);
  expect(loggedEvents('google_refused', 'google_signed_in')).toMatchObject([
    { event: 'google_refused', reason },
  ]);
}
