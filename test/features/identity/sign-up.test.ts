import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { browserWith, createSession, createUser, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { confirmPath, signUpPath, userPath } from './paths.ts';
import { userBy } from './support.ts';

const accountsPath = '/api/accounts/';

test('a new address gets an unverified account, no session, and an email whose link is on our own origin and stored as a hash', async () => {
  const { accepted } = fakeResend();
  const client = createClient();
  const input = signUpInput({ email: '  Grace.Hopper@Example.com ' });
  const headers = { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' };
  const response = await client.post(signUpPath, input, { headers });

  const email = 'Grace.Hopper@example.com';
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ email });
  expect(client.cookies.has('__Host-session')).toBe(false);
  const user = await userBy(email);
  expect(user).toMatchObject({ firstName: 'Grace', email, emailVerifiedAt: null });
  const [mail] = accepted;
  expect(accepted).toMatchObject([{ to: email, from: 'Lectern <hello@lectern.test>' }]);
  const token = tokenIn(mail);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(mail?.text).toContain(`https://lectern.test/confirm?token=${token}\n`);
  expect(mail?.html).toContain(`href="https://lectern.test/confirm?token=${token}"`);
  const rows = await db
    .select()
    .from(links)
    .where(eq(links.userId, user?.id ?? ''));
  expect(rows).toMatchObject([{ purpose: 'verification', tokenHash: await hashToken(token) }]);
  expect(mail?.idempotencyKey).toBe(`verification/${rows[0]?.id}`);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(Number(rows[0]?.expiresAt) - Number(rows[0]?.createdAt)).toBe(24 * 60 * 60 * 1_000);
});

test('the email is in the language of the request, and names are escaped in it', async () => {
  const { accepted } = fakeResend();
  const input = signUpInput({ first_name: "D’Arcy O'Neil" });
  await createClient().post(signUpPath, input, {
    headers: { 'Accept-Language': 'fr-CA,fr;q=0.9' },
  });

  expect(accepted[0]?.subject).toBe('Confirmez votre adresse e‑mail pour Lectern');
  expect(accepted[0]?.html).toContain('<html lang="fr" dir="ltr">');
  expect(accepted[0]?.html).toContain('Bonjour D’Arcy O&#39;Neil,');
  expect(accepted[0]?.text).toContain("Bonjour D’Arcy O'Neil,");
});

test('an unverified address gets a new email and nothing else changes', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ emailVerifiedAt: null });
  const before = await userBy(user.email);
  const input = signUpInput({ email: user.email, first_name: 'Evil' });
  for (const path of [signUpPath, accountsPath]) {
    expect((await createClient().post(path, input)).status).toBe(201);
  }

  expect(await userBy(user.email)).toEqual(before);
  expect(accepted).toHaveLength(2);
  expect(tokenIn(accepted[0])).not.toBe(tokenIn(accepted[1]));
  expect(accepted[0]?.idempotencyKey).not.toBe(accepted[1]?.idempotencyKey);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(1);
});

test('nobody is in an account that is not verified, by whichever session, until its link is clicked', async () => {
  const { accepted } = fakeResend();
  const input = signUpInput();
  await createClient().post(accountsPath, input);
  const { id = '' } = (await userBy(input.email)) ?? {};
  const early = browserWith(await createSession(id));
  expect((await early.get(userPath)).status).toBe(401);

  const client = createClient();
  await client.post(confirmPath, { token: tokenIn(accepted[0]) });
  const account = await (await client.get(userPath)).json();
  expect(account).toMatchObject({ id, ...input, email_verified: true });
});

test('a verified address is refused at its field, and its account is unchanged', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const before = await userBy(user.email);
  for (const path of [signUpPath, accountsPath]) {
    const input = signUpInput({ email: user.email.toUpperCase() });
    const response = await createClient().post(path, input);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'validation_failed',
      fields: { email: ['This address already has an account. Please log in.'] },
    });
  }
  expect(await userBy(user.email)).toEqual(before);
  expect(attempts).toHaveLength(0);
});

test('ten parallel sign-ups create one account and all succeed', async () => {
  fakeResend();
  const input = signUpInput();
  const client = createClient();
  await client.get('/api/health/');
  const bindings = { LIMITS: { mails_per_address: [], sign_ups_per_address: [] } };
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => client.post(signUpPath, input, { bindings })),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(await db.select().from(users).where(eq(users.email, input.email))).toHaveLength(1);
});

test('a field that is not asked for is refused', async () => {
  const { attempts } = fakeResend();
  const response = await createClient().post(signUpPath, { ...signUpInput(), is_admin: true });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ fields: { is_admin: [expect.any(String)] } });
  expect(attempts).toHaveLength(0);
});

function signUpInput(values: Partial<Record<'first_name' | 'last_name' | 'email', string>> = {}) {
  return { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail(), ...values };
}
