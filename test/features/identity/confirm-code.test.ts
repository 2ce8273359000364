import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import { createAttempt, createSession, createUser, db } from '#support/factories.ts';
import { userRow } from '#support/rows.ts';
import { confirmPath, userPath } from './paths.ts';
import { accessTo, atOnce, expectRefused, minute, oneOf20 } from './support.ts';

const wrongCode = { code: 'link_invalid', message: 'Authentication failed. Please try again' };
const usedUp = {
  code: 'code_used_up',
  message: 'This code no longer works. Resend the email to get a new one.',
};

test('a code, with or without spaces, signs in the browser that asked for it, and is used up with its link', async () => {
  const user = await createUser();
  const { client, code, token } = await createAttempt(user);
  const spaced = ` ${code.slice(0, 3)}\u00a0${code.slice(3)}\n`;
  const response = await client.post(confirmPath, { code: spaced });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ redirect_to: '/' });
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: user.id });
  expect(loggedEvents('link_spent')).toMatchObject([
    { user_id: user.id, purpose: 'login', by: 'code' },
  ]);
  // The cookie of the attempt is deleted.
  expect(client.cookies.has('__Host-attempt')).toBe(false);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
  await expectRefused(confirmPath, { token });
});

test('the code of a verification email verifies the mailbox, and removes what was there before', async () => {
  const user = await createUser({ emailVerifiedAt: null, googleSub: 'a-google-account' });
  await createSession(user.id);
  const { client, code } = await createAttempt(user, { purpose: 'verification' });
  expect((await client.post(confirmPath, { code })).status).toBe(200);

  const proven = { emailVerifiedAt: expect.any(Date), googleSub: null };
  expect(await userRow(user.id)).toMatchObject(proven);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
});

test('a code no longer works once its link was used', async () => {
  const user = await createUser();
  const { client, code, token } = await createAttempt(user);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);

  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);
});

test('another browser gets nothing for the right code, and takes no try from the one that asked', async () => {
  const user = await createUser();
  const { client, code } = await createAttempt(user);
  const { client: other } = await createAttempt(await createUser());
  const without = createClient();
  for (let round = 0; round < 4; round += 1) {
    expect(await answerTo(other, { code })).toEqual({ status: 400, ...wrongCode });
    expect(await answerTo(without, { code })).toEqual({ status: 400, ...usedUp });
  }

  expect([other, without].some(({ cookies }) => cookies.has('__Host-session'))).toBe(false);
  expect(await db.select().from(links).where(eq(links.userId, user.id))).toMatchObject([
    { codeTries: 0 },
  ]);
  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

test('of 20 parallel right codes exactly one creates a session, and 20 wrong ones are five tries', async () => {
  const user = await createUser();
  const right = await createAttempt(user);
  const cookies = { '__Host-attempt': right.attempt };
  const { statuses, signedIn } = await atOnce(confirmPath, { code: right.code }, cookies);
  expect(statuses).toEqual(oneOf20);
  expect(signedIn).toBe(1);
  expect(await accessTo(user.id)).toEqual([1, 0, 0]);

  const wrong = await createAttempt(await createUser());
  const tried = { '__Host-attempt': wrong.attempt };
  const { responses } = await atOnce(confirmPath, { code: wrong.wrong }, tried);
  const codes = await Promise.all(responses.map(async (one) => (await one.json<Refusal>()).code));
  expect(codes.sort()).toEqual([
    ...Array(16).fill('code_used_up'),
    ...Array(4).fill('link_invalid'),
  ]);
  const tries = loggedEvents('code_refused').flatMap((event) => event['tries'] ?? []);
  expect(tries.sort()).toEqual([1, 2, 3, 4, 5]);
  const { client, code } = wrong;
  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
});

test('five wrong codes end an attempt, and its link', async () => {
  const user = await createUser();
  const { client, code, token, wrong } = await createAttempt(user);
  const answers = [];
  for (let round = 0; round < 6; round += 1) {
    answers.push(await answerTo(client, { code: wrong }));
  }

  expect(answers).toEqual([
    ...Array(4).fill({ status: 400, ...wrongCode }),
    ...Array(2).fill({ status: 400, ...usedUp }),
  ]);
  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  await expectRefused(confirmPath, { token });
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

  expect(await answerTo(client, { code: change(code) })).toEqual({ status: 400, ...wrongCode });
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
    expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  }
});

test('a token and a code together are refused, and neither is used', async () => {
  const { client, code, token } = await createAttempt(await createUser());
  for (const other of [code, '']) {
    expect(await answerTo(client, { token, code: other })).toEqual({ status: 400, ...wrongCode });
  }

  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

test('a code is valid for 10 minutes and not a second longer, even if its link lives for a day', async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const now = Date.now();
  const { client, code, token } = await createAttempt(user, {
    purpose: 'verification',
    createdAt: new Date(now),
    expiresAt: new Date(now + 24 * 60 * minute),
  });
  vi.useFakeTimers({ now: now + 10 * minute, toFake: ['Date'] });
  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  vi.setSystemTime(now + 10 * minute - 1);
  expect(await answerTo(client, { code: 'wrong' })).toEqual({ status: 400, ...wrongCode });
  vi.setSystemTime(now + 11 * minute);
  expect((await client.post(confirmPath, { token })).status).toBe(200);
});

test('a code follows the state of its account, as its link does', async () => {
  const verified = await createUser();
  const unverified = await createUser({ emailVerifiedAt: null });
  const moved = await createUser();
  const attempts = [
    await createAttempt(verified, { purpose: 'verification' }),
    await createAttempt(unverified, { purpose: 'login' }),
    await createAttempt(moved),
  ];
  const emailCanonical = `new.${moved.emailCanonical}`;
  await db.update(users).set({ emailCanonical }).where(eq(users.id, moved.id));
  for (const { client, code } of attempts) {
    expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  }
});

test('a refused request uses up no try, the fifth may be right, and a failure halfway ends neither code nor link', async () => {
  const { client, code, wrong } = await createAttempt(await createUser());
  const headers = { Origin: 'https://evil.test' };
  expect((await client.post(confirmPath, { code: wrong }, { headers })).status).toBe(403);
  const full = { bindings: { LIMITS: { codes_per_address: ['1/h'] } } };
  await client.post(confirmPath, { code: wrong }, full);
  for (let round = 0; round < 6; round += 1) {
    expect((await client.post(confirmPath, { code }, full)).status).toBe(429);
  }
  for (let round = 0; round < 3; round += 1) {
    expect((await client.post(confirmPath, { code: wrong })).status).toBe(400);
  }
  const failed = await whileFailing('DELETE ON links', () => client.post(confirmPath, { code }));
  expect(failed.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

type Refusal = { status: number; code: string; message: string };

/** The status and the body of an answer, without its request id. */
async function answerTo(client: Client, input: unknown): Promise<Refusal> {
  const response = await client.post(confirmPath, input);
  const { request_id: _, ...body } = await response.json<Refusal & { request_id: string }>();
  return { ...body, status: response.status };
}
