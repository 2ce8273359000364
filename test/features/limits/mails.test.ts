import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { minute } from '#support/days.ts';
import { createSignedInClient, createUser, db } from '#support/factories.ts';
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import {
  accountsPath,
  confirm,
  loginPath,
  newcomer,
  patch,
  requestLogin,
  send,
  signedIn,
  signUpPath,
  statusesOf,
} from '../identity/support.ts';
import { googlePath, startOwnDays } from './support.ts';

startOwnDays();

type Options = Parameters<typeof requestLogin>[2];

/** A login from a network of its own. */
function logIn(email: string, options: Options = {}) {
  return requestLogin(email, createClient(), options);
}

/** A sign-up from a network of its own. */
function signUp(email?: string, options: Options = {}) {
  return send(createClient(), 'POST', signUpPath, newcomer(email), options);
}

test('all spellings of an address share one limit', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const spellings = [email, email.toUpperCase(), ` ${email}\t`, email.replace('@', '＠')];

  expect(await statusesOf(spellings, (spelling) => logIn(spelling))).toEqual([200, 200, 200, 429]);
  expect(accepted).toHaveLength(3);
});

test('login, sign-up, a new account, a repeated verification and an address change share one email limit of the address', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user: other } = await createSignedInClient();
  const ways = (email: string) => [
    () => signUp(email),
    () => logIn(email),
    () => send(createClient(), 'POST', accountsPath, newcomer(email)),
    () => patch(owner, other.id, { email }),
  ];
  for (const first of [0, 1, 2, 3]) {
    const { email } = await createUser({ emailVerifiedAt: null });
    const inTurn = [...ways(email).slice(first), ...ways(email).slice(0, first)];
    const statuses = await statusesOf([...inTurn, ...inTurn], (ask) => ask());

    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses.slice(3)).toEqual(Array(5).fill(429));
    expect(mailsTo(email, accepted)).toHaveLength(3);
  }
});

test('a flood of sign-ups leaves emails for existing accounts', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const bindings = { LIMITS: { mails: ['9/h'], mails_to_unproven: ['2/h'] } };
  const three = [1, 2, 3];
  expect(await statusesOf(three, () => signUp(undefined, { bindings }))).toEqual([201, 201, 503]);
  expect(takeNoise()).toHaveLength(1);

  expect((await logIn(email, { bindings })).status).toBe(200);
  expect(accepted).toHaveLength(3);
});

test('refused requests do not count: the daily limit still has its 10 emails', async () => {
  // The test starts 20 seconds after the first bucket of its window.
  const noon = Date.now() - 20_000;
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const passed: number[] = [];
  for (let quarter = 0; quarter < 5; quarter += 1) {
    accepted.length = 0;
    for (let count = 0; count < 12; count += 1) {
      await logIn(email);
    }
    passed.push(accepted.length);
    vi.setSystemTime(Date.now() + 15 * minute);
  }

  expect(passed).toEqual([3, 3, 3, 1, 0]);
  const refused = await createClient().post(loginPath, { email });
  // Until the first hour is a day old, because the daily limit is reached.
  expect(refused.headers.get('Retry-After')).toBe(
    String((noon + 24 * 60 * minute - Date.now()) / 1_000),
  );
});

test('using up the emails of an address does not lock out its owner', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user } = await createSignedInClient();
  const statuses = await statusesOf(Array(4).fill(user.email), (email) => logIn(email));
  expect(statuses.at(-1)).toBe(429);
  const elsewhere = createClient();

  expect((await elsewhere.post(googlePath)).status).toBe(200);
  expect((await confirm({ token: tokenIn(accepted.at(-1)) }, elsewhere)).status).toBe(200);
  expect(await signedIn(owner, elsewhere)).toEqual([true, true]);
});

test('when the hourly email limit is reached, nothing is sent and nothing is left', async () => {
  const { attempts } = fakeResend();
  const options = { bindings: { LIMITS: { mails: ['2/h'] } } };
  const [known, unverified] = [await createUser(), await createUser({ emailVerifiedAt: null })];
  expect((await logIn((await createUser()).email, options)).status).toBe(200);
  expect((await signUp(undefined, options)).status).toBe(201);
  const before = await db.select().from(users);
  for (const answer of [
    await logIn(known.email, options),
    await logIn(unverified.email, options),
    await signUp(unverified.email, options),
    await signUp(undefined, options),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } });
  }

  expect(takeNoise()).toHaveLength(4);
  expect(attempts).toHaveLength(2);
  expect(await db.select().from(users)).toEqual(before);
  for (const { id } of [known, unverified]) {
    expect(await db.select().from(links).where(eq(links.userId, id))).toEqual([]);
  }
  expect(loggedEvents('rate_limited').map(({ limit }) => limit)).toEqual(Array(4).fill('mails'));
  vi.setSystemTime(Date.now() + 60 * minute);
  expect((await logIn(known.email, options)).status).toBe(200);
});

test('the log says once an hour when half of the emails are used up, and once at 80 percent', async () => {
  const { accepted } = fakeResend();
  const options = { bindings: { LIMITS: { mails: ['10/h'] } } };
  const seenAfter: unknown[] = [];
  for (let count = 0; count < 12; count += 1) {
    await signUp(undefined, options);
    seenAfter.push(loggedEvents('mail_budget').map(({ percent }) => percent));
  }

  expect(takeNoise()).toHaveLength(2);
  expect(accepted).toHaveLength(10);
  expect(seenAfter).toEqual([
    ...Array(4).fill([]),
    ...Array(3).fill([50]),
    ...Array(5).fill([50, 80]),
  ]);

  // With room again, half of them can be used up again.
  vi.setSystemTime(Date.now() + 2 * 60 * minute);
  for (let count = 0; count < 6; count += 1) {
    await signUp(undefined, options);
  }
  expect(loggedEvents('mail_budget').map(({ percent }) => percent)).toEqual([50, 80, 50]);
});

test('sign-ups with a taken address cost its owner nothing, and send no email', async () => {
  const { attempts, accepted } = fakeResend();
  const { email } = await createUser();
  const statuses: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    statuses.push(...(await statusesOf(Array(3).fill(email), (taken) => signUp(taken))));
    vi.setSystemTime(Date.now() + 15 * minute);
  }
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  expect(attempts).toHaveLength(0);

  expect((await logIn(email)).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([email]);
});
