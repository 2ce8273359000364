import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { courses } from '#db/schema/courses.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from '#features/courses/schema.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import {
  browserWith,
  createChange,
  createCourseRow,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { ago, minute } from './address-change.ts';
import { confirmPath, loginPath, signUpPath, userPath } from './paths.ts';

const coursesPath = '/api/courses/';

/** Without the counters of client networks and of all emails, only those of people are left. */
const LIMITS = {
  mails: [],
  mails_to_unproven: [],
  mails_per_ip: [],
  confirmations_per_ip: [],
  codes_per_ip: [],
  unknown_addresses_per_ip: [],
  unknown_addresses: [],
};

afterEach(() => {
  vi.useRealTimers();
});

test('no table contains anything about the account, and other users’ rows are unchanged', async () => {
  // So that no limit's window ends in between.
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  await createUserWithEverything();
  const before = await wholeDatabase();
  const { client, user } = await createUserWithEverything();
  const made = await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' });
  const other = await createCourseRow(user.id, { name: 'Not selected', courseType: 'cohort' });
  const cohort = await client.post(`/api/courses/${other.id}/cohorts/`, {
    name: 'Writing in spring',
    starts_on: '2027-01-04',
    ends_on: '2027-02-12',
    time_zone: 'Europe/Paris',
  });
  expect(cohort.status).toBe(201);
  const former = uniqueEmail();
  await createRestore(user, { email: former });
  const bindings = { LIMITS };
  const person = { first_name: 'Grace', last_name: 'Hopper', email: user.email };
  await client.post(loginPath, { email: user.email }, { bindings });
  await client.post(signUpPath, person, { bindings });
  await client.post(confirmPath, { code: 'wrong' }, { bindings });
  await client.post(confirmPath, { token: tokenIn(accepted.at(-1)) }, { bindings });
  await client.post(loginPath, { email: user.email }, { bindings });
  // After the sign-in, which would have ended it.
  const pending = uniqueEmail();
  await createChange(user, pending);
  await client.get(`/api/accounts/${user.id}/export/`);
  await db
    .insert(suppressedAddresses)
    .values({ emailCanonical: user.emailCanonical, reason: 'complained', since: new Date() });
  const own = [user.id, user.email, pending, former, (await made.json<Course>()).id];
  expect(placesOf(own, await wholeDatabase())).toEqual([
    'address_restores.email',
    'address_restores.email_canonical',
    'address_restores.user_id',
    'cohorts.owner_id',
    'courses.id',
    'courses.owner_id',
    'known_sign_ins.user_id',
    'links.email_canonical',
    'links.new_email',
    'links.user_id',
    'sessions.user_id',
    'undeliverable_addresses.email_canonical',
    'users.email',
    'users.email_canonical',
    'users.id',
    'users.selected_course_id',
  ]);
  // Counters of logins from this network before and after it was known, of a sign-up, of a code, of
  // a course and of a cohort in two windows each, and of an export.
  expect(await db.$count(counters)).toBe((before['counters']?.length ?? 0) + 13);
  const response = await remove(client, user.id);

  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(placesOf(own, await wholeDatabase())).toEqual([]);
  expect(await wholeDatabase()).toEqual(before);
  expect(loggedEvents('account_deleted')).toMatchObject([{ user_id: user.id }]);
});

test('every browser is signed out, and the cookie of this one is cleared', async () => {
  const { client, user } = await createSignedInClient();
  const token = client.cookies.get('__Host-session') ?? '';
  const elsewhere = browserWith(await createSession(user.id));
  const { client: neighbor } = await createSignedInClient();
  const response = await remove(client, user.id);

  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toContain(
    '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(client.cookies.has('__Host-session')).toBe(false);
  for (const ended of [client, elsewhere, browserWith(token)]) {
    expect((await ended.get(userPath)).status).toBe(401);
    expect((await remove(ended, user.id)).status).toBe(401);
  }
  expect((await neighbor.get(userPath)).status).toBe(200);
});

test('no link in a mailbox works any more, and the address signs up again for a new account', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({ language: 'fr' });
  await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' });
  const links = [await createLink(user), (await createChange(user, uniqueEmail())).token];
  await remove(client, user.id);
  for (const token of links) {
    const refused = await createClient().post(confirmPath, { token });
    expect(await refused.json()).toMatchObject({ code: 'link_invalid' });
  }
  const unknown = await client.post(loginPath, { email: user.email });
  expect(await unknown.json()).toMatchObject({ code: 'account_not_found' });

  const person = { first_name: 'Grace', last_name: 'Hopper', email: user.email };
  await client.post(signUpPath, person);
  await client.post(confirmPath, { token: tokenIn(accepted[0]) });
  const account = await (await client.get(userPath)).json<{ id: string }>();
  expect(account).toMatchObject({ ...person, language: 'en' });
  expect(account.id).not.toBe(user.id);
  expect(await (await client.get(coursesPath)).json()).toEqual([]);
});

