import { expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import type { Course } from '#features/courses/schema.ts';
import type { Client } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
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
import { confirmPath, loginPath, signUpPath, userPath } from './paths.ts';
import { everythingOf, expectRefused, patch, send } from './support.ts';

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

  expect(response.headers.getSetCookie()).toContain(
    '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(client.cookies.has('__Host-session')).toBe(false);
  for (const ended of [client, elsewhere, browserWith(token)]) {
    expect((await ended.get(userPath)).status).toBe(401);
  }
  expect((await neighbor.get(userPath)).status).toBe(200);
});

test('no link in a mailbox works any more, and the address signs up again for a new account', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({ language: 'fr' });
  await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' });
  const links = [await createLink(user), (await createChange(user)).token];
  await remove(client, user.id);
  for (const token of links) {
    await expectRefused(confirmPath, { token });
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

test('limit use of a network, and of an address that was only asked for, outlives the account', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const asked = uniqueEmail();
  const bindings = { LIMITS: { mails_per_ip: ['1/d'], mails_per_address: ['1/d'] } };
  const { client, user } = await createSignedInClient();
  const { client: other, user: another } = await createSignedInClient();
  expect((await client.post(loginPath, { email: user.email }, { bindings })).status).toBe(200);
  expect((await patch(other, another.id, { email: asked }, { bindings })).status).toBe(200);
  await remove(client, user.id);
  await remove(other, another.id);

  const { email } = await createUser();
  expect((await client.post(loginPath, { email }, { bindings })).status).toBe(429);
  const { client: third, user: next } = await createSignedInClient();
  expect((await patch(third, next.id, { email: asked }, { bindings })).status).toBe(429);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, another.email, asked]);
});

test('a request during a deletion, another one too, is refused and leaves nothing', async () => {
  fakeResend();
  for (let round = 0; round < 3; round += 1) {
    const { client, user } = await createSignedInClient();
    await client.get(userPath);
    const path = `/api/accounts/${user.id}/`;
    const [gone, again, ...others] = await Promise.all([
      remove(client, user.id),
      remove(client, user.id),
      client.post(coursesPath, { name: 'Too late', course_type: 'cohort' }),
      client.request('PATCH', path, { email: uniqueEmail() }),
      client.request('PATCH', path, { first_name: 'Grace' }),
      client.get(`${path}export/`),
    ]);

    expect([gone.status, again.status]).toContain(204);
    // The operator’s log shows an email that could not be sent.
    for (const line of takeNoise()) {
      expect(line).toContain('mail_unavailable');
    }
    expect([gone, again, ...others].map(({ status }) => status)).not.toContain(500);
    expect((await everythingOf(user.id)).flat()).toEqual([]);
  }
});

test('a deletion that fails halfway leaves everything as it was', async () => {
  const { client, user } = await createUserWithEverything();
  await client.get('/api/health/');
  const before = await wholeDatabase();
  // After the counters are deleted.
  const response = await whileFailing('DELETE ON users', () => remove(client, user.id));

  expect(response.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await wholeDatabase()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect((await remove(client, user.id)).status).toBe(204);
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
function remove(client: Client, id: string) {
  return send(client, 'DELETE', `/api/accounts/${id}/`);
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
