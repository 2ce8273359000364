import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { written } from '#support/console.ts';
import { createUser, db, uniqueEmail } from '#support/factories.ts';
import { codeIn, fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { userRow } from '#support/rows.ts';
import { confirmPath, loginPath, signUpPath } from './paths.ts';

test('a verified account gets a login link in its own language', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const response = await createClient().post(loginPath, { email: ` ${user.email.toUpperCase()} ` });

  expect(response.status).toBe(200);
  const [localPart = ''] = user.email.split('@');
  expect(await response.json()).toEqual({ email: `${localPart.toUpperCase()}@example.com` });
  expect(accepted).toHaveLength(1);
  expect(accepted[0]).toMatchObject({ to: user.email, subject: 'Votre lien de connexion Lectern' });
  expect(accepted[0]?.html).not.toMatch(/<img|src=/);
  const [link] = await db.select().from(links).where(eq(links.userId, user.id));
  expect(Number(link?.expiresAt) - Number(link?.createdAt)).toBe(10 * 60 * 1_000);
});

test('an unknown address is told so, and nothing is sent or stored', async () => {
  const { attempts } = fakeResend();
  const response = await createClient().post(loginPath, { email: uniqueEmail() });

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    code: 'account_not_found',
    message: 'No account found with this email address.',
  });
  expect(attempts).toHaveLength(0);
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/145.0', 'Firefox (Windows)'],
  ['Win money at http://evil.biz <b>now</b>', null],
])(
  'the email says when and from which device it was requested, and repeats no input: %s',
  async (agent, browser) => {
    const { accepted } = fakeResend();
    const { email } = await createUser();
    await createClient().post(loginPath, { email }, { headers: { 'User-Agent': agent } });

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
  const response = await client.post(loginPath, { email: user.email });

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'email_not_verified',
    message: 'Please verify your email address first',
  });
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(accepted).toHaveLength(1);
  expect(accepted[0]?.subject).toBe('Confirm your email address for Lectern');
  const purposes = await db.select().from(links).where(eq(links.userId, user.id));
  expect(purposes.map(({ purpose }) => purpose)).toEqual(['verification']);
  expect((await client.post(confirmPath, { code: codeIn(accepted[0]) })).status).toBe(200);
  expect((await userRow(user.id))?.emailVerifiedAt).not.toBeNull();
});

const accountsPath = '/api/accounts/';
const person = () => ({ first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() });

test('a login email holds the link and a code for the browser that asked, and neither is in its subject', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  const response = await client.post(loginPath, { email: user.email });
  const [mail] = accepted;
  const code = codeIn(mail);

  expect(await response.json()).toEqual({ email: user.email });
  expect(code).toMatch(/^\d{6}$/);
  expect(mail?.subject).not.toMatch(/\d/);
  expect(mail?.html).toContain(`>${code.slice(0, 3)} ${code.slice(3)}<`);
  for (const text of [mail?.html, mail?.text]) {
    expect(text).toContain('Never share this code. We’ll never ask you for it.');
    expect(text).toContain('The link and the code work once and expire in 10 minutes.');
  }
  expect((await client.post(confirmPath, { code })).status).toBe(200);
});

test('a verification email holds both too, and says how long each is valid', async () => {
  const { accepted } = fakeResend();
  for (const path of [signUpPath, accountsPath]) {
    const client = createClient();
    const input = person();
    const response = await client.post(path, input);
    const mail = mailsTo(input.email, accepted)[0];

    expect(await response.json()).toEqual({ email: input.email });
    expect(mail?.text).toContain(
      'The link works once and expires in 24 hours, the code in 10 minutes.',
    );
    expect(mail?.text).toContain('Never share this code.');
    // The link ends the attempt too.
    const answer = path === signUpPath ? { code: codeIn(mail) } : { token: tokenIn(mail) };
    expect((await client.post(confirmPath, answer)).status).toBe(200);
    expect(client.cookies.has('__Host-attempt')).toBe(false);
  }
});

test('the cookie of the attempt is for our host, not readable by scripts, new for each email, and stored as a hash', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  await client.post(loginPath, { email: user.email });
  const first = client.cookies.get('__Host-attempt');
  const response = await client.post(loginPath, { email: user.email });
  const cookies = response.headers.getSetCookie();
  const cookie = cookies.find((text) => text.startsWith('__Host-attempt='));
  expect(cookie).toMatch(/^__Host-attempt=[0-9a-f]{64}; /);
  expect(new Set(cookie?.split('; ').slice(1))).toEqual(
    new Set(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
  );
  const attempt = client.cookies.get('__Host-attempt') ?? '';
  expect(attempt).not.toBe(first);

  const [row] = await db.select().from(links).where(eq(links.userId, user.id));
  expect(row).toMatchObject({ attemptHash: await hashToken(attempt), codeTries: 0 });
  expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/);
  expect(row?.codeHash).not.toBe(await hashToken(codeIn(accepted[1])));
  expect(Object.values(row ?? {})).not.toContain(attempt);
});

test('no log line holds a code, right or wrong', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  await client.post(loginPath, { email: user.email });
  const code = codeIn(accepted[0]);
  const wrong = code === '424242' ? '434343' : '424242';
  await client.post(confirmPath, { code: wrong });
  await client.post(confirmPath, { code });

  const values = written.flatMap((line) => Object.values(JSON.parse(line)).map(String));
  expect(values).toContain('code_refused');
  expect(values.filter((value) => value === code || value === wrong)).toEqual([]);
});

test('a new email replaces the link and the code of the one before', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  await client.post(loginPath, { email: user.email });
  const older = client.cookies.get('__Host-attempt') ?? '';
  await client.post(loginPath, { email: user.email });
  const before = createClient();
  before.cookies.set('__Host-attempt', older);

  for (const ended of [
    { code: codeIn(accepted[0]) },
    { code: codeIn(accepted[1]) },
    { token: tokenIn(accepted[0]) },
  ]) {
    expect((await before.post(confirmPath, ended)).status).toBe(400);
  }
  expect((await client.post(confirmPath, { code: codeIn(accepted[1]) })).status).toBe(200);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
});

test('a request that sends nothing leaves the attempt and its code as they are', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const client = createClient();
  const limited = { bindings: { LIMITS: { mails_per_address: ['1/h'] } } };
  await client.post(loginPath, { email: user.email }, limited);
  const attempt = client.cookies.get('__Host-attempt');
  const taken = await createUser();
  const refused = [
    await client.post(loginPath, { email: uniqueEmail() }),
    await client.post(loginPath, { email: 'not an address' }),
    await client.post(signUpPath, { ...person(), email: taken.email }),
    await client.post(loginPath, { email: user.email }, limited),
  ];

  expect(refused.map(({ status }) => status)).toEqual([404, 400, 400, 429]);
  expect(client.cookies.get('__Host-attempt')).toBe(attempt);
  expect((await client.post(confirmPath, { code: codeIn(accepted[0]) })).status).toBe(200);
});