test('parallel deletions all succeed', async () => {
  const { client, user } = await createUserWithEverything();
  await client.get('/api/health/');
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => client.request('DELETE', `/api/accounts/${user.id}/`)),
  );

  const statuses = responses.map(({ status }) => status);
  expect(statuses).toContain(204);
  expect(statuses.filter((status) => status !== 204 && status !== 401)).toEqual([]);
  expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
});

test('a deletion is refused in a session older than 15 minutes, and allowed just before', async () => {
  const { user } = await createUserWithEverything();
  const [old, young] = [
    browserWith(await createSession(user.id, { createdAt: ago(15 * minute + 5_000) })),
    browserWith(await createSession(user.id, { createdAt: ago(15 * minute - 10_000) })),
  ];
  const before = await wholeDatabase();
  const refused = await remove(old, user.id);

  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'proof_required' });
  expect(await wholeDatabase()).toEqual(before);
  expect((await old.get(userPath)).status).toBe(200);
  expect(loggedEvents('proof_demanded')).toMatchObject([{ user_id: user.id }]);
  expect((await remove(young, user.id)).status).toBe(204);
});

test('a deletion gives no more emails to an address that the account only requested', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const victim = uniqueEmail();
  for (let round = 0; round < 4; round += 1) {
    const { client, user } = await createSignedInClient();
    await client.get(userPath);
    for (let count = 0; count < 3; count += 1) {
      await client.request('PATCH', `/api/accounts/${user.id}/`, { email: victim });
    }
    await remove(client, user.id);
  }

  expect(accepted.filter(({ to }) => to === victim)).toHaveLength(3);
});

test('a request during a deletion is refused and leaves nothing', async () => {
  fakeResend();
  for (let round = 0; round < 5; round += 1) {
    const { client, user } = await createSignedInClient();
    await client.get(userPath);
    const path = `/api/accounts/${user.id}/`;
    const responses = await Promise.all([
      remove(client, user.id),
      client.post(coursesPath, { name: 'Too late', course_type: 'cohort' }),
      client.request('PATCH', path, { email: uniqueEmail() }),
      client.request('PATCH', path, { first_name: 'Grace' }),
      client.get(`${path}export/`),
    ]);

    expect(responses[0]?.status).toBe(204);
    // The operator’s log shows an email that could not be sent.
    for (const line of takeNoise()) {
      expect(line).toContain('mail_unavailable');
    }
    expect(responses.map(({ status }) => status)).not.toContain(500);
    expect(await db.select().from(courses).where(eq(courses.ownerId, user.id))).toEqual([]);
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([]);
  }
});

test('a deletion that fails halfway leaves everything as it was', async () => {
  const { client, user } = await createUserWithEverything();
  await client.get('/api/health/');
  const before = await wholeDatabase();
  // After the counters are deleted, and before the user is.
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const response = await remove(client, user.id);
  await env.DB.exec('DROP TRIGGER broken');

  expect(response.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await wholeDatabase()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect((await remove(client, user.id)).status).toBe(204);
});

test('limit use of a client network outlives the account', async () => {
  const { accepted } = fakeResend();
  const bindings = { LIMITS: { mails_per_ip: ['1/d'] } };
  const { client, user } = await createSignedInClient();
  const other = await createUser();
  expect((await client.post(loginPath, { email: user.email }, { bindings })).status).toBe(200);
  await remove(client, user.id);
  const response = await client.post(loginPath, { email: other.email }, { bindings });

  expect(response.status).toBe(429);
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});

/** A user with a session in another browser, a course, a link and counters. */
async function createUserWithEverything() {
  const { client, user } = await createSignedInClient({ googleSub: crypto.randomUUID() });
  await createSession(user.id);
  await createLink(user);
  await client.post(coursesPath, { name: 'Chemistry', course_type: 'evergreen' });
  return { client, user };
}

/** As from a page that was loaded before, with its CSRF token. */
async function remove(client: Client, id: string) {
  await client.get('/api/health/');
  return client.request('DELETE', `/api/accounts/${id}/`);
}

type Rows = Record<string, unknown>[];

/** Every row of every table, by the table’s name, with the counters. */
async function wholeDatabase(): Promise<Record<string, Rows>> {
  return { ...(await everything()), counters: await db.select().from(counters) };
}

/** The columns that contain one of the texts, alone or as a part. */
function placesOf(texts: string[], database: Record<string, Rows>): string[] {
  const places = new Set<string>();
  for (const [table, rows] of Object.entries(database)) {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const stored = String(value).toLowerCase();
        if (texts.some((text) => stored.includes(text.toLowerCase()))) {
          places.add(`${table}.${column}`);
        }
      }
    }
  }
  return [...places].sort();
}
