import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { createAttempt, createSession, createUser, db } from '#support/factories.ts';
import { userRow } from '#support/rows.ts';
import { createBrowsers } from './address-thefts.ts';
import { confirmPath, userPath } from './paths.ts';

const minute = 60_000;

const wrongCode = { code: 'link_invalid', message: 'Authentication failed. Please try again' };
const usedUp = {
  code: 'code_used_up',
  message: 'This code no longer works. Resend the email to get a new one.',
};

afterEach(() => {
  vi.useRealTimers();
});

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
  expect(await db.select().from(links).where(eq(links.userId, user.id))).toEqual([]);
  expect(await answerTo(createClient(), { token })).toEqual({ status: 400, ...wrongCode });
});

test('the code of a verification email verifies the mailbox, and removes what was there before', async () => {
  const user = await createUser({ emailVerifiedAt: null, googleSub: 'a-google-account' });
  await createSession(user.id);
  const { client, code } = await createAttempt(user, { purpose: 'verification' });
  expect((await client.post(confirmPath, { code })).status).toBe(200);

  const proven = { emailVerifiedAt: expect.any(Date), googleSub: null };
  expect(await userRow(user.id)).toMatchObject(proven);
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
});

test('a code no longer works once its link was used', async () => {
  const user = await createUser();
  const { client, code, token } = await createAttempt(user);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);

  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
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

  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect([other, without].some(({ cookies }) => cookies.has('__Host-session'))).toBe(false);
  expect(await db.select().from(links).where(eq(links.userId, user.id))).toMatchObject([
    { codeTries: 0 },
  ]);
  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

test('of 20 parallel right codes exactly one creates a session', async () => {
  for (const purpose of ['login', 'verification'] as const) {
    const user = await createUser({ emailVerifiedAt: purpose === 'login' ? new Date() : null });
    const { code, attempt } = await createAttempt(user, { purpose });
    const clients = await copiesOf(attempt, 20);
    const responses = await Promise.all(clients.map((one) => one.post(confirmPath, { code })));

    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(400)]);
    expect(clients.filter(({ cookies }) => cookies.has('__Host-session'))).toHaveLength(1);
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
    expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  }
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
  expect(await answerTo(createClient(), { token })).toEqual({ status: 400, ...wrongCode });
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect(loggedEvents('code_refused').map(({ tries }) => tries)).toEqual([
    ...[1, 2, 3, 4, 5],
    ...[undefined, undefined],
  ]);
});

test('20 parallel wrong codes are five tries', async () => {
  const user = await createUser();
  const { client, code, wrong, attempt } = await createAttempt(user);
  const clients = await copiesOf(attempt, 20);
  const answers = await Promise.all(clients.map((one) => answerTo(one, { code: wrong })));

  expect(answers.filter((answer) => answer.code === 'link_invalid')).toHaveLength(4);
  expect(answers.filter((answer) => answer.code === 'code_used_up')).toHaveLength(16);
  const tries = loggedEvents('code_refused').flatMap((event) => event['tries'] ?? []);
  expect(tries.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await answerTo(client, { code })).toEqual({ status: 400, ...usedUp });
});

test('the answer is the same for any wrong code', async () => {
  const wrong = (code: string) => [
    String((Number(code) + 1) % 1_000_000).padStart(6, '0'),
    '',
    code.slice(1),
    `${code}0`,
    Number(code),
    [code],
  ];
  const kinds = wrong('123456').length;
  const answers = [];
  for (let kind = 0; kind < kinds; kind += 1) {
    const { client, code } = await createAttempt(await createUser());
    answers.push(await answerTo(client, { code: wrong(code)[kind] }));
  }

  expect(answers).toEqual(Array(kinds).fill({ status: 400, ...wrongCode }));
});

test('the answer is the same for any browser without a live attempt', async () => {
  const user = await createUser();
  const now = Date.now();
  const { client: late, code: lateCode } = await createAttempt(user, {
    createdAt: new Date(now - 10 * minute),
  });
  const answers = [await answerTo(late, { code: lateCode })];
  const { client: early, code: earlyCode } = await createAttempt(await createUser(), {
    createdAt: new Date(now + 60 * minute),
  });
  answers.push(await answerTo(early, { code: earlyCode }));
  for (const cookie of [createToken(), '', '%']) {
    const { client, code } = await createAttempt(await createUser());
    client.cookies.set('__Host-attempt', cookie);
    answers.push(await answerTo(client, { code }));
  }
  // On https, a cookie without the prefix could come from a sibling domain.
  const { client, code, attempt } = await createAttempt(await createUser());
  client.cookies.delete('__Host-attempt');
  client.cookies.set('attempt', attempt);
  answers.push(await answerTo(client, { code }));

  expect(answers).toEqual(answers.map(() => ({ status: 400, ...usedUp })));
});

test('a token and a code together are refused, and neither is used', async () => {
  const user = await createUser();
  const { client, code, token } = await createAttempt(user);
  for (const input of [
    { token, code },
    { token, code: '' },
  ]) {
    expect(await answerTo(client, input)).toEqual({ status: 400, ...wrongCode });
  }

  expect(await db.select().from(links).where(eq(links.userId, user.id))).toMatchObject([
    { codeTries: 0 },
  ]);
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
  for (const headers of [{ Origin: 'https://evil.test' }, { 'X-CSRFToken': '' }]) {
    expect((await client.post(confirmPath, { code: wrong }, { headers })).status).toBe(403);
  }
  for (let round = 0; round < 4; round += 1) {
    expect((await client.post(confirmPath, { code: wrong })).status).toBe(400);
  }
  const full = { bindings: { LIMITS: { codes_per_address: ['1/h'] } } };
  const { client: limited, code: limitedCode } = await createAttempt(await createUser());
  await limited.post(confirmPath, { code: 'wrong' }, full);
  for (let round = 0; round < 6; round += 1) {
    expect((await limited.post(confirmPath, { code: limitedCode }, full)).status).toBe(429);
  }
  expect((await limited.post(confirmPath, { code: limitedCode })).status).toBe(200);

  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const failed = await client.post(confirmPath, { code });
  await env.DB.exec('DROP TRIGGER broken');
  expect(failed.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

/** The status and the body of an answer, without its request id. */
async function answerTo(client: Client, input: unknown) {
  const response = await client.post(confirmPath, input);
  const { request_id: _, ...body } = await response.json<Record<string, unknown>>();
  return { status: response.status, ...body } as { status: number; code: string; message: string };
}

/** The same browser several times, so that their requests can be sent at once. */
async function copiesOf(attempt: string, count: number): Promise<Client[]> {
  const copies = await createBrowsers(count);
  for (const { cookies } of copies) {
    cookies.set('__Host-attempt', attempt);
  }
  return copies;
}
