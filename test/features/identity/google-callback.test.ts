import { expect, test, vi } from 'vitest';
import { fetchIdentity, type GoogleRefusal, startGoogle } from '#features/identity/google.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient, origin } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { minute } from '#support/days.ts';
import {
  attemptsOf,
  type Claims,
  callbackOf,
  callbackPath,
  challengeOf,
  fakeGoogle,
  googlePerson,
  loginPath,
  startSignIn,
  stateOf,
} from '#support/google.ts';
import { hurry } from '#support/hurry.ts';
import { everything } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';
import { createComer, signedIn } from './support.ts';

/** Signs no one in, says nothing else, and is logged once in this test. */
async function expectRefusal(response: Response, client: Client, code: string, reason: string) {
  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe(`/login?error=${code}`);
  expect(await response.text()).toBe('');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(loggedEvents('google_refused', 'google_signed_in').at(-1)).toMatchObject({
    event: 'google_refused',
    reason,
  });
}

async function expectInvalidState(response: Response, client: Client) {
  await expectRefusal(response, client, 'invalid_state', 'state');
}

test.each<[string, (state: string) => string]>([
  ['no state', () => ''],
  ['the state twice', (state) => `state=${state}&state=${state}`],
  ['an unknown state', () => `state=${createToken()}`],
  ['another end of the state', (state) => `state=${state.slice(0, 32)}${'0'.repeat(32)}`],
  ['a state that is not text', () => 'state=%'],
])('a callback with %s is refused before Google is asked', async (_what, query) => {
  const { google, client, url, code } = await createComer();
  const before = await everything();
  const given = `code=${encodeURIComponent(code)}&${query(stateOf(url))}`;
  await expectInvalidState(await client.get(`${callbackPath}?${given}`), client);

  expect(google.requests).toHaveLength(0);
  expect(await everything()).toEqual(before);
});

test('code and state of one browser do not work in another, with or without an attempt of its own', async () => {
  const { google, callback } = await createComer();
  const [without, other] = [createClient(), createClient()];
  await startSignIn(other);
  const before = await everything();

  for (const browser of [without, other]) {
    await expectInvalidState(await browser.get(callback), browser);
  }
  expect(google.requests).toHaveLength(0);
  expect(await everything()).toEqual(before);
});

test('a cookie with any part changed is invalid, and so is that of another attempt', async () => {
  const { google, client, callback } = await createComer();
  const thief = createClient();
  await startSignIn(thief);
  const [otherName = ''] = attemptsOf(thief);
  const [name = ''] = attemptsOf(client);
  const value = client.cookies.get(name) ?? '';
  const parts = decodeURIComponent(value).split('.');
  expect(parts).toHaveLength(5);
  // Same length and alphabet, other value: digits are valid in hex, base64 and time.
  const changed = (part: string) => (part.startsWith('1') ? '2' : '1') + part.slice(1);
  const tampered = [
    ...parts.map((part, index) => parts.with(index, changed(part)).join('.')),
    parts.slice(0, 4).join('.'),
    '',
    decodeURIComponent(thief.cookies.get(otherName) ?? ''),
  ];
  for (const text of tampered) {
    client.cookies.set(name, encodeURIComponent(text));
    await expectInvalidState(await client.get(callback), client);
  }
  expect(google.requests).toHaveLength(0);

  client.cookies.set(name, value);
  expect((await client.get(callback)).headers.get('Location')).toBe('/');
});

test('a JSON client gets JSON errors for no state and an expired one, which is used up', async () => {
  const { google, client, callback } = await createComer();
  const headers = { Accept: 'text/plain, Application/JSON;q=0.9' };
  vi.useFakeTimers({ now: Date.now() + 11 * minute, toFake: ['Date'] });
  for (const path of [callbackPath, callback]) {
    const response = await client.get(path, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: 'invalid_state',
      message: 'Invalid authentication state',
      request_id: response.headers.get('X-Request-Id'),
    });
    expect(client.cookies.has('__Host-session')).toBe(false);
    expect(loggedEvents('google_refused').at(-1)).toMatchObject({ reason: 'state' });
  }

  expect(attemptsOf(client)).toEqual([]);
  expect(google.requests).toHaveLength(0);
});

test('a browser, or any client that accepts more than JSON, is redirected to a page', async () => {
  const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const accept of [page, '*/*', 'application/json;q=0']) {
    const client = createClient();
    const options = { headers: { Accept: accept } };
    await expectInvalidState(await client.get(`${callbackPath}?state=x`, options), client);
  }
});

test.each([
  ['after 10 minutes and a second it is', 10 * minute + 1_000, '/login?error=invalid_state'],
  ['a second before 10 minutes it is not', 10 * minute - 1_000, '/'],
])('an attempt expires: %s refused', async (_age, age, location) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, callback } = await createComer();
  vi.setSystemTime(Date.now() + age);

  expect((await client.get(callback)).headers.get('Location')).toBe(location);
});

