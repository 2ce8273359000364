import { expect, test } from 'vitest';
import { api } from '#api.ts';
import { counters } from '#db/schema/counters.ts';
import { createToken } from '#lib/tokens.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import { apiPaths } from '#paths.ts';
import { answerOf, refusal } from '#support/answers.ts';
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

/** From the router itself, which has each handler of a route, so that no new one is forgotten. */
const allPaths = [...new Set(api.routes.map(({ path }) => path))];
const exemptPaths = allPaths.filter((path) => kindOf(path).csrf === 'exempt');
const unsafeRoutes = [...new Set(api.routes.map(({ method, path }) => `${method} ${path}`))]
  .filter((route) => !/^(ALL|GET|HEAD|OPTIONS) /.test(route))
  .filter((route) => !exemptPaths.includes(route.replace(/^\w+ /, '')))
  .map((route) => filled(route, crypto.randomUUID()));

/** A route with an id in place of each of its parameters. */
function filled(route: string, id: string): string {
  return route.replace(/:\w+/g, id);
}

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
  expect(exemptPaths).toEqual([
    '/api/mail/unsubscribe/',
    '/api/webhooks/stripe/',
    '/api/webhooks/resend/',
  ]);
  const almost = [...exemptPaths, '/api/error-reports/'].flatMap((exempt) => [
    `${exempt}x/`,
    exempt.slice(0, -1),
    `/api/courses/?${exempt}`,
  ]);
  for (const path of almost) {
    const headers = { 'X-CSRFToken': '' };
    const response = await createClient().request('POST', path, {}, { headers });
    expect([403, 404]).toContain(response.status);
  }
});

/** Error reports, and what people without a session send: their origin is enough. */
function needsNoToken(path: string): boolean {
  return /^\/api\/(error-reports|public|participation|learning|mail)\//.test(path);
}

/** Sends requests in these forged ways, as each of these content types. */
async function expectRefusals(routes: string[], ways: typeof forged, types: string[]) {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const person = { email: user.email, first_name: 'Eve', last_name: 'Evil' };
  const input = { ...person, name: 'Evil', course_type: 'cohort', token: await createLink(user) };
  const before = await everything();
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const possible = ways.filter((way) => foreign.includes(way) || !needsNoToken(path));
    for (const [what, headers] of possible) {
      for (const type of types) {
        const options = { headers: { ...headers, 'Content-Type': type } };
        const answer = await answerOf(client.request(method, path, input, options));
        expect(answer, `${route}: ${what}, ${type}`).toMatchObject(refusal(403, 'csrf_failed'));
      }
    }
  }
  expect(await everything()).toEqual(before);
  expect(attempts).toHaveLength(0);
}

test.each([
  'POST /api/accounts/auth/confirm/',
  'DELETE /api/accounts/auth/sessions/others/',
  'POST /api/error-reports/',
])('%s refuses every forgery, with every content type', async (route) => {
  await expectRefusals([route], forged, contentTypes);
});

test.each(['no header', 'another origin'])(
  'every route refuses forged requests: %s',
  async (what) => {
    expect(unsafeRoutes.length).toBeGreaterThan(100);
    const ways = forged.filter(([name]) => name === what);

    await expectRefusals(unsafeRoutes, ways, ['application/json']);
  },
);

test.each(unsafeRoutes)(
  '%s refuses every forgery, with every content type',
  { tags: ['night'] },
  async (route) => {
    await expectRefusals([route], forged, contentTypes);
  },
);

/** Requests everything in this way, and says how many of them a limit has counted. */
async function countOf(method: string): Promise<number> {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  const before = await everything();
  const uncounted = await db.$count(counters);
  for (const path of allPaths) {
    await client.request(method, filled(path, path.includes('courses') ? course.id : user.id));
  }

  expect(await everything()).toEqual(before);
  return (await db.$count(counters)) - uncounted;
}

test('a GET request to any route changes nothing', async () => {
  // An export is counted.
  expect(await countOf('GET')).toBe(1);
});

test.each(['HEAD', 'OPTIONS'])(
  'a request with %s to any route changes nothing',
  { tags: ['night'] },
  async (method) => {
    // The check whether an export is allowed is not counted.
    expect(await countOf(method)).toBe(0);
  },
);

test('without cookies, a request from elsewhere sends no email; Sec-Fetch-Site is enough to show that the page is ours', async () => {
  const { attempts } = fakeResend();
  const input = { email: (await createUser()).email };
  const foreign = { headers: { Origin: 'https://evil.test' } };
  const refused = await createClient().request('POST', apiPaths.login, input, foreign);
  expect(refused.status).toBe(403);
  expect(attempts).toHaveLength(0);

  const ours = { headers: { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' } };
  expect((await createClient().post(apiPaths.login, input, ours)).status).toBe(200);
});

test('a token is bound to its session', async () => {
  const client = createClient();
  await client.get('/api/health/');
  const anonymous = client.cookies.get('__Host-csrftoken') ?? '';
  const user = await createUser();
  client.cookies.set('__Host-session', await createSession(user.id));
  const headers = { 'X-CSRFToken': anonymous };
  const refused = await client.request('POST', apiPaths.logout, undefined, { headers });

  expect(refused.status).toBe(403);
  expect(client.cookies.get('__Host-csrftoken')).not.toBe(anonymous);
  expect((await client.post(apiPaths.logout)).status).toBe(204);
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

test('a read of the API leaves a token that does not fit; the next write replaces it, and succeeds when it is repeated', async () => {
  const client = createClient();
  const headers = { Cookie: `__Host-csrftoken=${'0'.repeat(64)}.${'0'.repeat(64)}` };
  const read = await client.request('GET', '/api/health/', undefined, { headers });
  const refused = await client.request('POST', apiPaths.logout, undefined, { headers });
  const accepted = await client.request('POST', apiPaths.logout);

  expect(accepted.status).toBe(204);
  expect(read.headers.getSetCookie()).toEqual([]);
  expect(refused.status).toBe(403);
  expect(refused.headers.getSetCookie().join()).toMatch(/^__Host-csrftoken=/);
});

test('no answer opens the API to other origins', async () => {
  const client = createClient();
  for (const path of ['/api/health/', '/api/courses/', '/api/nowhere/']) {
    const headers = { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' };
    const response = await client.request('OPTIONS', path, undefined, { headers });
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
