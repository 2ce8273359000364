import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { addressRestores } from '#db/schema/address-restores.ts';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { hashToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import {
  browserWith,
  createChange,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';

const userPath = '/api/accounts/auth/user/';
const loginPath = '/api/accounts/auth/login/';
const sessionsPath = '/api/accounts/auth/sessions/';
const signUpPath = '/api/accounts/auth/signup/';
const confirmPath = '/api/accounts/auth/confirm/';
const minute = 60 * 1000;
const hour = 60 * minute;
const linkRefused = { code: 'link_invalid', message: 'Authentication failed. Please try again' };

afterEach(() => {
  vi.useRealTimers();
});

test('a new address waits for the click on a link that is mailed to it alone', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const email = uniqueEmail();
  const before = await userRow(user.id);
  const response = await patch(client, user.id, { email: ` ${email.replace('i', 'I')} ` });
  const mails = mailsTo(email.replace('i', 'I'), accepted);

  expect(response.status).toBe(200);
  const account = {
    id: user.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: user.email,
    pending_email: email.replace('i', 'I'),
    avatar: null,
    email_verified: true,
    language: 'en',
    created_at: user.createdAt.toISOString(),
  };
  expect(await response.json()).toEqual(account);
  expect(await (await client.get(userPath)).json()).toEqual(account);
  expect(await (await client.get('/api/accounts/')).json()).toEqual([account]);
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toHaveLength(2);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Confirm your new email address for Lectern',
  ]);
  expect(mails[0]?.text).toContain(`https://lectern.test/confirm?token=${tokenIn(mails[0])}`);
  expect(`${mails[0]?.html}${mails[0]?.text}`).not.toContain(user.email);
});

test('the present address is told at once, with the new one masked, when and from where, and a link', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T06:55:00Z') });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({ language: 'fr' });
  const email = uniqueEmail();
  const headers = {
    'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  await client.get('/api/health/');
  const path = `/api/accounts/${user.id}/`;
  expect((await client.request('PATCH', path, { email }, { headers })).status).toBe(200);
  await client.request('PATCH', path, { email, language: 'en' }, { headers });

  // First the one without which there is nothing to tell.
  expect(accepted.map(({ to }) => to)).toEqual([user.email, email, user.email, email]);
  const [french, english] = mailsTo(user.email, accepted);
  expect([french?.subject, english?.subject]).toEqual([
    'Demande de changement de votre adresse e‑mail Lectern',
    'Request to change your Lectern email address',
  ]);
  expect(english?.text).toContain('Asked for on 21 November 2026 at 06:55 UTC, from Firefox');
  for (const mail of [french, english]) {
    const link = `https://lectern.test/undo-address-change?token=${tokenIn(mail)}`;
    expect(mail?.html).toContain(`href="${link}"`);
    expect(mail?.text).toContain(link);
    expect(`${mail?.html}${mail?.text}`).toContain('i•••@example.com');
    expect(`${mail?.html}${mail?.text}`).not.toContain(email);
  }
  // So that the link in an older email stops a newer change.
  expect(tokenIn(french)).toBe(tokenIn(english));
});

test('the mail to the present address is counted against no budget', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  // Over two days, as no other test counts.
  const limits = { mails: ['2/2d'], mails_to_unproven: [], mails_per_address: ['1/d'] };
  const bindings = { LIMITS: limits };
  await createClient().post(loginPath, { email: user.email }, { bindings });
  await client.get('/api/health/');
  const input = { email: uniqueEmail() };
  const path = `/api/accounts/${user.id}/`;
  const response = await client.request('PATCH', path, input, { bindings });

  expect(response.status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, user.email, input.email]);
});

test('names and language of the same PATCH are changed at once, and the mail is written with them', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const before = await userRow(user.id);
  const input = { first_name: 'Grace', language: 'fr', email: uniqueEmail() };
  const response = await patch(client, user.id, input);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    first_name: 'Grace',
    language: 'fr',
    email: user.email,
    pending_email: input.email,
  });
  expect(await userRow(user.id)).toEqual({ ...before, firstName: 'Grace', language: 'fr' });
  for (const mail of accepted) {
    expect(mail.text).toContain('Bonjour Grace,');
  }
});

