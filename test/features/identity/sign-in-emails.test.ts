import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { takeNoise, written } from '#support/console.ts';
import { day, minute } from '#support/days.ts';
import { browserWith, createSession, createUser, db, uniqueEmail } from '#support/factories.ts';
import { codeIn, fakeResend, tokenIn } from '#support/resend.ts';
import {
  accountIn,
  accountsPath,
  confirm,
  newcomer,
  requestLogin,
  send,
  signedIn,
  signUpPath,
  userBy,
} from './support.ts';

type Options = Parameters<typeof requestLogin>[2];

function signUp(input: object, client = createClient(), options: Options = {}) {
  return send(client, 'POST', signUpPath, input, options);
}

async function linkOf(userId = '') {
  const [link, ...others] = await db.select().from(links).where(eq(links.userId, userId));
  expect(others).toEqual([]);
  const lifetime = Number(link?.expiresAt) - Number(link?.createdAt);
  return { ...link, lifetime };
}

test('a new address gets an unverified account, no session, and an email whose link is on our own origin and stored as a hash', async () => {
  const { accepted } = fakeResend();
  const client = createClient();
  const typed = newcomer('  Grace.Hopper@Example.com ');
  const headers = { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' };
  const email = 'Grace.Hopper@example.com';
  expect(await signUp(typed, client, { headers })).toEqual({ status: 201, body: { email } });

  expect(client.cookies.has('__Host-session')).toBe(false);
  const user = await userBy(email);
  expect(user).toMatchObject({ firstName: 'Grace', email, emailVerifiedAt: null });
  const [mail] = accepted;
  expect(accepted).toMatchObject([{ to: email, from: 'Lectern <hello@lectern.test>' }]);
  const token = tokenIn(mail);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(mail?.text).toContain(`https://lectern.test/confirm?token=${token}\n`);
  expect(mail?.html).toContain(`href="https://lectern.test/confirm?token=${token}"`);
  const link = await linkOf(user?.id);
  const expected = { purpose: 'verification', tokenHash: await hashToken(token), lifetime: day };
  expect(link).toMatchObject(expected);
  expect(mail?.idempotencyKey).toBe(`verification/${link.id}`);
});

test('the email is in the language of the request, and names are escaped in it', async () => {
  const { accepted } = fakeResend();
  const headers = { 'Accept-Language': 'fr-CA,fr;q=0.9' };
  await signUp({ ...newcomer(), first_name: "D’Arcy O'Neil" }, createClient(), { headers });

  expect(accepted[0]?.subject).toBe('Confirmez votre adresse e‑mail pour Lectern');
  expect(accepted[0]?.html).toContain('<html lang="fr" dir="ltr">');
  expect(accepted[0]?.html).toContain('Bonjour D’Arcy O&#39;Neil,');
  expect(accepted[0]?.text).toContain("Bonjour D’Arcy O'Neil,");
});

test('an unverified address gets a new email and nothing else changes', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ emailVerifiedAt: null });
  const before = await userBy(user.email);
  const input = { ...newcomer(user.email), first_name: 'Evil' };
  for (const path of [signUpPath, accountsPath]) {
    expect((await send(createClient(), 'POST', path, input)).status).toBe(201);
  }

  expect(await userBy(user.email)).toEqual(before);
  const [first, second] = accepted;
  expect(accepted).toHaveLength(2);
  expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
  expect((await linkOf(user.id)).tokenHash).toBe(await hashToken(tokenIn(second)));
});

test('no session gives access to an unverified account until its link is clicked', async () => {
  const { accepted } = fakeResend();
  const input = newcomer();
  await send(createClient(), 'POST', accountsPath, input);
  const { id = '' } = (await userBy(input.email)) ?? {};
  expect(await signedIn(browserWith(await createSession(id)))).toEqual([false]);

  const client = createClient();
  await confirm({ token: tokenIn(accepted[0]) }, client);
  expect(await accountIn(client)).toMatchObject({ id, ...input, email_verified: true });
});

