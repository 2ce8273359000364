import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { api } from '#api/app.ts';
import { counters } from '#db/schema/counters.ts';
import { createToken } from '#lib/tokens.ts';
import { csrfExemptPaths } from '#middleware/csrf.ts';
import { createClient, origin } from '#support/client.ts';
import {
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { everything } from '#support/rows.ts';

/** From the router itself, so that a new route cannot be forgotten. */
const unsafeRoutes = api.routes
  .filter(({ method }) => !['ALL', 'GET', 'HEAD', 'OPTIONS'].includes(method))
  .map(({ method, path }) => [method, path.replace(':id', crypto.randomUUID())] as const)
  .filter(
    ([method, path], index, all) => all.findIndex(([m, p]) => m === method && p === path) === index,
  )
  .filter(([, path]) => !csrfExemptPaths.includes(path));

const forged: [string, Record<string, string>][] = [
  ['no header', { 'X-CSRFToken': '' }],
  ['another header than the cookie', { 'X-CSRFToken': `${createToken()}.${createToken()}` }],
  ['a header of one character', { 'X-CSRFToken': 'x' }],
  ['a header of 8 kB', { 'X-CSRFToken': 'x'.repeat(8_192) }],
  ['another origin', { Origin: 'https://evil.test' }],
  ['an origin that contains ours', { Origin: `${origin}.evil.test` }],
  ['our origin without TLS', { Origin: origin.replace('https', 'http') }],
  ['a subdomain of ours', { Origin: origin.replace('://', '://sub.') }],
  ['no origin', { Origin: '' }],
  ['an opaque origin', { Origin: 'null' }],
  ['no origin, from another site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
  ['no origin, from a sibling site', { Origin: 'null', 'Sec-Fetch-Site': 'same-site' }],
];
/** Requests that are refused on the route for SDK reports, which needs no token. */
const foreign = forged.filter(([, headers]) => !('X-CSRFToken' in headers));
const contentTypes = [
  'application/json',
  'text/plain',
  'application/csp-report',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  // None at all.
  '',
];

test('only these routes are open to requests from elsewhere, by their exact paths', async () => {
  expect(csrfExemptPaths).toEqual(['/api/webhooks/resend/', '/api/mail/unsubscribe/']);
  for (const path of csrfExemptPaths.flatMap((exempt) => [
    `${exempt}x/`,
    exempt.slice(0, -1),
    `/api/courses/?${exempt}`,
  ])) {
    const response = await createClient().request(
      'POST',
      path,
      {},
      { headers: forged[0]?.[1] ?? {} },
    );
    expect([403, 404]).toContain(response.status);
  }
});

/** Error reports, and what people without a session send: their origin is enough. */
function needsNoToken(path: string): boolean {
  return /^\/api\/(error-reports|public|participation|mail)\//.test(path);
}

test('there are routes to protect', () => {
  expect(unsafeRoutes.length).toBeGreaterThanOrEqual(6);
  expect(foreign).toHaveLength(forged.length - 4);
});

test.each([
  '/api/error-reports',
  '/api/error-reports//',
  '/api/error-reports/x/',
  '/api/x/../error-reports/x',
])('only the exact path of error reports needs no token: %s', async (path) => {
  expect((await createClient().request('POST', path)).status).toBe(403);
});

/** Another content type for each route and forgery; at night all of them. See every-case.ts. */
function contentTypesOf(route: string, forgery: number): string[] {
  const index = unsafeRoutes.findIndex(([method, path]) => `${method} ${path}` === route);
  const at = (index + forgery) % contentTypes.length;
  return env.EVERY_CASE === '1' ? contentTypes : contentTypes.slice(at, at + 1);
}

test.each(unsafeRoutes)('%s %s refuses every forgery and changes nothing', async (method, path) => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const input = {
    email: user.email,
    first_name: 'Eve',
    last_name: 'Evil',
    name: 'Evil',
    course_type: 'cohort',
    token: await createLink(user),
  };
  const before = await everything();
  for (const [index, [, headers]] of (needsNoToken(path) ? foreign : forged).entries()) {
    for (const contentType of contentTypesOf(`${method} ${path}`, index)) {
      const response = await client.request(method, path, input, {
        headers: { ...headers, 'Content-Type': contentType },
      });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'csrf_failed' });
    }
  }

  expect(await everything()).toEqual(before);
  expect(attempts).toHaveLength(0);
});