test('a session that began more than 15 minutes ago asks for no address change, one just within does', async () => {
  const { accepted, attempts } = fakeResend();
  const user = await createUser();
  const token = await createSession(user.id, { createdAt: ago(15 * minute + 5_000) });
  const old = browserWith(token);
  const input = { first_name: 'Grace', language: 'fr', email: uniqueEmail() };
  const before = await everything();
  const refused = await patch(old, user.id, input);

  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: 'proof_required',
    message: 'Please confirm first that it is you: log in again with a fresh link.',
  });
  expect(attempts).toEqual([]);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('proof_demanded')).toMatchObject([{ user_id: user.id }]);
  expect((await patch(old, user.id, { first_name: 'Grace' })).status).toBe(200);

  const young = browserWith(await createSession(user.id, { createdAt: ago(15 * minute - 10_000) }));
  expect((await patch(young, user.id, input)).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, input.email]);
});

test('the click makes the change, from any browser, and ends everything that was open before', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const elsewhere = browserWith(await createSession(user.id));
  const loginToken = await createLink(user);
  const neighbour = await createSignedInClient();
  const email = uniqueEmail();
  await patch(client, user.id, { email: email.replace('i', 'I') });
  const before = await userRow(user.id);
  const browser = createClient();
  const token = tokenIn(accepted[1]);
  const response = await browser.post(confirmPath, { token });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ redirect_to: '/' });
  expect(await userRow(user.id)).toEqual({
    ...before,
    email: email.replace('i', 'I'),
    emailCanonical: email,
  });
  expect(await (await browser.get(userPath)).json()).toEqual({
    id: user.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: email.replace('i', 'I'),
    avatar: null,
    email_verified: true,
    language: 'en',
    created_at: user.createdAt.toISOString(),
  });
  for (const ended of [client, elsewhere]) {
    expect((await ended.get(userPath)).status).toBe(401);
  }
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect((await neighbour.client.get(userPath)).status).toBe(200);
  for (const spent of [loginToken, token]) {
    const refused = await createClient().post(confirmPath, { token: spent });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject(linkRefused);
  }
  const unknown = await createClient().post(loginPath, { email: user.email });
  expect(await unknown.json()).toMatchObject({ code: 'account_not_found' });
  expect(loggedEvents('address_changed')).toMatchObject([{ user_id: user.id }]);
});

test('the old address is told, with the new one masked and a link that takes the account back', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const { email, token } = await createChange(user);
  await createClient().post(confirmPath, { token });

  expect(accepted.map(({ to, subject }) => [to, subject])).toEqual([
    [user.email, 'Votre adresse e‑mail Lectern a été modifiée'],
  ]);
  const link = `https://lectern.test/undo-address-change?token=${tokenIn(accepted[0])}`;
  for (const text of [accepted[0]?.text, accepted[0]?.html]) {
    expect(text).toContain('i•••@example.com');
    expect(text).toContain(link);
    expect(text).not.toContain(email);
    // Nobody has asked for this link.
    expect(text).not.toContain('Demandé');
  }
});

test('a notice of what has happened that cannot be sent undoes nothing, and the log says so', async () => {
  const { attempts } = fakeResend(...Array(3).fill({ status: 500 }));
  const user = await createUser();
  const { email, token } = await createChange(user);
  const browser = createClient();
  const response = await browser.post(confirmPath, { token });

  expect(response.status).toBe(200);
  expect(attempts.map(({ to }) => to)).toEqual(Array(3).fill(user.email));
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(await (await browser.get(userPath)).json()).toMatchObject({ email });
  expect(loggedEvents('notice_not_sent')).toMatchObject([{ user_id: user.id }]);
  // Resend may have sent it all the same, and its link is to work then.
  expect(await db.$count(addressRestores, eq(addressRestores.userId, user.id))).toBe(1);
});

test('a link to a new address lives for 24 hours, and as long the address is shown as waiting', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const before = await userRow(user.id);
  const start = Date.now();

  vi.setSystemTime(start + 24 * hour + 1_000);
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  const refused = await createClient().post(confirmPath, { token: tokenIn(accepted[1]) });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject(linkRefused);
  expect(await userRow(user.id)).toEqual(before);

  vi.setSystemTime(start + 24 * hour - 1_000);
  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  expect((await createClient().post(confirmPath, { token: tokenIn(accepted[1]) })).status).toBe(
    200,
  );
});

test('a newer request takes the place of the older', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  await patch(client, user.id, { email: first });
  const response = await patch(client, user.id, { email: second });
  const [older, newer] = [first, second].map((to) => tokenIn(mailsTo(to, accepted)[0]));

  expect(await response.json()).toMatchObject({ email: user.email, pending_email: second });
  expect((await createClient().post(confirmPath, { token: older })).status).toBe(400);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  expect((await createClient().post(confirmPath, { token: newer })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: second, emailCanonical: second });
});

