import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '../support/client.ts';
import { takeNoise } from '../support/console.ts';
import { createUser, db, uniqueEmail } from '../support/factories.ts';
import { fakeResend, tokenIn } from '../support/resend.ts';

const loginPath = '/api/accounts/auth/login/';
const signUpPath = '/api/accounts/auth/signup/';
const confirmPath = '/api/accounts/auth/confirm/';

/** With how often it is asked before a request gives up: what it has said yes to is not tried again. */
const faults = [
  ['Resend has too much to do (429)', [{ status: 429 }, { status: 429 }, { status: 429 }]],
  ['Resend fails (500)', [{ status: 500 }, { status: 500 }, { status: 500 }]],
  ['Resend cannot be reached', ['unreachable', 'unreachable', 'unreachable']],
  ['Resend is silent', ['silent', 'silent', 'silent']],
  ['Resend says yes and names no mail', [{ status: 200, body: {} }]],
  ['Resend says yes in words that are none', [{ status: 200, body: 'OK' }]],
] as const;

test.each(faults)(
  'when %s, a login is refused in plain words and leaves no link; the next one sends one mail',
  async (_what, answers) => {
    const user = await createUser();
    const down = fakeResend(...answers);
    const client = createClient();
    const refused = await client.post(loginPath, { email: user.email });

    await expectNoMail(refused, 'en');
    expect(down.accepted).toEqual([]);
    expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
    expect((await client.post(loginPath, { email: user.email })).status).toBe(200);
    expect(down.accepted).toHaveLength(1);
    const token = tokenIn(down.accepted[0]);
    expect((await client.post(confirmPath, { token })).status).toBe(200);
  },
  20_000,
);

test.each(faults)(
  'when %s, a sign-up is refused in plain words and the next one makes one account with one mail',
  async (_what, answers) => {
    const email = uniqueEmail();
    const down = fakeResend(...answers);
    const client = createClient();
    const person = { first_name: 'Grace', last_name: 'Hopper', email };
    const headers = { 'Accept-Language': 'fr' };
    const refused = await client.post(signUpPath, person, { headers });

    await expectNoMail(refused, 'fr');
    expect((await client.post(signUpPath, person)).status).toBe(201);
    expect(await db.$count(users, eq(users.email, email))).toBe(1);
    expect(down.accepted).toHaveLength(1);
    const token = tokenIn(down.accepted[0]);
    expect((await client.post(confirmPath, { token })).status).toBe(200);
  },
  20_000,
);

test('a mail that Resend took without saying so is not sent again with the next attempt', async () => {
  const user = await createUser();
  const { attempts } = fakeResend({ status: 500 });
  await createClient().post(loginPath, { email: user.email });

  expect(attempts).toHaveLength(2);
  expect(attempts[1]?.idempotencyKey).toBe(attempts[0]?.idempotencyKey);
  expect(attempts[0]?.idempotencyKey).toBeTruthy();
});

async function expectNoMail(response: Response, language: 'en' | 'fr'): Promise<void> {
  expect(response.status).toBe(503);
  const body = await response.json<{ request_id: string }>();
  expect(body).toMatchObject({
    code: 'mail_unavailable',
    message: {
      en: 'We could not send the email just now. Please try again in a moment.',
      fr: 'L’e-mail n’a pas pu être envoyé. Veuillez réessayer dans un instant.',
    }[language],
  });
  const lines = takeNoise();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'failure',
    request_id: body.request_id,
  });
}
