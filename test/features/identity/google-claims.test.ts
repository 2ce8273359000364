import { expect, test } from 'vitest';
import { fetchIdentity, type GoogleRefusal, startGoogle } from '#features/identity/google.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient, origin } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { whileFailing } from '#support/database.ts';
import {
  attemptsOf,
  type Claims,
  callbackPath,
  fakeGoogle,
  googlePerson,
} from '#support/google.ts';
import { hurry } from '#support/hurry.ts';
import { everything } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';
import { userPath } from './paths.ts';

const seconds = () => Math.floor(Date.now() / 1000);

type Answer = Parameters<typeof fakeGoogle>[0];

/** What a code is exchanged for: an identity, or why there is none. */
async function outcomeOf(claims: Claims, { answer, issuer }: { answer?: Answer; issuer?: string }) {
  const google = fakeGoogle(answer);
  const ours = contextOn().config.google;
  const settings = { ...ours, issuer: issuer ?? ours.issuer };
  const { url, attempt } = startGoogle(settings, origin + callbackPath);
  const code = google.codeFor(url, googlePerson(claims));
  return fetchIdentity(settings, origin + callbackPath, code, attempt, new Date()).then(
    () => 'an identity',
    ({ reason }: GoogleRefusal) => reason,
  );
}

test.each<[string, Claims]>([
  ['another issuer', { iss: 'https://evil.test' }],
  ['an issuer that starts like Google’s', { iss: 'https://google.test.evil.test' }],
  ['Google’s issuer without TLS', { iss: 'http://google.test' }],
  ['another audience', { aud: 'somebody-else' }],
  ['our audience among others', { aud: ['lectern-test', 'somebody-else'] }],
  ['no audience', { aud: undefined }],
  ['another authorized party', { azp: 'somebody-else' }],
  ['an expiry in the past', { exp: seconds() - 61 }],
  ['no end', { exp: undefined }],
  ['a start in the future', { iat: seconds() + 120 }],
  ['no beginning', { iat: undefined }],
  ['no nonce', { nonce: undefined }],
  ['another nonce', { nonce: createToken() }],
  ['no sub', { sub: undefined }],
  ['an empty sub', { sub: '' }],
  ['a sub of 256 characters', { sub: '1'.repeat(256) }],
])('an ID token with %s is refused', async (_what, claims) => {
  expect(await outcomeOf(claims, {})).toBe('id_token');
});

test.each<[string, Claims]>([
  ['an expiry just past', { exp: seconds() - 30 }],
  ['a start just ahead', { iat: seconds() + 30 }],
  ['a sub of 255 characters', { sub: '2'.repeat(255) }],
  ['the issuer without its scheme', { iss: 'google.test' }],
  ['no authorized party', { azp: undefined }],
])('an ID token with %s is accepted', async (_what, claims) => {
  expect(await outcomeOf(claims, {})).toBe('an identity');
});

test.each([
  ['https://accounts.google.com', 'an identity'],
  ['accounts.google.com', 'an identity'],
  ['accounts.google.com.evil.test', 'id_token'],
  ['https://google.test', 'id_token'],
])('with Google’s own issuer, a token of %s is %s', async (iss, outcome) => {
  expect(await outcomeOf({ iss }, { issuer: 'https://accounts.google.com' })).toBe(outcome);
});

test.each([
  { email_verified: false },
  { email_verified: 'true' },
  { email_verified: undefined },
  { email: undefined },
  { email: ['grace@gmail.com'] },
])('an address that Google has not verified is refused: %j', async (claims) => {
  expect(await outcomeOf(claims, {})).toBe('email_not_verified');
});

test.each<[unknown, string]>([
  [null, 'token_request'],
  ['garbage', 'id_token'],
  ['', 'id_token'],
  ['e30.e30.e30.x', 'id_token'],
  [`e30.${btoa('{"sub":').replaceAll('=', '')}.e30`, 'id_token'],
  ['e30.bnVsbA.e30', 'id_token'],
])('%j is not an ID token', async (idToken, reason) => {
  const answer: Answer = (tokens) => Response.json({ ...tokens, id_token: idToken });
  expect(await outcomeOf({}, { answer })).toBe(reason);
});

const canary = 'a-canary-in-what-google-sent';

test.each<[string, Answer]>([
  [
    'a 400 with a message',
    () => Response.json({ error: 'invalid_grant', error_description: canary }, { status: 400 }),
  ],
  ['a 500 with tokens', (tokens) => Response.json(tokens, { status: 500 })],
  ['a 201 with tokens', (tokens) => Response.json(tokens, { status: 201 })],
  ['nothing', () => new Response(null, { status: 204 })],
  [
    'a redirect with tokens',
    (tokens) => Response.json(tokens, { status: 302, headers: { Location: 'https://evil.test/' } }),
  ],
  ['a page', () => new Response(`<!doctype html><title>${canary}</title>`)],
  ['half of its JSON', (tokens) => new Response(JSON.stringify(tokens).slice(0, -10))],
  ['null', () => Response.json(null)],
  ['100 kB around its tokens', (tokens) => Response.json({ ...tokens, more: 'x'.repeat(100_000) })],
])('%s is not an answer from Google', async (_what, answer) => {
  expect(await outcomeOf({}, { answer })).toBe('token_request');
});

test.each<[string, string, Claims, string, Answer?]>([
  ['a forged ID token', 'auth_failed', { nonce: 'x' }, 'id_token'],
  [
    'an address not verified',
    'email_not_verified',
    { email_verified: false },
    'email_not_verified',
  ],
  ['a malformed address', 'email_not_verified', { email: 'grace.gmail.com' }, 'address'],
  ['two addresses', 'email_not_verified', { email: 'grace@evil.test＠gmail.com' }, 'address'],
  [
    'invalid JSON that the parser would quote',
    'auth_failed',
    {},
    'token_request',
    () => new Response(`{"id_token": ${canary}}`),
  ],
])(
  'with %s, no one is signed in, nothing is left and nothing is passed on',
  async (_what, code, claims, reason, answer) => {
    sawSecret(canary);
    const google = fakeGoogle(answer);
    const client = createClient();
    const before = await everything();
    const response = await google.signIn(client, googlePerson(claims));

    await expectRefusal(response, client, code, reason);
    expect(google.requests).toMatchObject([{ redirect: 'manual' }]);
    expect(await everything()).toEqual(before);
  },
);

test('when Google never finishes its answer, people wait 10 seconds at most', async () => {
  hurry();
  const google = fakeGoogle((_tokens, signal) => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('{"id_token": "'));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  });
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson());

  expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000);
  await expectRefusal(response, client, 'auth_failed', 'token_request');
  expect(loggedEvents('google_refused')).toMatchObject([{ cause: 'TimeoutError' }]);
  expect(await everything()).toEqual(before);
});

test('when the database fails halfway, people end on the login page, and no partial account is left', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const person = googlePerson();
  const before = await everything();
  const signIn = () => google.signIn(client, person);
  const failed = await whileFailing('INSERT ON sessions', signIn);

  expect(failed.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(attemptsOf(client)).toEqual([]);
  expect(takeNoise()).toEqual([expect.stringContaining('"event":"failure"')]);
  expect(await everything()).toEqual(before);
  expect((await signIn()).headers.get('Location')).toBe('/');
});

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
