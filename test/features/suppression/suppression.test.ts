import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/links.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import type { SuppressionReason } from '#db/values.ts';
import type { AccountExport } from '#features/accounts/export-account.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
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
import { bounced, deliver } from '#support/webhook.ts';
import { confirmPath, loginPath, signUpPath, userPath } from '../auth/paths.ts';

test.each([
  [
    'bounced',
    'en',
    'We can’t send email to this address because an earlier one bounced. Please log in with Google, use another address, or contact us (see the privacy page).',
  ],
  [
    'complained',
    'fr',
    'Nous ne pouvons pas envoyer d’e‑mail à cette adresse, car un de nos messages y a été signalé comme indésirable. Connectez-vous avec Google, utilisez une autre adresse ou contactez-nous (voir la page de confidentialité).',
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
    const headers = { 'Accept-Language': language };
    const browser = createClient();
    const answers = [
      await browser.post(loginPath, { email: verified.email.toUpperCase() }, { headers }),
      await browser.post(loginPath, { email: unverified.email }, { headers }),
      await browser.post(signUpPath, person(nobody), { headers }),
      await browser.post(signUpPath, person(unverified.email), { headers }),
      await browser.post('/api/accounts/', person(nobody), { headers }),
      await patch(client, user.id, { email: nobody, first_name: 'Grace' }, headers),
      await patch(client, user.id, { email: verified.email }, headers),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({
        code: `address_${reason}`,
        message,
        // The message in the error dialog.
        errors: [message],
        request_id: answer.headers.get('X-Request-Id'),
      });
    }
    expect(attempts).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(loggedEvents('mail_withheld').map((event) => event['reason'])).toEqual(
      answers.map(() => reason),
    );
  },
);

test('similar addresses get their email', async () => {
  const { accepted } = fakeResend();
  await mark(uniqueEmail(), 'bounced');
  const user = await createUser();
  const newcomer = uniqueEmail();
  await mark(`x${user.email}`, 'complained');

  expect((await createClient().post(loginPath, { email: user.email })).status).toBe(200);
  expect((await createClient().post(signUpPath, person(newcomer))).status).toBe(201);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, newcomer]);
});

test('login and sign-up reveal no more about accounts than before', async () => {
  const { attempts } = fakeResend();
  const taken = await createUser();
  const unknown = uniqueEmail();
  await Promise.all([mark(taken.email, 'bounced'), mark(unknown, 'bounced')]);
  const login = await createClient().post(loginPath, { email: unknown });
  const signUp = await createClient().post(signUpPath, person(taken.email));

  expect(login.status).toBe(404);
  expect(await login.json()).toMatchObject({ code: 'account_not_found' });
  expect(signUp.status).toBe(400);
  expect(await signUp.json()).toMatchObject({ fields: { email: [expect.any(String)] } });
  expect(attempts).toEqual([]);
});

test('a refused login uses up nothing of the address', async () => {
  fakeResend();
  const user = await createUser();
  await mark(user.email, 'bounced');
  const bindings = { LIMITS: { mails_per_ip: [] } };
  const uncounted = await db.$count(counters);
  for (let count = 0; count < 5; count += 1) {
    const response = await createClient().post(loginPath, { email: user.email }, { bindings });
    expect(response.status).toBe(422);
  }

  expect(await db.$count(counters)).toBe(uncounted);
});

test('refused address changes are counted, so that they cannot be used to find suppressed addresses', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const email = uniqueEmail();
    await mark(email, 'bounced');
    statuses.push((await patch(client, user.id, { email })).status);
  }

  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
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

  expect(await (await browser.get(userPath)).json()).toMatchObject({ id: user.id });
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test('a suppressed address is notified neither of a requested change nor of a completed one, which is kept', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await mark(user.email, 'bounced');
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const response = await createClient().post(confirmPath, { token: tokenIn(accepted[0]) });

  expect(response.status).toBe(200);
  expect((await userRow(user.id))?.email).toBe(email);
  expect(attempts.map(({ to }) => to)).toEqual([email]);
  expect(loggedEvents('notice_not_sent')).toMatchObject([
    { user_id: user.id, reason: 'address_bounced' },
    { user_id: user.id, reason: 'address_bounced' },
  ]);
});

test('every email checks the suppression list last', async () => {
  const { attempts } = fakeResend();
  const { sendMail } = contextOn();
  const email = uniqueEmail();
  const complained = { emailCanonical: email, reason: 'complained' } as const;
  const mail = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };

  await expect(
    sendMail({ ...mail, to: email.toUpperCase() }, 'a/key', complained),
  ).rejects.toMatchObject({ code: 'address_complained' });
  const other = { emailCanonical: uniqueEmail(), reason: null };
  await expect(sendMail({ ...mail, to: email }, 'a/key', other)).rejects.toThrow(
    'was not looked up',
  );
  expect(attempts).toEqual([]);
  await sendMail({ ...mail, to: other.emailCanonical }, 'another/key', other);
  expect(attempts).toHaveLength(1);
});

test('an address suppressed while the email is being written is not emailed, and no link is left', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  await env.DB.exec(
    `CREATE TRIGGER late AFTER INSERT ON links BEGIN
      INSERT INTO undeliverable_addresses VALUES (new.email_canonical, 'bounced', 1); END`.replace(
      /\n\s*/g,
      ' ',
    ),
  );
  const response = await createClient().post(loginPath, { email: user.email });
  await env.DB.exec('DROP TRIGGER late');

  expect(response.status).toBe(422);
  expect(attempts).toEqual([]);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
});

test('when the suppression list cannot be read no email is sent, and no link is left', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get(userPath);
  const email = uniqueEmail();
  await env.DB.exec('ALTER TABLE undeliverable_addresses RENAME TO list_away');
  const responses = [
    await createClient().post(loginPath, { email: user.email }),
    await createClient().post(signUpPath, person(email)),
    await client.request('PATCH', `/api/accounts/${user.id}/`, { email }),
  ];
  await env.DB.exec('ALTER TABLE list_away RENAME TO undeliverable_addresses');

  expect(responses.map(({ status }) => status)).toEqual([500, 500, 503]);
  expect(attempts).toEqual([]);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect(takeNoise()).toHaveLength(3);
});

test('the suppression is in the export and is deleted with the account, and that of another account stays', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const other = await createUser();
  await deliver(bounced(user.email));
  await deliver(bounced(other.email));
  const exported = await client.get(`/api/accounts/${user.id}/export/`);
  const { undeliverable_addresses: marks } = await exported.json<AccountExport>();

  expect(marks).toEqual([
    { email_canonical: user.email, reason: 'bounced', since: expect.any(String) },
  ]);
  expect((await client.request('DELETE', `/api/accounts/${user.id}/`)).status).toBe(204);
  expect(await marked(user.email)).toBe(false);
  expect(await marked(other.email)).toBe(true);
  expect((await createClient().post(signUpPath, person(user.email))).status).toBe(201);
});

async function mark(email: string, reason: SuppressionReason) {
  await db.insert(suppressedAddresses).values({ emailCanonical: email, reason, since: new Date() });
}

async function marked(email: string): Promise<boolean> {
  const { emailCanonical } = suppressedAddresses;
  return (await db.$count(suppressedAddresses, eq(emailCanonical, email))) > 0;
}

function person(email: string) {
  return { first_name: 'Ada', last_name: 'Lovelace', email };
}

async function patch(
  client: ReturnType<typeof createClient>,
  id: string,
  input: unknown,
  headers: Record<string, string> = {},
) {
  await client.get(userPath);
  return client.request('PATCH', `/api/accounts/${id}/`, input, { headers });
}
