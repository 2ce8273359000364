import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { links, sessions } from '#db/schema/sign-in.ts';
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
import { codeIn, fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { comparable } from '../limits/support.ts';
import {
  accountOf,
  ago,
  everythingOf,
  hour,
  linkRefused,
  minute,
  patch,
} from './address-change.ts';
import { confirmPath, loginPath, userPath } from './paths.ts';

const sessionsPath = '/api/accounts/auth/sessions/';

afterEach(() => {
  vi.useRealTimers();
});

test('a new address is pending until a link emailed only to it is confirmed', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const email = uniqueEmail().replace('i', 'I');
  const before = await userRow(user.id);
  const response = await patch(client, user.id, { email: ` ${email} ` });
  const [mail] = mailsTo(email, accepted);

  expect(response.status).toBe(200);
  const account = accountOf(user, { pending_email: email });
  expect(await response.json()).toEqual(account);
  expect(await (await client.get(userPath)).json()).toEqual(account);
  expect(await (await client.get('/api/accounts/')).json()).toEqual([account]);
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toHaveLength(2);
  expect(mail?.subject).toBe('Confirm your new email address for Lectern');
  expect(mail?.text).toContain(`https://lectern.test/confirm?token=${tokenIn(mail)}`);
  expect(`${mail?.html}${mail?.text}`).not.toContain(user.email);
  expect(() => codeIn(mail)).toThrow('There is no code in this email.');
});

test('the current address is notified immediately, with the new one masked, the time, the device and a link', async () => {
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
  // Names and language change immediately, and apply to the emails.
  const more = { email, first_name: 'Grace', language: 'en' };
  const changed = await client.request('PATCH', path, more, { headers });
  const kept = { first_name: 'Grace', language: 'en', email: user.email, pending_email: email };
  expect(await changed.json()).toMatchObject(kept);

  // The notice to the current address is sent first.
  expect(accepted.map(({ to }) => to)).toEqual([user.email, email, user.email, email]);
  const [french, english] = mailsTo(user.email, accepted);
  expect([french?.subject, english?.subject]).toEqual([
    'Demande de changement de votre adresse e‑mail Lectern',
    'Request to change your Lectern email address',
  ]);
  expect(english?.text).toContain('Grace');
  expect(english?.text).toMatch(/^Requested: November 21, 2026 at 6:55\sAM UTC\nBrowser: Firefox/m);
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

test('the email to the current address counts toward no email limit', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  // Two days, a window that no other test counts in.
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

test('an address change is refused in a session older than 15 minutes, and allowed just before', async () => {
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
    message: 'Please confirm it’s you by logging in again with a new link.',
  });
  expect(attempts).toEqual([]);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('proof_demanded')).toMatchObject([{ user_id: user.id }]);
  expect((await patch(old, user.id, { first_name: 'Grace' })).status).toBe(200);

  const young = browserWith(await createSession(user.id, { createdAt: ago(15 * minute - 10_000) }));
  expect((await patch(young, user.id, input)).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, input.email]);
});

test('a newer request replaces the older one', async () => {
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

test('requesting the current address, in any spelling, cancels a pending change', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const { token } = await createChange(user);
  const loginToken = await createLink(user);
  // Canceling needs no recent login.
  const client = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  const before = await userRow(user.id);
  const response = await patch(client, user.id, { email: ` ${user.email.toUpperCase()} ` });

  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('pending_email');
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
  expect((await createClient().post(confirmPath, { token })).status).toBe(400);
  expect((await createClient().post(confirmPath, { token: loginToken })).status).toBe(200);
});

test('a PATCH without an address leaves a pending change alone, and so does the end of another session', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  const response = await patch(client, user.id, { first_name: 'Grace' });

  expect(await response.json()).toMatchObject({ first_name: 'Grace', pending_email: email });
  expect(attempts).toEqual([]);
  await client.request('DELETE', `${sessionsPath}current/`);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test.each([
  ['current', []],
  ['new', [{ status: 200, body: { id: 'a-mail' } }]],
])(
  'an unsent email to the %s address leaves no change and nothing pending',
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

test('an unsent email undoes only its own request’s change, not one that came in between', async () => {
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

test('only its mailbox learns whether the new address has an account', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user: taken } = await createSignedInClient({ language: 'fr' });
  await createCourseRow(taken.id);
  const { client, user } = await createSignedInClient();
  const free = uniqueEmail().padStart(taken.email.length, 'x');
  const ownerBefore = await everythingOf(taken.id);
  const before = await userRow(user.id);
  const answers: Awaited<ReturnType<typeof comparable>>[][] = [];
  for (const email of [free, taken.email]) {
    const response = await patch(client, user.id, { email });
    const account = await client.get(userPath);
    const parts = await Promise.all([response, account].map(comparable));
    answers.push(
      parts.map(({ text, ...part }) => ({ ...part, text: text.replaceAll(email, 'THE ADDRESS') })),
    );
  }

  expect(answers[0]?.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.[0]?.text).toContain('"pending_email":"THE ADDRESS"');
  expect(answers[1]).toEqual(answers[0]);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, free, user.email, taken.email]);
  // The current address gets the same notice in both cases.
  const [ofFree, ofTaken] = mailsTo(user.email, accepted).map((mail) => {
    const { idempotencyKey, ...told } = mail;
    return JSON.stringify(told).replaceAll(tokenIn(mail), 'TOKEN').replaceAll('x•••', 'i•••');
  });
  expect(ofTaken).toBe(ofFree);
  const [mail] = mailsTo(taken.email, accepted);
  expect(mail?.subject).toBe('Cette adresse a déjà un compte Lectern');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).not.toMatch(/token|https?:|Ada/);
    expect(text).not.toContain(user.email);
  }
  expect(await everythingOf(taken.id)).toEqual(ownerBefore);
  expect((await owner.get(userPath)).status).toBe(200);
  expect(await userRow(user.id)).toEqual(before);
});

test('five changes a day can be requested, and a refused one changes nothing', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  for (let count = 0; count < 5; count += 1) {
    expect((await patch(client, user.id, { email: uniqueEmail() })).status).toBe(200);
  }
  const before = await everything();
  const response = await patch(client, user.id, { first_name: 'Grace', email: uniqueEmail() });

  expect(response.status).toBe(429);
  expect(await everything()).toEqual(before);
  expect(accepted).toHaveLength(10);
  // A change of names sends no email.
  expect((await patch(client, user.id, { first_name: 'Grace' })).status).toBe(200);
});

test.each<[string, (asker: Client, sessionId: string) => Promise<unknown>]>([
  ['logs out', (asker) => asker.post('/api/accounts/auth/logout/')],
  ['ends all other sessions', (asker) => asker.request('DELETE', `${sessionsPath}others/`)],
  [
    'is unused for 30 days',
    (_asker, id) =>
      db
        .update(sessions)
        .set({ lastSeenAt: ago(30 * 24 * hour) })
        .where(eq(sessions.id, id)),
  ],
])('a change ends with the session that requested it: when that %s', async (_what, act) => {
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

test('a session that ends while it requests a change gets none', async () => {
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