test.each([
  ['as it is', (email: string) => email],
  ['in capitals', (email: string) => ` ${email.toUpperCase()} `],
])('the present address, %s, calls off a change that waits', async (_spelling, spell) => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const { token } = await createChange(user);
  const loginToken = await createLink(user);
  // Undoing needs no proof.
  const client = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  const before = await userRow(user.id);
  const response = await patch(client, user.id, { email: spell(user.email) });

  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('pending_email');
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
  const refused = await createClient().post(confirmPath, { token });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject(linkRefused);
  expect((await createClient().post(confirmPath, { token: loginToken })).status).toBe(200);
});

test('a PATCH without an address leaves a waiting change alone', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  const response = await patch(client, user.id, { first_name: 'Grace' });

  expect(await response.json()).toMatchObject({ first_name: 'Grace', pending_email: email });
  expect(attempts).toEqual([]);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test.each([
  ['present', []],
  ['new', [{ status: 200, body: { id: 'a-mail' } }]],
])(
  'an unsent mail to the %s address leaves nothing changed and nothing waiting',
  async (_which, sent) => {
    const { accepted, attempts } = fakeResend(...sent, ...Array(3).fill({ status: 500 }));
    const { client, user } = await createSignedInClient();
    const before = await everything();
    const input = { first_name: 'Grace', language: 'fr', email: uniqueEmail() };
    const response = await patch(client, user.id, input);

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'mail_unavailable' });
    expect(accepted).toEqual([]);
    expect(attempts.at(-1)?.to).toBe(sent.length === 0 ? user.email : input.email);
    expect(await everything()).toEqual(before);
    expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
    expect(takeNoise()).toHaveLength(1);
  },
);

test('what goes back with an unsent mail is not what another request has changed meanwhile', async () => {
  const { client, user } = await createSignedInClient();
  await client.get(userPath);
  const before = await userRow(user.id);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await db.update(users).set({ firstName: 'Edith' }).where(eq(users.id, user.id));
    return Response.json({ statusCode: 422, name: 'an_error', message: 'No' }, { status: 422 });
  });
  const input = { first_name: 'Grace', email: uniqueEmail() };
  const response = await patch(client, user.id, input);

  expect(response.status).toBe(503);
  expect(await userRow(user.id)).toEqual({ ...before, firstName: 'Edith' });
  expect(takeNoise()).toHaveLength(1);
});

test('whether the new address has an account is told to its mailbox and to nobody else', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user: taken } = await createSignedInClient({ language: 'fr' });
  await createCourseRow(taken.id);
  const { client, user } = await createSignedInClient();
  const free = uniqueEmail().padStart(taken.email.length, 'x');
  const ownerBefore = await everythingOf(taken.id);
  const before = await userRow(user.id);
  const answers = [];
  for (const email of [free, taken.email]) {
    const response = await patch(client, user.id, { email });
    const account = await client.get(userPath);
    const parts = [response, account].map(async (part) => ({
      status: part.status,
      headers: [...part.headers]
        .filter(([name]) => name !== 'x-request-id')
        .map(([name, value]) => [
          name,
          value
            .replaceAll(/'nonce-[^']+'/g, 'NONCE')
            // Sealed, so that it tells nothing of what was written.
            .replace(/^__Host-bookmark=[0-9a-f]{150,}/, 'BOOKMARK'),
        ]),
      body: (await part.text()).replaceAll(email, 'THE ADDRESS'),
    }));
    answers.push(await Promise.all(parts));
  }

  expect(answers[0]?.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.[0]?.body).toContain('"pending_email":"THE ADDRESS"');
  expect(answers[1]).toEqual(answers[0]);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, free, user.email, taken.email]);
  // The present address is told the same in both cases.
  const [ofFree, ofTaken] = mailsTo(user.email, accepted).map((mail) => {
    const { idempotencyKey, ...told } = mail;
    return JSON.stringify(told).replaceAll(tokenIn(mail), 'TOKEN').replaceAll('x•••', 'i•••');
  });
  expect(ofTaken).toBe(ofFree);
  const [mail] = mailsTo(taken.email, accepted);
  expect([mail?.to, mail?.subject]).toEqual([
    taken.email,
    'Cette adresse a déjà un compte Lectern',
  ]);
  for (const text of [mail?.text, mail?.html]) {
    expect(text).not.toMatch(/token|https?:|Ada/);
    expect(text).not.toContain(user.email);
  }
  expect(await everythingOf(taken.id)).toEqual(ownerBefore);
  expect((await owner.get(userPath)).status).toBe(200);
  expect(await userRow(user.id)).toEqual(before);
});