test('a verified address and a field that is not asked for are refused at their fields, and no account changes', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const before = await db.select().from(users);
  const taken = { email: ['This address already has an account. Please log in.'] };
  for (const [input, fields] of [
    [newcomer(user.email.toUpperCase()), taken],
    [{ ...newcomer(), is_admin: true }, { is_admin: ['This field is unknown.'] }],
  ] as const) {
    for (const path of [signUpPath, accountsPath]) {
      const refusal = { status: 400, body: { code: 'validation_failed', fields } };
      expect(await send(createClient(), 'POST', path, input)).toMatchObject(refusal);
    }
  }

  expect(await db.select().from(users)).toEqual(before);
  expect(attempts).toHaveLength(0);
});

test('ten parallel sign-ups create one account and all succeed', async () => {
  fakeResend();
  const input = newcomer();
  const client = createClient();
  await client.get('/api/health/');
  const bindings = { LIMITS: { mails_per_address: [], sign_ups_per_address: [] } };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => signUp(input, client, { bindings })),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(await db.$count(users, eq(users.email, input.email))).toBe(1);
});

test('a sign-up whose email is not sent leaves the account that another one has sent a link to meanwhile', async () => {
  fakeResend();
  const input = newcomer();
  vi.mocked(globalThis.fetch).mockImplementationOnce(async () => {
    expect((await signUp(input)).status).toBe(201);
    return Response.json({ statusCode: 422, name: 'an_error', message: 'No' }, { status: 422 });
  });
  expect((await signUp(input)).status).toBe(503);

  expect(takeNoise()).toHaveLength(1);
  expect(await linkOf((await userBy(input.email))?.id)).toMatchObject({ purpose: 'verification' });
});

test('a verified account gets a login link in its own language', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const { status, body } = await requestLogin(` ${user.email.toUpperCase()} `);

  expect(status).toBe(200);
  expect(body).toEqual({ email: user.email.toUpperCase().replace('EXAMPLE.COM', 'example.com') });
  expect(accepted).toMatchObject([{ to: user.email, subject: 'Votre lien de connexion Lectern' }]);
  expect(accepted[0]?.html).not.toMatch(/<img|src=/);
  expect(await linkOf(user.id)).toMatchObject({ purpose: 'login', lifetime: 10 * minute });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/145.0', 'Firefox (Windows)'],
  ['Win money at http://evil.biz <b>now</b>', null],
])(
  'the email says when and from which device it was requested, and repeats no input: %s',
  async (agent, browser) => {
    const { accepted } = fakeResend();
    const { email } = await createUser();
    await requestLogin(email, createClient(), { headers: { 'User-Agent': agent } });

    const { text = '', html = '' } = accepted[0] ?? {};
    const [, moment = ''] =
      /^Requested: (\w+ \d{1,2}, 20\d\d at \d{1,2}:\d\d\s[AP]M UTC)$/m.exec(text) ?? [];
    expect(moment).not.toBe('');
    expect(html).toContain(`>${moment}<`);
    expect(/^Browser: (.*)$/m.exec(text)?.[1] ?? null).toBe(browser);
    expect(html.includes('>Browser\u00a0<')).toBe(browser !== null);
    expect(html.includes('>Firefox (Windows)<')).toBe(browser !== null);
    expect(html + text).not.toContain('evil');
  },
);

test('an unverified account gets a new verification email, whose code works, and no login link', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ emailVerifiedAt: null });
  const client = createClient();
  const message = 'Please verify your email address first';
  const refusal = { status: 403, body: { code: 'email_not_verified', message } };
  expect(await requestLogin(user.email, client)).toMatchObject(refusal);

  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(accepted).toMatchObject([{ subject: 'Confirm your email address for Lectern' }]);
  expect(await linkOf(user.id)).toMatchObject({ purpose: 'verification' });
  expect((await confirm({ code: codeIn(accepted[0]) }, client)).status).toBe(200);
  expect((await userBy(user.email))?.emailVerifiedAt).not.toBeNull();
});

