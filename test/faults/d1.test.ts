import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { apiPaths, serverPaths } from '#paths.ts';
import { answerOf, expectFailure, refusal } from '#support/answers.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import {
  brokenDatabase,
  databaseWith,
  forgetfulDatabase,
  hang,
  hangingDatabase,
  unwritableDatabase,
  whileFailing,
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
const biology = { name: 'Biology 101', course_type: 'cohort' };
const newcomer = () => ({ first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() });

type Ask = (client: Client, DB: D1Database) => Promise<Response>;

const requests: [string, Ask][] = [
  ['Health', (client, DB) => client.get(serverPaths.health, { bindings: { DB } })],
  ['reading the account', (client, DB) => client.get(userPath, { bindings: { DB } })],
  [
    'a login',
    async (client, DB) => {
      const { email } = await createUser();
      return client.post(apiPaths.login, { email }, { bindings: { DB } });
    },
  ],
  ['a sign-up', (client, DB) => client.post(apiPaths.signUp, newcomer(), { bindings: { DB } })],
];

test.each(requests)(
  'with D1 failing, %s is refused in plain words; with D1 hanging, after 8 seconds',
  async (_what, ask) => {
    const { attempts } = fakeResend();
    const { client } = await createSignedInClient();
    await client.get(serverPaths.health);
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
    const options = { bindings: { DB: unwritableDatabase(message) } };
    const { client, user } = await createSignedInClient();
    const course = apiPaths.course((await createCourseRow(user.id)).id);
    const account = apiPaths.account(user.id);
    const token = await createLink(user);
    await client.get(serverPaths.health);
    const before = await everything();

    for (const path of [userPath, apiPaths.courses, course, `${account}export/`]) {
      expect((await client.get(path, options)).status).toBe(200);
    }
    const writes: [string, string, unknown?][] = [
      ['POST', apiPaths.logout],
      ['POST', apiPaths.confirm, { token }],
      ['POST', apiPaths.login, { email: user.email }],
      ['POST', apiPaths.signUp, newcomer()],
      ['POST', apiPaths.courses, biology],
      ['PATCH', course, { name: 'Biology 102' }],
      ['DELETE', course],
      ['PATCH', account, { first_name: 'Augusta' }],
      ['DELETE', account],
    ];
    for (const [method, path, input] of writes) {
      await expectUnavailable(await client.request(method, path, input, options));
    }
    expect(await everything()).toEqual(before);
    expect(attempts).toEqual([]);
    expect(client.cookies.has('__Host-session')).toBe(true);

    expect((await client.post(apiPaths.confirm, { token })).status).toBe(200);
    expect((await client.post(apiPaths.logout)).status).toBe(204);
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
  const DB = databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      if (!isAwake) {
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        isAwake = true;
      }
      return env.DB.batch<Row>(statements);
    },
  });
  await client.get(serverPaths.health);
  const create = () => client.post(apiPaths.courses, biology, { bindings: { DB } });

  expect((await within(3_000, create)).status).toBe(201);
});

test('a sign-in with Google starts even if D1 cannot count it', async () => {
  const google = await startSignIn(createClient(), { bindings: { DB: brokenDatabase() } });

  expect(google.pathname).toContain('auth');
  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'google_starts_per_ip' }]);
});

test('a write that fails while counting works is an error of its own', async () => {
  const { attempts } = fakeResend();
  const { email } = await createUser();
  const login = () => createClient().post(apiPaths.login, { email });
  const answer = await answerOf(whileFailing('INSERT ON links', login));

  expect(answer).toMatchObject(refusal(500, 'internal'));
  expect(takeNoise()).toHaveLength(1);
  expect(loggedEvents('limiter_failed')).toEqual([]);
  expect(attempts).toEqual([]);
});

test('a course whose creation succeeded when D1 lost its answer is created once, however often the request is repeated', async () => {
  const { client, user } = await createSignedInClient();
  await client.get(serverPaths.health);
  const headers = { 'Idempotency-Key': 'a-key' };
  const lost = { bindings: { DB: forgetfulDatabase(hang) }, headers };
  await expectUnavailable(await within(8_000, () => client.post(apiPaths.courses, biology, lost)));
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);

  expect((await client.post(apiPaths.courses, biology, { headers })).status).toBe(201);
  const listed = await answerOf(client.get(apiPaths.courses));
  expect(listed.body).toMatchObject([{ ...biology, is_selected: true }]);
});

test('confirming a link uses it up even if D1 loses its answer, and a new link works', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const token = await createLink(user);
  const client = createClient();
  await client.get(serverPaths.health);
  const lost = { bindings: { DB: forgetfulDatabase(hang) } };
  await expectUnavailable(
    await within(8_000, () => client.post(apiPaths.confirm, { token }, lost)),
  );
  expect(client.cookies.has('__Host-session')).toBe(false);
  const again = await answerOf(client.post(apiPaths.confirm, { token }));
  expect(again).toMatchObject(refusal(400, 'link_invalid'));

  await client.post(apiPaths.login, { email: user.email });
  const fresh = { token: tokenIn(accepted[0]) };
  expect((await client.post(apiPaths.confirm, fresh)).status).toBe(200);
});

function expectUnavailable(response: Response): Promise<void> {
  const message = 'We can’t load your data right now. Please try again in a moment.';
  return expectFailure(response, 503, { code: 'unavailable', message });
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