test('an account that never proved the address gives way to whoever does', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  await createCourseRow(unproven.id);
  const verification = await createLink(unproven, { purpose: 'verification' });
  const { token } = await createChange(user, unproven.email);
  expect(await userRow(unproven.id)).toBeDefined();
  const response = await createClient().post(confirmPath, { token });

  expect(response.status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect((await everythingOf(unproven.id)).flat()).toEqual([]);
  const refused = await createClient().post(confirmPath, { token: verification });
  expect(refused.status).toBe(400);
});

test('an address that somebody else has proven in the meantime stays theirs', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  const faster = await createUser({ email });
  await createSession(faster.id);
  const before = await everything();
  const browser = createClient();
  const response = await browser.post(confirmPath, { token });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject(linkRefused);
  expect(browser.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect(attempts).toEqual([]);
});

test('of two accounts that want one address the first to click gets it', async () => {
  fakeResend();
  const [first, second] = [await createUser(), await createUser()];
  const { email, token } = await createChange(first);
  const { token: late } = await createChange(second, email);
  const secondBefore = await userRow(second.id);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  expect((await createClient().post(confirmPath, { token: late })).status).toBe(400);
  expect(await userRow(first.id)).toMatchObject({ emailCanonical: email });
  expect(await userRow(second.id)).toEqual(secondBefore);
});

test('the notice to the old address is sent though the budget of mails is used up', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const { token } = await createChange(user);
  const bindings = { LIMITS: { mails: ['1/d'], mails_to_unproven: ['1/d'] } };
  const other = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
  await createClient().post(signUpPath, other, { bindings });
  await createClient().post(confirmPath, { token }, { bindings });

  expect(accepted.map(({ to }) => to)).toEqual([other.email, user.email]);
});

test('the identity at Google goes with the old address, so that no way in is left behind', async () => {
  fakeResend();
  const user = await createUser({ googleSub: 'who had the old address', avatarUrl: 'a picture' });
  const { email, token } = await createChange(user);
  await createClient().post(confirmPath, { token });

  expect(await userRow(user.id)).toMatchObject({
    email,
    googleSub: null,
    avatarUrl: null,
  });
});

test('of 20 parallel confirmations exactly one makes the change', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const { email, token } = await createChange(user);
  const browsers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const browser = createClient();
      await browser.get('/api/health/');
      return browser;
    }),
  );
  const responses = await Promise.all(browsers.map((one) => one.post(confirmPath, { token })));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(400)]);
  expect(browsers.filter(({ cookies }) => cookies.has('__Host-session'))).toHaveLength(1);
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});

test('a link of one purpose does nothing for another', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const before = await userRow(user.id);
  const refused = [
    { purpose: 'address_change', newEmail: user.email, emailCanonical: user.emailCanonical },
    { purpose: 'verification', newEmail: uniqueEmail() },
    { purpose: 'login', newEmail: uniqueEmail(), emailCanonical: uniqueEmail() },
  ] as const;
  for (const values of refused) {
    const token = await createLink(user, values);
    expect((await createClient().post(confirmPath, { token })).status).toBe(400);
    await db.delete(links).where(eq(links.userId, user.id));
  }
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  const login = await createLink(user, { newEmail: uniqueEmail() });
  expect((await createClient().post(confirmPath, { token: login })).status).toBe(200);

  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
});

test('a change of somebody who is not verified is none', async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const { token } = await createChange(user);
  const before = await everything();

  expect((await createClient().post(confirmPath, { token })).status).toBe(400);
  expect(await everything()).toEqual(before);
});

test('five changes a day are asked for, and the sixth is refused until they are a day old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const emails = Array.from({ length: 6 }, uniqueEmail);
  for (const email of emails.slice(0, 5)) {
    expect((await patch(client, user.id, { email })).status).toBe(200);
  }
  const before = await everything();
  const response = await patch(client, user.id, { first_name: 'Grace', email: emails[5] });

  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ code: 'rate_limited' });
  // They leave the day with the hour that they were asked for in.
  const secondsOfHour = (Date.now() % hour) / 1000;
  expect(response.headers.get('Retry-After')).toBe(String(Math.ceil(24 * 60 * 60 - secondsOfHour)));
  expect(await everything()).toEqual(before);
  expect(accepted.map(({ to }) => to)).toEqual(
    emails.slice(0, 5).flatMap((email) => [user.email, email]),
  );
  // Names are no mails.
  expect((await patch(client, user.id, { first_name: 'Grace' })).status).toBe(200);
  const neighbour = await createSignedInClient();
  expect((await patch(neighbour.client, neighbour.user.id, { email: emails[5] })).status).toBe(200);
});

