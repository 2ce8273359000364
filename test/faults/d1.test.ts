import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import type { Course } from '#features/courses/schema.ts';
import type { Client } from '#support/client.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import {
  brokenDatabase,
  databaseWith,
  hangingDatabase,
  unwritableDatabase,
} from '#support/database.ts';
import {
  createCourseRow,
  createLink,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything } from '#support/rows.ts';

const userPath = '/api/accounts/auth/user/';
const confirmPath = '/api/accounts/auth/confirm/';
const coursesPath = '/api/courses/';
const biology = { name: 'Biology 101', course_type: 'cohort' };

afterEach(() => {
  vi.useRealTimers();
});

type Ask = (client: Client, DB: D1Database) => Promise<Response>;

const requests: [string, Ask][] = [
  ['Health', (client, DB) => client.get('/api/health/', { bindings: { DB } })],
  ['reading the account', (client, DB) => client.get(userPath, { bindings: { DB } })],
  ['reading the courses', (client, DB) => client.get(coursesPath, { bindings: { DB } })],
  ['creating a course', (client, DB) => client.post(coursesPath, biology, { bindings: { DB } })],
  [
    'a login',
    async (client, DB) => {
      const { email } = await createUser();
      return client.post('/api/accounts/auth/login/', { email }, { bindings: { DB } });
    },
  ],
  [
    'a sign-up',
    (client, DB) => {
      const person = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
      return client.post('/api/accounts/auth/signup/', person, { bindings: { DB } });
    },
  ],
];

test.each(requests)(
  'with D1 failing, %s is refused in plain words; with D1 hanging, after 8 seconds',
  async (_what, ask) => {
    const { attempts } = fakeResend();
    const { client } = await createSignedInClient();
    await client.get('/api/health/');
    await expectUnavailable(await ask(client, brokenDatabase()));
    await expectUnavailable(await within(8_000, () => ask(client, hangingDatabase())));

    expect(attempts).toEqual([]);
    expect((await ask(client, env.DB)).ok).toBe(true);
  },
);

test.each([
  'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
  'D1_ERROR: database or disk is full: SQLITE_FULL',
  'D1_ERROR: database is locked: SQLITE_BUSY',
])(
  'with a read-only database (%s), reads work, writes are refused in plain words, and nothing is lost',
  async (message) => {
    const { attempts } = fakeResend();
    const DB = unwritableDatabase(message);
    const options = { bindings: { DB } };
    const { client, user } = await createSignedInClient();
    const course = await createCourseRow(user.id);
    const coursePath = `${coursesPath}${course.id}/`;
    const token = await createLink(user);
    await client.get('/api/health/');
    const before = await everything();

    const reads = [userPath, coursesPath, coursePath, '/api/accounts/auth/sessions/'];
    for (const path of [...reads, `/api/accounts/${user.id}/export/`]) {
      expect((await client.get(path, options)).status).toBe(200);
    }
    const person = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
    const writes: [string, string, unknown?][] = [
      ['POST', '/api/accounts/auth/logout/'],
      ['POST', confirmPath, { token }],
      ['POST', '/api/accounts/auth/login/', { email: user.email }],
      ['POST', '/api/accounts/auth/signup/', person],
      ['POST', coursesPath, biology],
      ['POST', `${coursePath}select/`],
      ['PATCH', coursePath, { name: 'Biology 102' }],
      ['DELETE', coursePath],
      ['PATCH', `/api/accounts/${user.id}/`, { first_name: 'Augusta' }],
      ['DELETE', `/api/accounts/${user.id}/`],
      ['DELETE', '/api/accounts/auth/sessions/current/'],
    ];
    for (const [method, path, input] of writes) {
      await expectUnavailable(await client.request(method, path, input, options));
    }
    expect(await everything()).toEqual(before);
    expect(attempts).toEqual([]);
    expect(client.cookies.has('__Host-session')).toBe(true);

    expect((await client.post(confirmPath, { token })).status).toBe(200);
    expect((await client.post('/api/accounts/auth/logout/')).status).toBe(204);
  },
);