test('a login email holds the link and a code for the browser that asked, neither is in its subject, and no log line holds a code', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  await requestLogin(user.email, client);
  const [mail] = accepted;
  const code = codeIn(mail);

  expect(code).toMatch(/^\d{6}$/);
  expect(mail?.subject).not.toMatch(/\d/);
  expect(mail?.html).toContain(`>${code.slice(0, 3)} ${code.slice(3)}<`);
  for (const text of [mail?.html, mail?.text]) {
    expect(text).toContain('Never share this code. We’ll never ask you for it.');
    expect(text).toContain('The link and the code work once and expire in 10 minutes.');
  }
  const wrong = code === '424242' ? '434343' : '424242';
  expect((await confirm({ code: wrong }, client)).status).toBe(400);
  expect((await confirm({ code }, client)).status).toBe(200);
  const values = written.flatMap((line) => Object.values(JSON.parse(line)).map(String));
  expect(values).toContain('code_refused');
  expect(values.filter((value) => value === code || value === wrong)).toEqual([]);
});

test.each([
  [signUpPath, 'code'],
  [accountsPath, 'link'],
])('the verification email of %s holds both too, and its %s ends the attempt', async (path, by) => {
  const { accepted } = fakeResend();
  const client = createClient();
  await send(client, 'POST', path, newcomer());
  const [mail] = accepted;

  const lifetimes = 'The link works once and expires in 24 hours, the code in 10 minutes.';
  expect(mail?.text).toContain(lifetimes);
  expect(mail?.text).toContain('Never share this code.');
  const answer = by === 'code' ? { code: codeIn(mail) } : { token: tokenIn(mail) };
  expect((await confirm(answer, client)).status).toBe(200);
  expect(client.cookies.has('__Host-attempt')).toBe(false);
});

test('the cookie of the attempt is for our host, not readable by scripts, new for each email, and stored as a hash; a new email replaces link and code', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const [client, before] = [createClient(), createClient()];
  await requestLogin(user.email, before);
  const older = before.cookies.get('__Host-attempt') ?? '';
  client.cookies.set('__Host-attempt', older);
  const response = await client.post('/api/accounts/auth/login/', { email: user.email });
  const cookies = response.headers.getSetCookie();
  const cookie = cookies.find((text) => text.startsWith('__Host-attempt='));
  expect(cookie).toMatch(/^__Host-attempt=[0-9a-f]{64}; /);
  expect(new Set(cookie?.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
  const attempt = client.cookies.get('__Host-attempt') ?? '';
  expect(attempt).not.toBe(older);

  const [olderMail, newerMail] = accepted;
  const link = await linkOf(user.id);
  expect(link).toMatchObject({ attemptHash: await hashToken(attempt), codeTries: 0 });
  expect(link.codeHash).toMatch(/^[0-9a-f]{64}$/);
  expect(link.codeHash).not.toBe(await hashToken(codeIn(newerMail)));
  for (const ended of [
    { code: codeIn(olderMail) },
    { code: codeIn(newerMail) },
    { token: tokenIn(olderMail) },
  ]) {
    expect((await confirm(ended, before)).status).toBe(400);
  }
  expect((await confirm({ code: codeIn(newerMail) }, client)).status).toBe(200);
});

test('a request that sends nothing leaves the attempt and its code as they are', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  const limited = { bindings: { LIMITS: { mails_per_address: ['1/h'] } } };
  await requestLogin(user.email, client, limited);
  const attempt = client.cookies.get('__Host-attempt');
  const { email: taken } = await createUser();
  const message = 'No account found with this email address.';
  const unknown = { status: 404, body: { code: 'account_not_found', message } };
  expect(await requestLogin(uniqueEmail(), client)).toMatchObject(unknown);
  expect((await requestLogin('not an address', client)).status).toBe(400);
  expect((await signUp(newcomer(taken), client)).status).toBe(400);
  expect((await requestLogin(user.email, client, limited)).status).toBe(429);

  expect(accepted).toHaveLength(1);
  expect(client.cookies.get('__Host-attempt')).toBe(attempt);
  expect((await confirm({ code: codeIn(accepted[0]) }, client)).status).toBe(200);
});