test('the mails to one address are counted together, whoever asks for them and whatever for', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { email } = await createUser();
  for (let round = 0; round < 3; round += 1) {
    const { client, user } = await createSignedInClient();
    expect((await patch(client, user.id, { email: email.toUpperCase() })).status).toBe(200);
  }
  const { client, user } = await createSignedInClient();
  const signUp = { first_name: 'Grace', last_name: 'Hopper', email };
  const responses = [
    await patch(client, user.id, { email }),
    await createClient().post(loginPath, { email }),
    // Mails nobody, because the address is taken.
    await createClient().post(signUpPath, signUp),
  ];

  expect(responses.map(({ status }) => status)).toEqual([429, 429, 400]);
  expect(mailsTo(email, accepted)).toHaveLength(3);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
});

test.each<[string, (asker: Client, sessionId: string) => Promise<unknown>]>([
  ['logs out', (asker) => asker.post('/api/accounts/auth/logout/')],
  ['ends its session', (asker) => asker.request('DELETE', `${sessionsPath}current/`)],
  ['ends all other sessions', (asker) => asker.request('DELETE', `${sessionsPath}others/`)],
  [
    'has not been there for 30 days',
    (_asker, id) =>
      db
        .update(sessions)
        .set({ lastSeenAt: ago(30 * 24 * hour) })
        .where(eq(sessions.id, id)),
  ],
])('a change ends with the session that asked for it: when that %s', async (_what, act) => {
  const { client, user } = await createSignedInClient();
  const { email, token, sessionToken } = await createChange(user);
  const asker = browserWith(sessionToken);
  await asker.get('/api/health/');
  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  const [{ id } = { id: '' }] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, await hashToken(sessionToken)));
  const elsewhere = browserWith(await createSession(user.id));
  await act(asker, id);

  const seenBy = [asker, elsewhere, client].map(async (one) => (await one.get(userPath)).json());
  for (const account of await Promise.all(seenBy)) {
    expect(account).not.toHaveProperty('pending_email');
  }
  const refused = await createClient().post(confirmPath, { token });
  expect(await refused.json()).toMatchObject(linkRefused);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
});

test('the end of another session leaves a change alone', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const { token } = await createChange(user);
  await client.get('/api/health/');
  await client.request('DELETE', `${sessionsPath}current/`);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test('a change from before changes belonged to sessions is none', async () => {
  const { client, user } = await createSignedInClient();
  const newEmail = uniqueEmail();
  const token = await createLink(user, {
    purpose: 'address_change',
    newEmail,
    emailCanonical: newEmail,
  });

  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect((await createClient().post(confirmPath, { token })).status).toBe(400);
});

test('a session that ends while it asks for a change gets none', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const DB = beforeWriting(async () => {
    await db.delete(sessions).where(eq(sessions.userId, user.id));
  });
  const path = `/api/accounts/${user.id}/`;
  const input = { first_name: 'Grace', email: uniqueEmail() };
  const response = await client.request('PATCH', path, input, { bindings: { DB } });

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
  expect(attempts).toEqual([]);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect(await userRow(user.id)).toMatchObject({ firstName: 'Ada' });
});

test('whoever is asked for a proof first gets their change: it comes after the new login', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const browser = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  const email = uniqueEmail();
  expect((await patch(browser, user.id, { email })).status).toBe(403);
  await browser.post(loginPath, { email: user.email });
  await browser.post(confirmPath, { token: tokenIn(accepted[0]) });
  expect((await patch(browser, user.id, { email })).status).toBe(200);
  const token = tokenIn(mailsTo(email, accepted)[0]);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email });
});

/** As from a page that has been loaded before, with its CSRF token. */
async function patch(client: Client, id: string, input: Record<string, unknown>) {
  await client.get('/api/health/');
  return client.request('PATCH', `/api/accounts/${id}/`, input);
}

function everythingOf(id: string) {
  return db.batch([
    db.select().from(users).where(eq(users.id, id)),
    db.select().from(sessions).where(eq(sessions.userId, id)),
    db.select().from(links).where(eq(links.userId, id)),
    db.select().from(courses).where(eq(courses.ownerId, id)),
  ]);
}

function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}
