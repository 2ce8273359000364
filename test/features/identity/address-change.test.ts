import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
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
import { hurry } from '#support/hurry.ts';
import { codeIn, fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { comparable } from '../limits/support.ts';
import { confirmPath, loginPath, signUpPath, userPath } from './paths.ts';
import { accessTo, accountOf, ago, everythingOf, expectRefused, hour, patch } from './support.ts';

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
  expect((await patch(client, user.id, { email }, { headers })).status).toBe(200);
  // Names and language change immediately, and apply to the emails.
  const more = { email, first_name: 'Grace', language: 'en' };
  const changed = await patch(client, user.id, more, { headers });
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
  const email = uniqueEmail();

  expect((await patch(client, user.id, { email }, { bindings })).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, user.email, email]);
});

test('a newer request replaces the older one', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  await patch(client, user.id, { email: first });
  const response = await patch(client, user.id, { email: second });
  const [older, newer] = [first, second].map((to) => tokenIn(mailsTo(to, accepted)[0]));

  expect(await response.json()).toMatchObject({ email: user.email, pending_email: second });
  await expectRefused(confirmPath, { token: older });
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
  await expectRefused(confirmPath, { token });
  expect((await createClient().post(confirmPath, { token: loginToken })).status).toBe(200);
});

test('a PATCH without an address leaves a pending change alone, and so does the end of another session', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const { email, token } = await createChange(user);
  // Names need no recent login.
  const client = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  const response = await patch(client, user.id, { first_name: 'Grace' });

  expect(await response.json()).toMatchObject({ first_name: 'Grace', pending_email: email });
  expect(attempts).toEqual([]);
  await client.request('DELETE', '/api/accounts/auth/sessions/current/');
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test.each([
  ['current', []],
  ['new', [{ status: 200, body: { id: 'a-mail' } }]],
])(
  'an unsent email to the %s address leaves no change and nothing pending',
  async (_which, sent) => {
    hurry();
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
  const before = await userRow(user.id);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await db.update(users).set({ firstName: 'Edith' }).where(eq(users.id, user.id));
    return Response.json({ statusCode: 422, name: 'an_error', message: 'No' }, { status: 422 });
  });
  const input = { first_name: 'Grace', email: uniqueEmail() };

  expect((await patch(client, user.id, input)).status).toBe(503);
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

test('a session that ends while it requests a change gets none', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const DB = beforeWriting(async () => {
    await db.delete(sessions).where(eq(sessions.userId, user.id));
  });
  const input = { first_name: 'Grace', email: uniqueEmail() };
  const response = await patch(client, user.id, input, { bindings: { DB } });

  expect(response.status).toBe(401);
  expect(attempts).toEqual([]);
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  expect(await userRow(user.id)).toMatchObject({ firstName: 'Ada' });
});

test('confirming makes the change, from any browser, and ends all sessions and links from before, and the Google identity', async () => {
  const { accepted } = fakeResend();
  const atGoogle = { googleSub: 'who had the old address', avatarUrl: 'a picture' };
  const { client, user } = await createSignedInClient(atGoogle);
  const elsewhere = browserWith(await createSession(user.id));
  const loginToken = await createLink(user);
  const neighbor = await createSignedInClient();
  const email = uniqueEmail();
  const typed = email.replace('i', 'I');
  await patch(client, user.id, { email: typed });
  const before = await userRow(user.id);
  const browser = createClient();
  const token = tokenIn(accepted[1]);
  const response = await browser.post(confirmPath, { token });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ redirect_to: '/' });
  const moved = { email: typed, emailCanonical: email };
  // So that Google can no longer log in.
  expect(await userRow(user.id)).toEqual({ ...before, ...moved, googleSub: null, avatarUrl: null });
  expect(await (await browser.get(userPath)).json()).toEqual(accountOf(user, { email: typed }));
  for (const ended of [client, elsewhere]) {
    expect((await ended.get(userPath)).status).toBe(401);
  }
  expect(await accessTo(user.id)).toEqual([1, 0, 1]);
  expect((await neighbor.client.get(userPath)).status).toBe(200);
  for (const spent of [loginToken, token]) {
    await expectRefused(confirmPath, { token: spent });
  }
  const unknown = await createClient().post(loginPath, { email: user.email });
  expect(await unknown.json()).toMatchObject({ code: 'account_not_found' });
  expect(loggedEvents('address_changed')).toMatchObject([{ user_id: user.id }]);
});

test('the old address is notified, even over the email limit, with the new one masked and a link that restores the account', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const { email, token } = await createChange(user);
  const bindings = { LIMITS: { mails: ['1/d'], mails_to_unproven: ['1/d'] } };
  const other = { first_name: 'Grace', last_name: 'Hopper', email: uniqueEmail() };
  await createClient().post(signUpPath, other, { bindings });
  await createClient().post(confirmPath, { token }, { bindings });

  expect(accepted.map(({ to }) => to)).toEqual([other.email, user.email]);
  const [, notice] = accepted;
  expect(notice?.subject).toBe('Votre adresse e‑mail Lectern a été modifiée');
  const link = `https://lectern.test/undo-address-change?token=${tokenIn(notice)}`;
  for (const text of [notice?.text, notice?.html]) {
    expect(text).toContain('i•••@example.com');
    expect(text).toContain(link);
    expect(text).not.toContain(email);
    // No one has requested this link.
    expect(text).not.toContain('Demandé');
  }
});

test('a notice that cannot be sent undoes nothing, and is logged', async () => {
  hurry();
  const { attempts } = fakeResend(...Array(3).fill({ status: 500 }));
  const user = await createUser();
  const { email, token } = await createChange(user);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  expect(attempts.map(({ to }) => to)).toEqual(Array(3).fill(user.email));
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(loggedEvents('notice_not_sent')).toMatchObject([{ user_id: user.id }]);
  // Resend may have sent it anyway, and then its link should work.
  expect(await accessTo(user.id)).toEqual([1, 0, 1]);
});

test('a link to a new address is valid for 24 hours, and the address is shown as pending as long', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const token = tokenIn(accepted[1]);
  const end = Date.now() + 24 * hour;

  vi.setSystemTime(end + 1_000);
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  await expectRefused(confirmPath, { token });
  expect(await userRow(user.id)).toMatchObject({ email: user.email });

  vi.setSystemTime(end - 1_000);
  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test('an account that never verified the address loses it to one that does', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  await createCourseRow(unproven.id);
  const verification = await createLink(unproven, { purpose: 'verification' });
  const { token } = await createChange(user, unproven.email);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect((await everythingOf(unproven.id)).flat()).toEqual([]);
  await expectRefused(confirmPath, { token: verification });
});

test('an address that another account has verified in the meantime stays theirs', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  await createSession((await createUser({ email })).id);
  const before = await everything();
  const browser = createClient();
  await expectRefused(confirmPath, { token }, browser);

  expect(browser.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect(attempts).toEqual([]);
});
