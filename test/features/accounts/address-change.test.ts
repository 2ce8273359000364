import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { type Client, createClient } from '../../support/client.ts';
import { loggedEvents, takeNoise } from '../../support/console.ts';
import {
  browserWith,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '../../support/factories.ts';
import { fakeResend, tokenIn } from '../../support/resend.ts';
import { everything, userRow } from '../../support/rows.ts';

const userPath = '/api/accounts/auth/user/';
const loginPath = '/api/accounts/auth/login/';
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
  expect(attempts).toHaveLength(1);
  expect(accepted.map(({ to, subject }) => [to, subject])).toEqual([
    [email.replace('i', 'I'), 'Confirm your new email address for Lectern'],
  ]);
  expect(accepted[0]?.text).toContain(`https://lectern.test/confirm?token=${tokenIn(accepted[0])}`);
  expect(`${accepted[0]?.html}${accepted[0]?.text}`).not.toContain(user.email);
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
  expect(accepted[0]?.text).toContain('Bonjour Grace,');
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
  expect(accepted.map(({ to }) => to)).toEqual([input.email]);
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
  const token = tokenIn(accepted[0]);
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

test('the old address is told, with the new one masked and no link', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const { email, token } = await createChange(user);
  await createClient().post(confirmPath, { token });

  expect(accepted.map(({ to, subject }) => [to, subject])).toEqual([
    [user.email, 'Votre adresse e-mail pour Lectern a changé'],
  ]);
  for (const text of [accepted[0]?.text, accepted[0]?.html]) {
    expect(text).toContain('i•••@example.com');
    expect(text).not.toContain(email);
    expect(text).not.toMatch(/token|https?:/);
  }
});

test('a notice that cannot be sent undoes nothing, and the log says so', async () => {
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
  const refused = await createClient().post(confirmPath, { token: tokenIn(accepted[0]) });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject(linkRefused);
  expect(await userRow(user.id)).toEqual(before);

  vi.setSystemTime(start + 24 * hour - 1_000);
  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  expect((await createClient().post(confirmPath, { token: tokenIn(accepted[0]) })).status).toBe(
    200,
  );
});

test('a newer request takes the place of the older', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  await patch(client, user.id, { email: first });
  const response = await patch(client, user.id, { email: second });
  const [older, newer] = accepted.map(tokenIn);

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

test('an unsent mail leaves nothing changed and nothing waiting', async () => {
  const { accepted } = fakeResend(...Array(3).fill({ status: 500 }));
  const { client, user } = await createSignedInClient();
  const before = await everything();
  const input = { first_name: 'Grace', language: 'fr', email: uniqueEmail() };
  const response = await patch(client, user.id, input);

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'mail_unavailable' });
  expect(accepted).toEqual([]);
  expect(await everything()).toEqual(before);
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect(takeNoise()).toHaveLength(1);
});

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
  const mail = accepted[1];
  expect(accepted).toHaveLength(2);
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
  const newEmail = uniqueEmail();
  const change = { purpose: 'address_change', emailCanonical: newEmail, newEmail } as const;
  const token = await createLink(user, change);
  const bindings = { LIMITS: { mails: ['1/d'], mails_to_unproven: ['1/d'] } };
  const other = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
  await createClient().post(signUpPath, other, { bindings });
  await createClient().post(confirmPath, { token }, { bindings });

  expect(accepted.map(({ to }) => to)).toEqual([other.email, user.email]);
});

test('the identity at Google goes with the old address, so that no way in is left behind', async () => {
  fakeResend();
  const user = await createUser({ googleSub: 'who had the old address', avatarUrl: 'a picture' });
  const newEmail = uniqueEmail();
  const change = { purpose: 'address_change', emailCanonical: newEmail, newEmail } as const;
  const token = await createLink(user, change);
  await createClient().post(confirmPath, { token });

  expect(await userRow(user.id)).toMatchObject({
    email: newEmail,
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
  expect(accepted.map(({ to }) => to)).toEqual(emails.slice(0, 5));
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
  expect(accepted.map(({ to }) => to.toLowerCase())).toEqual([email, email, email]);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
});

/** A change that waits, and the token that its mail would hold. */
async function createChange(user: Awaited<ReturnType<typeof createUser>>, email = uniqueEmail()) {
  const token = await createLink(user, {
    purpose: 'address_change',
    newEmail: email,
    emailCanonical: email.toLowerCase(),
  });
  return { email, token };
}

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
