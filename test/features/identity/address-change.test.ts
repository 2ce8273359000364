import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import { hour } from '#support/days.ts';
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
import {
  accessTo,
  accountIn,
  accountOf,
  accountsPath,
  ago,
  confirm,
  confirmPath,
  endSession,
  everythingOf,
  expectRefused,
  newcomer,
  patch,
  requestLogin,
  send,
  signedIn,
  signUpPath,
  userPath,
} from './support.ts';

test('a new address is pending until a link emailed only to it is confirmed', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const email = uniqueEmail().replace('i', 'I');
  const before = await userRow(user.id);
  const body = accountOf(user, { pending_email: email });
  expect(await patch(client, user.id, { email: ` ${email} ` })).toEqual({ status: 200, body });

  expect(await accountIn(client)).toEqual(body);
  expect((await send(client, 'GET', accountsPath)).body).toEqual([body]);
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toHaveLength(2);
  const [mail] = mailsTo(email, accepted);
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
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
  const options = { headers: { 'User-Agent': firefox } };
  await patch(client, user.id, { email }, options);
  // Names and language change immediately, and apply to the emails.
  const names = { first_name: 'Grace', language: 'en' };
  const { body } = await patch(client, user.id, { email, ...names }, options);
  expect(body).toMatchObject({ ...names, email: user.email, pending_email: email });

  // The notice to the current address is sent first.
  expect(accepted.map(({ to }) => to)).toEqual([user.email, email, user.email, email]);
  const [french, english] = mailsTo(user.email, accepted);
  expect(french?.subject).toBe('Demande de changement de votre adresse e‑mail Lectern');
  expect(english?.subject).toBe('Request to change your Lectern email address');
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
  await requestLogin(user.email, createClient(), { bindings });
  const email = uniqueEmail();

  expect((await patch(client, user.id, { email }, { bindings })).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, user.email, email]);
});

test('a newer request replaces the older one', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  await patch(client, user.id, { email: first });
  const { body } = await patch(client, user.id, { email: second });
  const [older, newer] = [first, second].map((to) => tokenIn(mailsTo(to, accepted)[0]));

  expect(body).toMatchObject({ email: user.email, pending_email: second });
  await expectRefused(confirmPath, older);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  expect((await confirm({ token: newer })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: second, emailCanonical: second });
});

test('a pending change outlives a new name and the end of another session, until the current address is asked for in any spelling', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  const { email, token } = await createChange(user);
  const login = await createLink(user);
  const other = browserWith(await createSession(user.id));
  // Neither names nor canceling need a recent login.
  const client = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  const named = await patch(client, user.id, { first_name: 'Grace' });
  expect(named.body).toMatchObject({ first_name: 'Grace', pending_email: email });
  await endSession(other, 'current');
  expect(await accountIn(client)).toMatchObject({ pending_email: email });

  const before = await userRow(user.id);
  const { status, body } = await patch(client, user.id, { email: ` ${user.email.toUpperCase()} ` });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('pending_email');
  expect(await accountIn(client)).not.toHaveProperty('pending_email');
  expect(await userRow(user.id)).toEqual(before);
  expect(attempts).toEqual([]);
  await expectRefused(confirmPath, token);
  expect((await confirm({ token: login })).status).toBe(200);
});

test.each([
  ['current', []],
  ['new', [{ status: 200, body: { id: 'a-mail' } }]],
])(
  'an unsent email to the %s address leaves no change and nothing pending',
  async (which, sent) => {
    hurry();
    const { accepted, attempts } = fakeResend(...sent, ...Array(3).fill({ status: 500 }));
    const { client, user } = await createSignedInClient();
    const before = await everything();
    const input = { first_name: 'Grace', language: 'fr', email: uniqueEmail() };
    const refusal = { status: 503, body: { code: 'mail_unavailable' } };
    expect(await patch(client, user.id, input)).toMatchObject(refusal);

    expect(accepted).toEqual([]);
    expect(attempts.at(-1)?.to).toBe(which === 'current' ? user.email : input.email);
    expect(await everything()).toEqual(before);
    expect(await accountIn(client)).not.toHaveProperty('pending_email');
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
  await client.get('/api/health/');
  const free = uniqueEmail().padStart(taken.email.length, 'x');
  const ownerBefore = await everythingOf(taken.id);
  const before = await userRow(user.id);
  const answersFor = async (email: string) => {
    const changed = await client.request('PATCH', `${accountsPath}${user.id}/`, { email });
    const parts = await Promise.all([changed, await client.get(userPath)].map(comparable));
    return parts.map((part) => ({ ...part, text: part.text.replaceAll(email, 'THE ADDRESS') }));
  };
  const [ofFree, ofTaken] = [await answersFor(free), await answersFor(taken.email)];

  expect(ofFree.map(({ status }) => status)).toEqual([200, 200]);
  expect(ofFree[0]?.text).toContain('"pending_email":"THE ADDRESS"');
  expect(ofTaken).toEqual(ofFree);
  expect(accepted.map(({ to }) => to)).toEqual([user.email, free, user.email, taken.email]);
  // The current address gets the same notice in both cases.
  const [notice, sameNotice] = mailsTo(user.email, accepted).map((mail) => {
    const { idempotencyKey, ...told } = mail;
    return JSON.stringify(told).replaceAll(tokenIn(mail), 'TOKEN').replaceAll('x•••', 'i•••');
  });
  expect(sameNotice).toBe(notice);
  const [mail] = mailsTo(taken.email, accepted);
  expect(mail?.subject).toBe('Cette adresse a déjà un compte Lectern');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).not.toMatch(/token|https?:|Ada/);
    expect(text).not.toContain(user.email);
  }
  expect(await everythingOf(taken.id)).toEqual(ownerBefore);
  expect(await signedIn(owner)).toEqual([true]);
  expect(await userRow(user.id)).toEqual(before);
});

