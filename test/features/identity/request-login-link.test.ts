import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { createClient } from '#support/client.ts';
import { createUser, db, uniqueEmail } from '#support/factories.ts';
import { codeIn, fakeResend } from '#support/resend.ts';
import { userRow } from '#support/rows.ts';
import { confirmPath, loginPath } from './paths.ts';

test('a verified account gets a login link in its own language', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const response = await createClient().post(loginPath, { email: ` ${user.email.toUpperCase()} ` });

  expect(response.status).toBe(200);
  const [localPart = ''] = user.email.split('@');
  expect(await response.json()).toEqual({ email: `${localPart.toUpperCase()}@example.com` });
  expect(accepted).toHaveLength(1);
  expect(accepted[0]).toMatchObject({
    to: user.email,
    subject: 'Votre lien de connexion Lectern',
  });
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