test.each(unsafeRoutes)('%s %s accepts requests from our own page', async (method, path) => {
  fakeResend();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');

  expect((await client.request(method, path, {})).status).not.toBe(403);
});

test.each(['GET', 'HEAD', 'OPTIONS'])(
  '%s changes nothing, whatever it requests',
  async (method) => {
    const { client, user } = await createSignedInClient();
    const course = await createCourseRow(user.id);
    const before = await everything();
    const uncounted = await db.$count(counters);
    for (const path of new Set(api.routes.map((route) => route.path))) {
      const id = path.includes('courses') ? course.id : user.id;
      await client.request(method, path.replace(':id', id));
    }

    expect(await everything()).toEqual(before);
    // An export is counted; the check whether it is allowed is not.
    expect((await db.$count(counters)) - uncounted).toBe(method === 'GET' ? 1 : 0);
  },
);

test('an anonymous request from elsewhere without cookies sends no email', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const response = await createClient().request(
    'POST',
    '/api/accounts/auth/login/',
    { email: user.email },
    {
      headers: { Origin: 'https://evil.test' },
    },
  );

  expect(response.status).toBe(403);
  expect(attempts).toHaveLength(0);
});

test('without an Origin header, Sec-Fetch-Site is enough to show that the page is ours', async () => {
  fakeResend();
  const user = await createUser();
  const client = createClient();
  const headers = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' };
  const response = await client.post(
    '/api/accounts/auth/login/',
    { email: user.email },
    { headers },
  );

  expect(response.status).toBe(200);
});

test('a token is bound to its session', async () => {
  const client = createClient();
  await client.get('/api/health/');
  const anonymous = client.cookies.get('__Host-csrftoken') ?? '';
  const user = await createUser();
  client.cookies.set('__Host-session', await createSession(user.id));
  const headers = { 'X-CSRFToken': anonymous };
  const refused = await client.request('POST', '/api/accounts/auth/logout/', undefined, {
    headers,
  });

  expect(refused.status).toBe(403);
  expect(client.cookies.get('__Host-csrftoken')).not.toBe(anonymous);
  expect((await client.post('/api/accounts/auth/logout/')).status).toBe(204);
});

test('signing in changes the token', async () => {
  const client = createClient();
  await client.get('/api/health/');
  const before = client.cookies.get('__Host-csrftoken') ?? '';
  await client.post('/api/accounts/auth/confirm/', { token: await createLink(await createUser()) });

  expect(client.cookies.get('__Host-csrftoken')).not.toBe(before);
  const headers = { 'X-CSRFToken': before };
  expect((await client.post('/api/accounts/auth/logout/', undefined, { headers })).status).toBe(
    403,
  );
});

test('a refusal sets the token with which the same request succeeds', async () => {
  const client = createClient();
  const refused = await client.request('POST', '/api/accounts/auth/logout/');
  const accepted = await client.request('POST', '/api/accounts/auth/logout/');

  expect([refused.status, accepted.status]).toEqual([403, 204]);
});

test('the cookie is for our host, readable by our scripts, and kept while it is valid', async () => {
  const client = createClient();
  const first = await client.get('/api/health/');
  const second = await client.get('/api/health/');

  const [cookie = ''] = first.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-csrftoken=[0-9a-f]{64}\.[0-9a-f]{64}; /);
  expect(new Set(cookie.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=31536000', 'Path=/', 'Secure', 'SameSite=Lax']),
  );
  expect(second.headers.getSetCookie()).toEqual([]);
});

test('a read of the API leaves a token that does not fit, and the next write replaces it', async () => {
  const client = createClient();
  const headers = { Cookie: `__Host-csrftoken=${'0'.repeat(64)}.${'0'.repeat(64)}` };
  const read = await client.request('GET', '/api/health/', undefined, { headers });
  const refused = await client.request('POST', '/api/accounts/auth/logout/', undefined, {
    headers,
  });

  expect(read.headers.getSetCookie()).toEqual([]);
  expect(refused.status).toBe(403);
  expect(refused.headers.getSetCookie().join()).toMatch(/^__Host-csrftoken=/);
});

test('no answer opens the API to other origins', async () => {
  const client = createClient();
  for (const path of ['/api/health/', '/api/courses/', '/api/nowhere/']) {
    const headers = { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' };
    const response = await client.request('OPTIONS', path, undefined, { headers });
    expect(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  }
});