test.each([
  ['failing', brokenDatabase()],
  ['hanging', hangingDatabase()],
] as const)('with D1 %s, the Google callback ends on the login page', async (how, DB) => {
  const google = fakeGoogle();
  const client = createClient();
  const person = googlePerson();
  const url = await startSignIn(client);
  const callback = callbackOf(url, google.codeFor(url, person));
  const isAtOnce = how === 'failing';
  const response = await within(8_000, () => client.get(callback, { bindings: { DB } }), isAtOnce);

  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(takeNoise()).toHaveLength(1);
  expect((await google.signIn(client, person)).headers.get('Location')).toBe('/');
});

test('with a slow D1, requests that wait get their answer', async () => {
  const { client } = await createSignedInClient();
  let isAwake = false;
  const slow = databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      if (!isAwake) {
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        isAwake = true;
      }
      return env.DB.batch<Row>(statements);
    },
  });
  await client.get('/api/health/');
  const response = await within(3_000, () =>
    client.post(coursesPath, biology, { bindings: { DB: slow } }),
  );

  expect(response.status).toBe(201);
});

test('a sign-in with Google starts even if D1 cannot count it', async () => {
  const google = await startSignIn(createClient(), { bindings: { DB: brokenDatabase() } });

  expect(google.pathname).toContain('auth');
  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'google_starts_per_ip' }]);
});

test('a write that fails while counting works is an error of its own', async () => {
  const { attempts } = fakeResend();
  const { email } = await createUser();
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON links BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const response = await createClient().post('/api/accounts/auth/login/', { email });
  await env.DB.exec('DROP TRIGGER broken');

  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal' });
  expect(takeNoise()).toHaveLength(1);
  expect(loggedEvents('limiter_failed')).toEqual([]);
  expect(attempts).toEqual([]);
});

test('a course whose creation succeeded when D1 lost its answer is created once, however often the request is repeated', async () => {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const headers = { 'Idempotency-Key': 'a-key' };
  const lost = await within(8_000, () =>
    client.post(coursesPath, biology, { bindings: { DB: forgetfulDatabase() }, headers }),
  );
  await expectUnavailable(lost);
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
  const again = await client.post(coursesPath, biology, { headers });

  expect(again.status).toBe(201);
  const listed = await (await client.get(coursesPath)).json<Course[]>();
  expect(listed).toMatchObject([{ ...biology, is_selected: true }]);
});

test('confirming a link uses it up even if D1 loses its answer, and a new link works', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const token = await createLink(user);
  const client = createClient();
  await client.get('/api/health/');
  const lost = await within(8_000, () =>
    client.post(confirmPath, { token }, { bindings: { DB: forgetfulDatabase() } }),
  );
  await expectUnavailable(lost);
  expect(client.cookies.has('__Host-session')).toBe(false);
  const again = await client.post(confirmPath, { token });
  expect(again.status).toBe(400);
  expect(await again.json()).toMatchObject({ code: 'link_invalid' });

  await client.post('/api/accounts/auth/login/', { email: user.email });
  const fresh = tokenIn(accepted[0]);
  expect((await client.post(confirmPath, { token: fresh })).status).toBe(200);
});

/** Writes with its second trip, whose answer is lost. */
function forgetfulDatabase(): D1Database {
  let batches = 0;
  return databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      const result = await env.DB.batch<Row>(statements);
      return batches > 1 ? new Promise<never>(() => {}) : result;
    },
  });
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  const body = await response.json<{ request_id: string }>();
  expect(body).toMatchObject({
    code: 'unavailable',
    message: 'We can’t load your data right now. Please try again in a moment.',
  });
  const lines = takeNoise();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'failure',
    request_id: body.request_id,
  });
}

/** Advances the time and checks that the answer comes at its end, or immediately. */
async function within(
  ms: number,
  ask: () => Promise<Response>,
  isAtOnce = false,
): Promise<Response> {
  vi.useFakeTimers({ toFake: ['clearTimeout', 'setTimeout'] });
  let answer: Response | null = null;
  const asked = ask().then((response) => {
    answer = response;
    return response;
  });
  while (answer === null && vi.getTimerCount() === 0) {
    await scheduler.wait(1);
  }
  await vi.advanceTimersByTimeAsync(ms - 1);
  const isEarly = answer !== null;
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  const response = await asked;
  expect(isEarly).toBe(isAtOnce);
  return response;
}
