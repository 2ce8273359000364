import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/sign-in.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import type { SuppressionReason } from '#db/values.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import {
  createLink,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import {
  accountIn,
  accountsPath,
  confirm,
  newcomer,
  patch,
  requestLogin,
  send,
  signUpPath,
  statusesOf,
} from '../identity/support.ts';

test.each([
  ['bounced', 'en', 'We can’t send email to this address because an earlier one bounced.'],
  [
    'complained',
    'fr',
    'Nous ne pouvons pas envoyer d’e‑mail à cette adresse, car un de nos messages y a été signalé comme indésirable.',
  ],
] as const)(
  'login, sign-up and address change send no email to an address that has %s, and say so in %s',
  async (reason, language, message) => {
    const { attempts } = fakeResend();
    const verified = await createUser();
    const unverified = await createUser({ emailVerifiedAt: null });
    const { client, user } = await createSignedInClient();
    const nobody = uniqueEmail();
    await Promise.all(
      [verified.email, unverified.email, nobody].map((email) => mark(email, reason)),
    );
    const before = await everything();
    const options = { headers: { 'Accept-Language': language } };
    const browser = createClient();
    const signUp = (path: string, email: string) =>
      send(browser, 'POST', path, newcomer(email), options);
    const answers = [
      await requestLogin(verified.email.toUpperCase(), browser, options),
      await requestLogin(unverified.email, browser, options),
      await signUp(signUpPath, nobody),
      await signUp(signUpPath, unverified.email),
      await signUp(accountsPath, nobody),
      await patch(client, user.id, { email: nobody, first_name: 'Grace' }, options),
      await patch(client, user.id, { email: verified.email }, options),
    ];

    // `errors` are what the error dialog shows.
    const body = { code: `address_${reason}`, errors: [expect.stringContaining(message)] };
    expect(answers).toMatchObject(answers.map(() => ({ status: 422, body })));
    expect(attempts).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(loggedEvents('mail_withheld').map((event) => event['reason'])).toEqual(
      answers.map(() => reason),
    );
  },
);

test('login and sign-up reveal no more about accounts than before', async () => {
  const { attempts } = fakeResend();
  const taken = await createUser();
  const unknown = uniqueEmail();
  await Promise.all([mark(taken.email, 'bounced'), mark(unknown, 'bounced')]);

  expect((await requestLogin(unknown)).status).toBe(404);
  expect((await createClient().post(signUpPath, newcomer(taken.email))).status).toBe(400);
  expect(attempts).toEqual([]);
});

test('every email checks the suppression list last', async () => {
  const { attempts } = fakeResend();
  const { sendMail } = contextOn();
  const emailCanonical = uniqueEmail();
  const mail = { to: emailCanonical.toUpperCase(), subject: 'Hi', html: '<p>Hi</p>', text: 'Hi' };
  const other = { emailCanonical: uniqueEmail(), reason: null };

  await expect(
    sendMail(mail, 'a/key', { emailCanonical, reason: 'complained' }),
  ).rejects.toMatchObject({ code: 'address_complained' });
  await expect(sendMail(mail, 'a/key', other)).rejects.toThrow('was not looked up');
  expect(attempts).toEqual([]);
  await sendMail(mail, 'another/key', { emailCanonical, reason: null });
  expect(attempts).toHaveLength(1);
});

test('a refused login uses up nothing of the address', async () => {
  fakeResend();
  const user = await createUser();
  await mark(user.email, 'bounced');
  const bindings = { LIMITS: { mails_per_ip: [] } };
  const uncounted = await db.$count(counters);
  const five = Array.from({ length: 5 }, createClient);
  const statuses = await statusesOf(five, (one) => requestLogin(user.email, one, { bindings }));

  expect(statuses).toEqual(Array(5).fill(422));
  expect(await db.$count(counters)).toBe(uncounted);
});

test('refused address changes are counted, so that they cannot be used to find suppressed addresses', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const six = Array.from({ length: 6 }, uniqueEmail);
  await Promise.all(six.map((email) => mark(email, 'bounced')));
  const statuses = await statusesOf(six, (email) =>
    patch(client, user.id, { email, first_name: 'Grace' }),
  );

  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  expect(await userRow(user.id)).toEqual(before);
});

test('a link that was emailed before still signs in, and so does Google', async () => {
  fakeResend();
  const { signIn } = fakeGoogle();
  const identity = googlePerson();
  const user = await createUser({ email: String(identity.email) });
  const token = await createLink(user);
  await mark(user.email, 'complained');
  const browser = createClient();
  await signIn(browser, identity);

  expect(await accountIn(browser)).toMatchObject({ id: user.id });
  expect((await confirm({ token })).status).toBe(200);
});

test('a suppressed address is notified neither of a requested change nor of a completed one, which is kept', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await mark(user.email, 'bounced');
  const email = uniqueEmail();
  await patch(client, user.id, { email });

  expect((await confirm({ token: tokenIn(accepted[0]) })).status).toBe(200);
  expect((await userRow(user.id))?.email).toBe(email);
  expect(attempts.map(({ to }) => to)).toEqual([email]);
  expect(loggedEvents('notice_not_sent')).toMatchObject([
    { user_id: user.id, reason: 'address_bounced' },
    { user_id: user.id, reason: 'address_bounced' },
  ]);
});

test('an address suppressed while the email is being written is not emailed, and no link is left', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const insert = "INSERT INTO undeliverable_addresses VALUES (new.email_canonical, 'bounced', 1)";
  await env.DB.exec(`CREATE TRIGGER late AFTER INSERT ON links BEGIN ${insert}; END`);
  const { status } = await requestLogin(user.email);
  await env.DB.exec('DROP TRIGGER late');

  expect(status).toBe(422);
  expect(attempts).toEqual([]);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
});

async function mark(email: string, reason: SuppressionReason) {
  await db.insert(suppressedAddresses).values({ emailCanonical: email, reason, since: new Date() });
}
