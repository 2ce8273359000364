import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import { apiPaths } from '#paths.ts';
import { answerOf } from '#support/answers.ts';
import { createClient } from '#support/client.ts';
import { createSignedInClient, createUser, uniqueEmail } from '#support/factories.ts';
import { callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';

const name = '__Host-bookmark';
const userPath = '/api/accounts/auth/user/';
const biology = { name: 'Biology 101', course_type: 'cohort' };

test('a client that reads and has written nothing is served by the nearest replica, and gets no bookmark', async () => {
  const { asked, bindings } = watchedDatabase();
  const { client } = await createSignedInClient();
  await client.get(userPath, { bindings });
  await client.get(apiPaths.courses, { bindings });

  expect(asked).toEqual(['first-unconstrained', 'first-unconstrained']);
  expect(client.cookies.has(name)).toBe(false);
});

test('a browser reads its own writes: its next requests require a replica that has them', async () => {
  const { asked, bindings, bookmarks } = watchedDatabase();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');
  await client.post(apiPaths.courses, biology, { bindings });
  await client.get(apiPaths.courses, { bindings });

  expect(asked).toEqual(['first-primary', bookmarks[0]]);
  expect(bookmarks[0]).toMatch(/^[0-9a-f-]{20,}$/);
});

// The export must know that a session has ended, and without the primary, the app is not healthy.
test.each([
  'POST /api/accounts/auth/login/',
  'POST /api/accounts/auth/confirm/',
  'POST /api/accounts/auth/undo-address-change/',
  'POST /api/accounts/auth/logout/',
  'POST /api/courses/',
  'GET /api/accounts/{id}/export/',
  'GET /api/health/',
])('%s asks the primary, even after other reads', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  const { asked, bindings } = watchedDatabase();
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  await client.post(apiPaths.courses, biology);
  const input = method === 'GET' ? undefined : {};
  await client.request(method, path.replace('{id}', user.id), input, { bindings });

  expect(asked).toEqual(['first-primary']);
});

test('the Google callback asks the primary and sets a bookmark', async () => {
  const { asked, bindings } = watchedDatabase();
  const google = fakeGoogle();
  const client = createClient();
  const url = await startSignIn(client);
  client.cookies.delete(name);
  await client.get(callbackOf(url, google.codeFor(url, googlePerson())), { bindings });

  expect(asked).toEqual(['first-primary']);
  expect(client.cookies.get(name)).toBeTruthy();
});

test('with replicas that lag behind, users never read anything older than their own writes', async () => {
  const bindings = { DB: laggingDatabase() };
  const { accepted } = fakeResend();
  const [asker, reader] = [createClient(), createClient()];
  const person = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
  await asker.post(apiPaths.signUp, person, { bindings });
  const token = tokenIn(accepted[0]);
  // In another browser than the one that requested it.
  await reader.post(apiPaths.confirm, { token }, { bindings });
  expect((await reader.get(userPath, { bindings })).status).toBe(200);
  const made = await answerOf<Course>(reader.post(apiPaths.courses, biology, { bindings }));
  const course = apiPaths.course(made.body.id);
  const listed = async () => (await answerOf(reader.get(apiPaths.courses, { bindings }))).body;
  await reader.request('PATCH', course, { name: 'Botany' }, { bindings });
  expect(await listed()).toMatchObject([{ name: 'Botany' }]);
  await reader.request('DELETE', course, undefined, { bindings });
  expect(await listed()).toEqual([]);
});

test.each([
  ['made up', () => 'ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff'],
  ['changed', (cookie: string) => cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ['very long', () => 'a'.repeat(5_000)],
])('a bookmark that is %s is ignored and breaks nothing', async (_what, spoil) => {
  const { asked, bindings } = watchedDatabase();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');
  await client.post(apiPaths.courses, biology);
  client.cookies.set(name, spoil(client.cookies.get(name) ?? ''));

  expect((await client.get(userPath, { bindings })).status).toBe(200);
  expect(asked).toEqual(['first-unconstrained']);
});

test('the cookie lasts 10 minutes, is not readable by scripts, and reveals nothing', async () => {
  const { bindings, bookmarks } = watchedDatabase();
  const { email } = await createUser();
  fakeResend();
  const response = await createClient().post(apiPaths.login, { email }, { bindings });
  const [cookie = ''] = response.headers.getSetCookie().filter((set) => set.startsWith(name));

  expect(new Set(cookie.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
  expect(bookmarks).toHaveLength(1);
  expect(cookie).not.toContain(bookmarks[0]?.slice(0, 17));
});

/** The real database, with a record of the requested and returned bookmarks. */
function watchedDatabase() {
  const asked: (string | undefined)[] = [];
  const bookmarks: string[] = [];
  const DB = {
    withSession: (from?: string) => {
      asked.push(from);
      const session = env.DB.withSession(from);
      return {
        prepare: (query: string) => session.prepare(query),
        batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        getBookmark: () => {
          const bookmark = session.getBookmark();
          bookmarks.push(...(bookmark === null ? [] : [bookmark]));
          return bookmark;
        },
      };
    },
  } as unknown as D1Database;
  return { bindings: { DB }, asked, bookmarks };
}

/** The real database as the primary; its only replica lags so far behind that it is empty. */
function laggingDatabase(): D1Database {
  const nothing = () => {
    throw new Error('no such table');
  };
  return {
    withSession: (from?: string) =>
      from === 'first-unconstrained'
        ? { prepare: nothing, batch: nothing, getBookmark: () => null }
        : env.DB.withSession(from),
  } as unknown as D1Database;
}
