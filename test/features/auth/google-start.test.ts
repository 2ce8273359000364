import { expect, test } from 'vitest';
import { createClient, origin } from '#support/client.ts';
import {
  attemptsOf,
  callbackOf,
  challengeOf,
  fakeGoogle,
  googlePerson,
  loginPath,
  startSignIn,
} from '#support/google.ts';

test('a start returns the address at Google, and only requests the identity', async () => {
  const response = await createClient().post(loginPath);
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
});

test('two starts of one browser share no secret', async () => {
  const client = createClient();
  const [one, other] = [await startSignIn(client), await startSignIn(client)];

  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name));
  }
});

test('the cookie of an attempt is for our host, lasts 10 minutes and is not readable by scripts', async () => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.post(loginPath);

  const [cookie = '', ...others] = response.headers
    .getSetCookie()
    .filter((set) => !set.startsWith('__Host-bookmark='));
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^__Host-google_[0-9a-f]{16}=/);
  expect(new Set(cookie.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
});

test('a code is exchanged once, with the PKCE verifier and without following redirects', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const url = await startSignIn(client);
  const code = google.codeFor(url, googlePerson());
  const response = await client.get(callbackOf(url, code));

  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/');
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

test('the browser keeps the newest 5 of 20 attempts, and each of them can be finished', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const urls: URL[] = [];
  for (let count = 1; count <= 20; count += 1) {
    const options = { bindings: { LIMITS: { google_starts_per_ip: [] } } };
    urls.push(await startSignIn(client, options));
    expect(attemptsOf(client)).toHaveLength(Math.min(count, 5));
  }
  const header = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(header.length).toBeLessThan(4_096);

  const person = googlePerson();
  const locations: (string | null)[] = [];
  for (const url of urls) {
    const response = await client.get(callbackOf(url, google.codeFor(url, person)));
    locations.push(response.headers.get('Location'));
  }
  expect(locations).toEqual([
    ...Array(15).fill('/login?error=invalid_state'),
    ...Array(5).fill('/'),
  ]);
  expect(attemptsOf(client)).toEqual([]);
});

test('cookies that only look like attempts do not get in the way', async () => {
  const google = fakeGoogle();
  const client = createClient();
  for (const suffix of ['a/b', '(x)', '@', '[]', 'x,y', '0123456789abcdef']) {
    client.cookies.set(`__Host-google_${suffix}`, 'x.y.z.9999999999999');
  }
  const response = await google.signIn(client, googlePerson());

  expect(response.headers.get('Location')).toBe('/');
});