test('a session that ends while it requests a change gets none', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const DB = beforeWriting(async () => {
    await db.delete(sessions).where(eq(sessions.userId, user.id));
  });
  const input = { first_name: 'Grace', email: uniqueEmail() };

  expect((await patch(client, user.id, input, { bindings: { DB } })).status).toBe(401);
  expect(attempts).toEqual([]);
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  expect(await userRow(user.id)).toMatchObject({ firstName: 'Ada' });
});

test('confirming makes the change, from any browser, and ends all sessions and links from before, and the Google identity', async () => {
  const { accepted } = fakeResend();
  const atGoogle = { googleSub: 'who had the old address', avatarUrl: 'a picture' };
  const { client, user } = await createSignedInClient(atGoogle);
  const elsewhere = browserWith(await createSession(user.id));
  const login = await createLink(user);
  const neighbor = await createSignedInClient();
  const email = uniqueEmail();
  const typed = email.replace('i', 'I');
  await patch(client, user.id, { email: typed });
  const before = await userRow(user.id);
  const browser = createClient();
  const token = tokenIn(accepted[1]);
  const home = { status: 200, body: { redirect_to: '/' } };
  expect(await confirm({ token }, browser)).toEqual(home);

  const moved = { email: typed, emailCanonical: email };
  // So that Google can no longer log in.
  expect(await userRow(user.id)).toEqual({ ...before, ...moved, googleSub: null, avatarUrl: null });
  expect(await accountIn(browser)).toEqual(accountOf(user, { email: typed }));
  expect(await signedIn(client, elsewhere, neighbor.client)).toEqual([false, false, true]);
  expect(await accessTo(user.id)).toEqual([1, 0, 1]);
  await expectRefused(confirmPath, login, token);
  expect((await requestLogin(user.email)).body).toMatchObject({ code: 'account_not_found' });
  expect(loggedEvents('address_changed')).toMatchObject([{ user_id: user.id }]);
});

test('the old address is notified, even over the email limit, with the new one masked and a link that restores the account', async () => {
  const { accepted } = fakeResend();
  const user = await createUser({ language: 'fr' });
  const { email, token } = await createChange(user);
  const bindings = { LIMITS: { mails: ['1/d'], mails_to_unproven: ['1/d'] } };
  const other = newcomer();
  await createClient().post(signUpPath, other, { bindings });
  await confirm({ token }, createClient(), { bindings });

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

  expect((await confirm({ token })).status).toBe(200);
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
  expect(await accountIn(client)).not.toHaveProperty('pending_email');
  await expectRefused(confirmPath, token);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });

  vi.setSystemTime(end - 1_000);
  expect(await accountIn(client)).toMatchObject({ pending_email: email });
  expect((await confirm({ token })).status).toBe(200);
});

test('an account that never verified the address loses it to one that does', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  await createCourseRow(unproven.id);
  const verification = await createLink(unproven, { purpose: 'verification' });
  const { token } = await createChange(user, unproven.email);

  expect((await confirm({ token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect((await everythingOf(unproven.id)).flat()).toEqual([]);
  await expectRefused(confirmPath, verification);
});

test('an address that another account has verified in the meantime stays theirs', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  await createSession((await createUser({ email })).id);
  const before = await everything();
  await expectRefused(confirmPath, token);

  expect(await everything()).toEqual(before);
  expect(await signedIn(client)).toEqual([true]);
  expect(attempts).toEqual([]);
});
