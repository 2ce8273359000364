import { expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import type { Course } from '#features/courses/schema.ts';
import type { Client } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import {
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
import {
  accountsPath,
  confirm,
  everythingOf,
  newcomer,
  patch,
  requestLogin,
  send,
  signUpPath,
} from './support.ts';

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

test('no table contains anything about the account, other users’ rows are unchanged, and the cookie is cleared', async () => {
  // So that no limit's window ends in between.
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  await createUserWithEverything();
  const before = await wholeDatabase();
  const { client, user } = await createUserWithEverything();
  const made = await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' });
  const other = await createCourseRow(user.id, { name: 'Not selected', courseType: 'cohort' });
  const cohort = await client.post(`${coursesPath}${other.id}/cohorts/`, {
    name: 'Writing in spring',
    starts_on: '2027-01-04',
    ends_on: '2027-02-12',
    time_zone: 'Europe/Paris',
  });
  expect(cohort.status).toBe(201);
  const former = uniqueEmail();
  await createRestore(user, { email: former });
  const options = { bindings: { LIMITS } };
  await requestLogin(user.email, client, options);
  await client.post(signUpPath, newcomer(user.email), options);
  await confirm({ code: 'wrong' }, client, options);
  await confirm({ token: tokenIn(accepted.at(-1)) }, client, options);
  await requestLogin(user.email, client, options);
  // After the sign-in, which would have ended it.
  const pending = uniqueEmail();
  await createChange(user, pending);
  await client.get(`${accountsPath}${user.id}/export/`);
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
  const response = await client.request('DELETE', `${accountsPath}${user.id}/`);

  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(response.headers.getSetCookie()).toContain(
    '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(placesOf(own, await wholeDatabase())).toEqual([]);
  expect(await wholeDatabase()).toEqual(before);
  expect(loggedEvents('account_deleted')).toMatchObject([{ user_id: user.id }]);
});

test('limit use of a network, and of an address that was only asked for, outlives the account', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const asked = uniqueEmail();
  const options = { bindings: { LIMITS: { mails_per_ip: ['1/d'], mails_per_address: ['1/d'] } } };
  const { client, user } = await createSignedInClient();
  const { client: other, user: another } = await createSignedInClient();
  expect((await requestLogin(user.email, client, options)).status).toBe(200);
  expect((await patch(other, another.id, { email: asked }, options)).status).toBe(200);
  await remove(client, user.id);
  await remove(other, another.id);

  const { email } = await createUser();
  expect((await requestLogin(email, client, options)).status).toBe(429);
  const { client: third, user: next } = await createSignedInClient();
  expect((await patch(third, next.id, { email: asked }, options)).status).toBe(429);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, another.email, asked]);
});

test('a request during a deletion, another one too, is refused and leaves nothing', async () => {
  fakeResend();
  for (let round = 0; round < 3; round += 1) {
    const { client, user } = await createSignedInClient();
    await client.get('/api/health/');
    const [gone, again, ...others] = await Promise.all([
      remove(client, user.id),
      remove(client, user.id),
      client.post(coursesPath, { name: 'Too late', course_type: 'cohort' }),
      patch(client, user.id, { email: uniqueEmail() }),
      patch(client, user.id, { first_name: 'Grace' }),
      client.get(`${accountsPath}${user.id}/export/`),
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
  const before = await wholeDatabase();
  // After the counters are deleted.
  const failed = await whileFailing('DELETE ON users', () => remove(client, user.id));

  expect(failed.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await wholeDatabase()).toEqual(before);
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

function remove(client: Client, id: string) {
  return send(client, 'DELETE', `${accountsPath}${id}/`);
}

type Rows = Record<string, unknown>[];

/** Every row of every table, by the table’s name, with the counters. */
async function wholeDatabase(): Promise<Record<string, Rows>> {
  return { ...(await everything()), counters: await db.select().from(counters) };
}

/** The columns that contain one of the texts, alone or as a part. */
function placesOf(texts: string[], database: Record<string, Rows>): string[] {
  const ours = texts.map((text) => text.toLowerCase());
  const isOurs = (value: unknown) =>
    ours.some((text) => String(value).toLowerCase().includes(text));
  const places = Object.entries(database).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => isOurs(value))
        .map(([column]) => `${table}.${column}`),
    ),
  );
  return [...new Set(places)].sort();
}
