import { expect, test, vi } from 'vitest';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient, origin } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import {
  attemptsOf,
  callbackOf,
  callbackPath,
  challengeOf,
  fakeGoogle,
  googlePerson,
  loginPath,
  startSignIn,
  stateOf,
} from '#support/google.ts';
import { everything } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';

/** A browser that has chosen an account at Google, with where that sends it. */
async function createComer() {
  const google = fakeGoogle();
  const client = createClient();
  const url = await startSignIn(client);
  const code = google.codeFor(url, googlePerson());
  return { google, client, url, code, callback: callbackOf(url, code) };
}

test.each<[string, (state: string) => string]>([
  ['no state', () => ''],
  ['the state twice', (state) => `state=${state}&state=${state}`],
  ['an unknown state', () => `state=${createToken()}`],
  [
    'a state that begins like the right one',
    (state) => `state=${state.slice(0, 32)}${'0'.repeat(32)}`,
  ],
  ['a state that is not text', () => 'state=%'],
])('a callback with %s is refused before Google is asked', async (_what, query) => {
  const { google, client, url, code } = await createComer();
  const before = await everything();
  const given = `code=${encodeURIComponent(code)}&${query(stateOf(url))}`;
  const response = await client.get(`${callbackPath}?${given}`);

  await expectInvalidState(response, client);
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
  const tampered = [
    ...parts.map((part, index) => parts.with(index, withOtherStart(part)).join('.')),
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
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ['Date'] });
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

test.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*/*',
  'application/json;q=0',
])('a browser, or any client that accepts %j, is redirected to a page', async (accept) => {
  fakeGoogle();
  const client = createClient();
  const response = await client.get(`${callbackPath}?state=x`, { headers: { Accept: accept } });

  await expectInvalidState(response, client);
});

test('a callback works once, and not for a HEAD', async () => {
  const { google, client, callback } = await createComer();
  const head = await client.request('HEAD', callback);
  expect(head.headers.get('Location')).toBe('/login');
  expect(google.requests).toHaveLength(0);
  expect((await client.get(callback)).headers.get('Location')).toBe('/');
  const before = await everything();
  const session = client.cookies.get('__Host-session');
  const second = await client.get(callback);

  expect(second.headers.get('Location')).toBe('/login?error=invalid_state');
  expect(google.requests).toHaveLength(1);
  expect(client.cookies.get('__Host-session')).toBe(session);
  expect(await everything()).toEqual(before);
});

test.each([
  ['after 10 minutes and a second it is', 601_000, '/login?error=invalid_state'],
  ['a second before 10 minutes it is not', 599_000, '/'],
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

  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(await response.text()).toBe('');
  expect(response.headers.getSetCookie()).toEqual([
    `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ]);
  expect(google.requests).toHaveLength(0);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('google_refused', 'google_signed_in')).toMatchObject([
    { event: 'google_refused', reason: 'no_code' },
  ]);
});

async function expectInvalidState(response: Response, client: Client) {
  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/login?error=invalid_state');
  expect(await response.text()).toBe('');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(loggedEvents('google_refused', 'google_signed_in').at(-1)).toMatchObject({
    event: 'google_refused',
    reason: 'state',
  });
}

/** Same length and alphabet, other value: digits are valid in hex, base64 and time. */
function withOtherStart(part: string): string {
  return (part.startsWith('1') ? '2' : '1') + part.slice(1);
}

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

test('a code is exchanged once, with the PKCE verifier and without following redirects', async () => {
  const { google, client, url, code, callback } = await createComer();
  await client.get(callback);

  expect(google.requests).toHaveLength(1);
  const [request] = google.requests;
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
