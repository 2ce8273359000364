import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import { day, minute } from '#support/days.ts';
import {
  browserWith,
  createAttempt,
  createChange,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow, userRow } from '#support/rows.ts';
import { digitsFrom } from '#support/typed-texts.ts';
import {
  accessTo,
  accountIn,
  ago,
  atOnce,
  confirm,
  confirmPath,
  expectRefused,
  oneOf20,
  signedIn,
} from './support.ts';

const home = { status: 200, body: { redirect_to: '/' } };

const wrongCode = refusal('link_invalid', 'Authentication failed. Please try again');
const usedUp = refusal(
  'code_used_up',
  'This code no longer works. Resend the email to get a new one.',
);

function refusal(code: string, message: string) {
  return { status: 400, body: { code, message, request_id: expect.any(String) } };
}

test.each(['link', 'code'])(
  'the first verification, by %s, proves the mailbox, signs in, and removes all that was there before',
  async (by) => {
    const fromBefore = { googleSub: `a-google-account-${by}`, avatarUrl: 'x' };
    const user = await createUser({ emailVerifiedAt: null, ...fromBefore });
    const course = await createCourseRow(user.id);
    await updateRow(users, user, { selectedCourseId: course.id });
    const before = browserWith(await createSession(user.id));
    await createLink(user);
    const { client, code, token } = await createAttempt(user, { purpose: 'verification' });
    expect(await confirm(by === 'link' ? { token } : { code }, client)).toEqual(home);

    const account = { id: user.id, email: user.email, email_verified: true };
    expect(await accountIn(client)).toMatchObject(account);
    expect(await signedIn(before)).toEqual([false]);
    expect(await userRow(user.id)).toMatchObject({
      googleSub: null,
      avatarUrl: null,
      selectedCourseId: null,
      emailVerifiedAt: expect.any(Date),
    });
    expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(0);
    expect(await accessTo(user.id)).toEqual([1, 0, 0]);
  },
);

test('links and codes work only for their purpose, their address and the state of the account that they were made for', async () => {
  const { client: owner, user } = await createSignedInClient();
  const unverified = await createUser({ emailVerifiedAt: null });
  const elsewhere = { id: user.id, emailCanonical: uniqueEmail() };
  await expectRefused(
    confirmPath,
    (await createChange(unverified)).token,
    await createLink(user, { purpose: 'address_change' }),
  );
  for (const attempt of [
    await createAttempt(unverified),
    await createAttempt(user, { purpose: 'verification' }),
    await createAttempt(elsewhere),
  ]) {
    await expectRefused(confirmPath, attempt.token);
    expect(await confirm({ code: attempt.code }, attempt.client)).toEqual(usedUp);
  }
  expect(await signedIn(owner)).toEqual([true]);
});

test.each(['login', 'verification', 'address_change'] as const)(
  'of 20 parallel clicks on a link for %s exactly one counts, and signs in',
  async (purpose) => {
    const { accepted } = fakeResend();
    const user = await createUser({ emailVerifiedAt: purpose === 'verification' ? null : ago(0) });
    const { email, token } =
      purpose === 'address_change'
        ? await createChange(user)
        : { email: user.email, token: await createLink(user, { purpose }) };
    expect(await atOnce(confirmPath, { token })).toMatchObject({ statuses: oneOf20, signedIn: 1 });

    const isMoved = purpose === 'address_change';
    expect(await accessTo(user.id)).toEqual([1, 0, isMoved ? 1 : 0]);
    expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
    // The old address is notified once.
    expect(accepted.map(({ to }) => to)).toEqual(isMoved ? [user.email] : []);
    // The browser that has won, and its network.
    expect(await db.$count(knownSignIns, eq(knownSignIns.userId, user.id))).toBe(2);
  },
);

test('the answer is the same for any invalid token, also one used or expired a moment ago', async () => {
  const user = await createUser();
  const used = await createLink(user);
  await confirm({ token: used });
  const wrong = [createToken(), '', '%', 'A'.repeat(64), null, 1, [used], undefined];
  await expectRefused(confirmPath, used, ...wrong);

  const now = Date.now();
  const token = await createLink(user, { expiresAt: new Date(now + 10 * minute) });
  vi.useFakeTimers({ now: now + 10 * minute, toFake: ['Date'] });
  await expectRefused(confirmPath, token);
  vi.setSystemTime(now + 10 * minute - 1_000);
  expect((await confirm({ token })).status).toBe(200);
});