test.each<[string, (code: string) => string]>([
  ['a refusal by Google', () => 'error=access_denied'],
  ['a refusal and a code', (code) => `error=access_denied&code=${code}`],
  ['no code', () => ''],
  ['two codes', (code) => `code=${code}&code=${code}`],
])('%s ends on the login page without asking Google', async (_what, query) => {
  const { google, client, url, code } = await createComer();
  const description = 'a-canary-in-the-words-of-google';
  sawSecret(description);
  const before = await everything();
  const [name = ''] = attemptsOf(client);
  const given = `state=${stateOf(url)}&error_description=${description}`;
  const response = await client.get(`${callbackPath}?${given}&${query(encodeURIComponent(code))}`);

  await expectRefusal(response, client, 'auth_failed', 'no_code');
  expect(response.headers.getSetCookie()).toEqual([
    `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ]);
  expect(google.requests).toHaveLength(0);
  expect(await everything()).toEqual(before);
});

test('a start returns the address at Google, only requests the identity, and sets one cookie for our host, which scripts cannot read', async () => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.post(loginPath);
  const body = await response.json<{ redirect_url: string }>();

  expect(response.status).toBe(200);
  expect(Object.keys(body)).toEqual(['redirect_url']);
  const url = new URL(body.redirect_url);
  expect(url.origin + url.pathname).toBe('https://google.test/auth');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'lectern-test',
    redirect_uri: `${origin}/api/accounts/auth/google/callback/`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
    nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    prompt: 'select_account',
  });
  const [cookie = '', ...others] = response.headers
    .getSetCookie()
    .filter((set) => !set.startsWith('__Host-bookmark='));
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^__Host-google_[0-9a-f]{16}=/);
  expect(new Set(cookie.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
  // No secret is used twice.
  const other = await startSignIn(client);
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(other.searchParams.get(name)).not.toBe(url.searchParams.get(name));
  }
});

test('a callback works once, not for a HEAD, and exchanges its code with the PKCE verifier and without following redirects', async () => {
  const { google, client, url, code, callback } = await createComer();
  const head = await client.request('HEAD', callback);
  expect(head.headers.get('Location')).toBe('/login');
  expect(google.requests).toHaveLength(0);
  expect((await client.get(callback)).headers.get('Location')).toBe('/');
  const before = await everything();
  const session = client.cookies.get('__Host-session');
  const second = await client.get(callback);
  expect(second.headers.get('Location')).toBe('/login?error=invalid_state');
  expect(client.cookies.get('__Host-session')).toBe(session);
  expect(await everything()).toEqual(before);

  const [request, ...others] = google.requests;
  expect(others).toEqual([]);
  expect(request?.fields).toEqual({
    grant_type: 'authorization_code',
    client_id: 'lectern-test',
    client_secret: 'a-google-secret-for-tests',
    redirect_uri: `${origin}/api/accounts/auth/google/callback/`,
    code,
    code_verifier: expect.stringMatching(/^[\w-]{43,128}$/),
  });
  expect(await challengeOf(request?.fields['code_verifier'] ?? '')).toBe(
    url.searchParams.get('code_challenge'),
  );
  expect(request?.redirect).toBe('manual');
  expect(request?.headers.get('Cookie')).toBeNull();
});

test('the browser keeps the newest 5 of 7 attempts, and each of them can be finished', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const urls: URL[] = [];
  for (let count = 1; count <= 7; count += 1) {
    urls.push(await startSignIn(client));
    expect(attemptsOf(client)).toHaveLength(Math.min(count, 5));
  }
  const person = googlePerson();
  const locations: (string | null)[] = [];
  for (const url of urls) {
    const response = await client.get(callbackOf(url, google.codeFor(url, person)));
    locations.push(response.headers.get('Location'));
  }

  const invalid = '/login?error=invalid_state';
  expect(locations).toEqual([invalid, invalid, '/', '/', '/', '/', '/']);
});

const seconds = () => Math.floor(Date.now() / 1000);

type Answer = Parameters<typeof fakeGoogle>[0];

/** What a code is exchanged for: an identity, or why there is none. */
async function outcomeOf(claims: Claims, answer?: Answer, issuer?: string) {
  const google = fakeGoogle(answer);
  const ours = contextOn().config.google;
  const settings = { ...ours, ...(issuer !== undefined && { issuer }) };
  const { url, attempt } = startGoogle(settings, origin + callbackPath);
  const code = google.codeFor(url, googlePerson(claims));
  return fetchIdentity(settings, origin + callbackPath, code, attempt, new Date()).then(
    () => 'an identity',
    ({ reason }: GoogleRefusal) => reason,
  );
}

/** What an ID token is taken for, by what is special about it. */
const tokens: Record<string, Record<string, Claims>> = {
  id_token: {
    'another issuer': { iss: 'https://evil.test' },
    'an issuer that starts like Google’s': { iss: 'https://google.test.evil.test' },
    'Google’s issuer without TLS': { iss: 'http://google.test' },
    'another audience': { aud: 'somebody-else' },
    'our audience among others': { aud: ['lectern-test', 'somebody-else'] },
    'no audience': { aud: undefined },
    'another authorized party': { azp: 'somebody-else' },
    'an expiry in the past': { exp: seconds() - 61 },
    'no end': { exp: undefined },
    'a start in the future': { iat: seconds() + 120 },
    'no beginning': { iat: undefined },
    'no nonce': { nonce: undefined },
    'another nonce': { nonce: createToken() },
    'no sub': { sub: undefined },
    'an empty sub': { sub: '' },
    'a sub of 256 characters': { sub: '1'.repeat(256) },
  },
  email_not_verified: {
    'an address that is not verified': { email_verified: false },
    'an address that is verified by a text': { email_verified: 'true' },
    'an address without a word on it': { email_verified: undefined },
    'no address': { email: undefined },
    'a list of addresses': { email: ['grace@gmail.com'] },
  },
  'an identity': {
    'an expiry just past': { exp: seconds() - 30 },
    'a start just ahead': { iat: seconds() + 30 },
    'a sub of 255 characters': { sub: '2'.repeat(255) },
    'the issuer without its scheme': { iss: 'google.test' },
    'no authorized party': { azp: undefined },
  },
};
const tokenCases = Object.entries(tokens).flatMap(([outcome, cases]) =>
  Object.entries(cases).map(([what, claims]) => ({ what, claims, outcome })),
);

test.each(tokenCases)(
  'an ID token with $what is taken for $outcome',
  async ({ claims, outcome }) => {
    expect(await outcomeOf(claims)).toBe(outcome);
  },
);

test.each([
  ['https://accounts.google.com', 'an identity'],
  ['accounts.google.com', 'an identity'],
  ['accounts.google.com.evil.test', 'id_token'],
  ['https://google.test', 'id_token'],
])('with Google’s own issuer, a token of %s is %s', async (iss, outcome) => {
  expect(await outcomeOf({ iss }, undefined, 'https://accounts.google.com')).toBe(outcome);
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
  expect(await outcomeOf({}, answer)).toBe(reason);
});

const canary = 'a-canary-in-what-google-sent';
const elsewhere = { Location: 'https://evil.test/' };

test.each<[string, Answer]>([
  ['a 400 with a message', () => Response.json({ error_description: canary }, { status: 400 })],
  ['a 500 with tokens', (tokens) => Response.json(tokens, { status: 500 })],
  ['a 201 with tokens', (tokens) => Response.json(tokens, { status: 201 })],
  ['nothing', () => new Response(null, { status: 204 })],
  ['a redirect', (tokens) => Response.json(tokens, { status: 302, headers: elsewhere })],
  ['a page', () => new Response(`<!doctype html><title>${canary}</title>`)],
  ['half of its JSON', (tokens) => new Response(JSON.stringify(tokens).slice(0, -10))],
  ['null', () => Response.json(null)],
  ['100 kB around its tokens', (tokens) => Response.json({ ...tokens, more: 'x'.repeat(100_000) })],
])('%s is not an answer from Google', async (_what, answer) => {
  expect(await outcomeOf({}, answer)).toBe('token_request');
});

/** A sign-in whose answer from Google is refused: nothing is left of it. */
async function expectNothingLeft(
  { claims, answer }: { claims?: Claims; answer?: Answer },
  code: string,
  reason: string,
) {
  const google = fakeGoogle(answer);
  const client = createClient();
  const before = await everything();
  const response = await google.signIn(client, googlePerson(claims));

  await expectRefusal(response, client, code, reason);
  expect(attemptsOf(client)).toEqual([]);
  expect(await signedIn(client)).toEqual([false]);
  expect(google.requests).toMatchObject([{ redirect: 'manual' }]);
  expect(await everything()).toEqual(before);
}

const unproven = 'email_not_verified';
const quoted: Answer = () => new Response(`{"id_token": ${canary}}`);

test.each<[string, string, string, { claims?: Claims; answer?: Answer }]>([
  ['an address not verified', unproven, unproven, { claims: { email_verified: false } }],
  ['two addresses', unproven, 'address', { claims: { email: 'grace@evil.test＠gmail.com' } }],
  ['JSON that the parser would quote', 'auth_failed', 'token_request', { answer: quoted }],
])(
  'with %s, no one is signed in, nothing is left and nothing is passed on',
  async (_what, code, reason, google) => {
    sawSecret(canary);
    await expectNothingLeft(google, code, reason);
  },
);

test('when Google never finishes its answer, people wait 10 seconds at most', async () => {
  hurry();
  const answer: Answer = (_tokens, signal) => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('{"id_token": "'));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  };
  await expectNothingLeft({ answer }, 'auth_failed', 'token_request');

  expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000);
  expect(loggedEvents('google_refused')).toMatchObject([{ cause: 'TimeoutError' }]);
});