test('every sign-in makes a new session and ends the one that the browser had, even if it was another user’s', async () => {
  const { client, user: other } = await createSignedInClient();
  const former = client.cookies.get('__Host-session') ?? '';
  const user = await createUser();
  await confirm({ token: await createLink(user) }, client);
  const first = client.cookies.get('__Host-session') ?? '';
  expect(await accountIn(client)).toMatchObject({ id: user.id });
  expect(await accessTo(other.id)).toEqual([0, 0, 0]);
  await confirm({ token: await createLink(user) }, client);

  const made = createToken();
  const chooser = browserWith(made);
  await confirm({ token: await createLink(other) }, chooser);
  expect(await signedIn(chooser, ...[former, first, made].map(browserWith))).toEqual([
    true,
    ...Array(3).fill(false),
  ]);
});

test('the session cookie is for our host, not readable by scripts, and stored as a hash', async () => {
  const user = await createUser();
  const client = createClient();
  const headers = { 'User-Agent': 'x'.repeat(1_000) };
  const token = await createLink(user);
  const response = await client.post(confirmPath, { token }, { headers });

  const cookie = response.headers.getSetCookie().find((text) => text.startsWith('__Host-session='));
  expect(cookie).toMatch(/^__Host-session=[0-9a-f]{64}; /);
  expect(cookie?.split('; ').slice(1).sort()).toEqual(
    ['Max-Age=7776000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'].sort(),
  );
  const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(row?.tokenHash).toBe(await hashToken(client.cookies.get('__Host-session') ?? ''));
  expect(row?.userAgent).toHaveLength(255);
});

test('a code, also with spaces and in the digits of other keyboards, signs in the browser that asked for it, and is used up with its link', async () => {
  const user = await createUser();
  const { client, code, token } = await createAttempt(user);
  const spaced = ` ${digitsFrom('\uff10', code.slice(0, 3))}\u00a0${digitsFrom('\u0660', code.slice(3))}\n`;
  expect(await confirm({ code: spaced }, client)).toEqual(home);

  expect(await accountIn(client)).toMatchObject({ id: user.id });
  const spent = { user_id: user.id, purpose: 'login', by: 'code' };
  expect(loggedEvents('link_spent')).toMatchObject([spent]);
  // The cookie of the attempt is deleted.
  expect(client.cookies.has('__Host-attempt')).toBe(false);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
  await expectRefused(confirmPath, token);
});

test('another browser gets nothing for the right code, and takes no try from the one that asked', async () => {
  const user = await createUser();
  const { client, code } = await createAttempt(user);
  const { client: other } = await createAttempt(await createUser());
  const without = createClient();
  for (let round = 0; round < 4; round += 1) {
    expect(await confirm({ code }, other)).toEqual(wrongCode);
    expect(await confirm({ code }, without)).toEqual(usedUp);
  }

  expect([other, without].some(({ cookies }) => cookies.has('__Host-session'))).toBe(false);
  const [link] = await db.select().from(links).where(eq(links.userId, user.id));
  expect(link).toMatchObject({ codeTries: 0 });
  expect((await confirm({ code }, client)).status).toBe(200);
});

test('of 20 parallel right codes exactly one creates a session, and 20 wrong ones are five tries', async () => {
  const user = await createUser();
  const right = await createAttempt(user);
  const answers = await atOnce(
    confirmPath,
    { code: right.code },
    { '__Host-attempt': right.attempt },
  );
  expect(answers).toMatchObject({ statuses: oneOf20, signedIn: 1 });
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);

  const { attempt, client, code, wrong } = await createAttempt(await createUser());
  const { responses } = await atOnce(confirmPath, { code: wrong }, { '__Host-attempt': attempt });
  const bodies = await Promise.all(responses.map((one) => one.json<{ code: string }>()));
  expect(bodies.map((body) => body.code).sort()).toEqual([
    ...Array(16).fill('code_used_up'),
    ...Array(4).fill('link_invalid'),
  ]);
  const tries = loggedEvents('code_refused').flatMap((event) => event['tries'] ?? []);
  expect(tries.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await confirm({ code }, client)).toEqual(usedUp);
});

test('five wrong codes end an attempt, and its link', async () => {
  const user = await createUser();
  const { client, code, token, wrong } = await createAttempt(user);
  for (const answer of [...Array(4).fill(wrongCode), usedUp, usedUp]) {
    expect(await confirm({ code: wrong }, client)).toEqual(answer);
  }

  expect(await confirm({ code }, client)).toEqual(usedUp);
  await expectRefused(confirmPath, token);
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  const tries = loggedEvents('code_refused').map((event) => event['tries']);
  expect(tries).toEqual([1, 2, 3, 4, 5, undefined, undefined]);
});

test.each<[string, (code: string) => unknown]>([
  ['another', (code) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')],
  ['an empty', () => ''],
  ['a shorter', (code) => code.slice(1)],
  ['a longer', (code) => `${code}0`],
  ['a numeric', Number],
  ['a listed', (code) => [code]],
])('the answer is the same for any wrong code: %s one', async (_which, change) => {
  const { client, code } = await createAttempt(await createUser());

  expect(await confirm({ code: change(code) }, client)).toEqual(wrongCode);
});

test('the answer is the same for any browser without a live attempt', async () => {
  const attempts = [];
  for (const sinceNow of [-10 * minute, 60 * minute]) {
    const createdAt = new Date(Date.now() + sinceNow);
    attempts.push(await createAttempt(await createUser(), { createdAt }));
  }
  for (const cookie of [createToken(), '', '%']) {
    const attempt = await createAttempt(await createUser());
    attempt.client.cookies.set('__Host-attempt', cookie);
    attempts.push(attempt);
  }
  // On https, a cookie without the prefix could come from a sibling domain.
  const attempt = await createAttempt(await createUser());
  attempt.client.cookies.delete('__Host-attempt');
  attempt.client.cookies.set('attempt', attempt.attempt);
  for (const { client, code } of [...attempts, attempt]) {
    expect(await confirm({ code }, client)).toEqual(usedUp);
  }
});

test('a token and a code together are refused, and neither is used', async () => {
  const { client, code, token } = await createAttempt(await createUser());
  for (const other of [code, '']) {
    expect(await confirm({ token, code: other }, client)).toEqual(wrongCode);
  }

  expect((await confirm({ code }, client)).status).toBe(200);
});

test('a code is valid for 10 minutes and not a second longer, even if its link lives for a day', async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const now = Date.now();
  const { client, code, token } = await createAttempt(user, {
    purpose: 'verification',
    createdAt: new Date(now),
    expiresAt: new Date(now + day),
  });
  vi.useFakeTimers({ now: now + 10 * minute, toFake: ['Date'] });
  expect(await confirm({ code }, client)).toEqual(usedUp);
  vi.setSystemTime(now + 10 * minute - 1);
  expect(await confirm({ code: 'wrong' }, client)).toEqual(wrongCode);
  vi.setSystemTime(now + 11 * minute);
  expect((await confirm({ token })).status).toBe(200);
});

test('a refused request uses up no try, the fifth may be right, and a failure halfway ends neither code nor link', async () => {
  const { client, code, wrong } = await createAttempt(await createUser());
  const headers = { Origin: 'https://evil.test' };
  expect((await confirm({ code: wrong }, client, { headers })).status).toBe(403);
  const full = { bindings: { LIMITS: { codes_per_address: ['1/h'] } } };
  await confirm({ code: wrong }, client, full);
  for (let round = 0; round < 6; round += 1) {
    expect((await confirm({ code }, client, full)).status).toBe(429);
  }
  for (let round = 0; round < 3; round += 1) {
    expect((await confirm({ code: wrong }, client)).status).toBe(400);
  }
  const failed = await whileFailing('DELETE ON links', () => confirm({ code }, client));
  expect(failed.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect((await confirm({ code }, client)).status).toBe(200);
});
