import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
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
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { accountOf, everythingOf, hour, linkRefused, patch } from './address-change.ts';
import { createBrowsers } from './address-thefts.ts';
import { confirmPath, loginPath, signUpPath, userPath } from './paths.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('confirming makes the change, from any browser, and ends all sessions and links from before, and the Google identity', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({
    googleSub: 'who had the old address',
    avatarUrl: 'a picture',
  });
  const elsewhere = browserWith(await createSession(user.id));
  const loginToken = await createLink(user);
  const neighbor = await createSignedInClient();
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
    // So that it can no longer log in.
    googleSub: null,
    avatarUrl: null,
  });
  expect(await (await browser.get(userPath)).json()).toEqual(
    accountOf(user, { email: email.replace('i', 'I') }),
  );
  for (const ended of [client, elsewhere]) {
    expect((await ended.get(userPath)).status).toBe(401);
  }
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect((await neighbor.client.get(userPath)).status).toBe(200);
  for (const spent of [loginToken, token]) {
    const refused = await createClient().post(confirmPath, { token: spent });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject(linkRefused);
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
  // Resend may have sent it anyway, and then its link should work.
  expect(await db.$count(addressRestores, eq(addressRestores.userId, user.id))).toBe(1);
});

test('a link to a new address is valid for 24 hours, and the address is shown as pending as long', async () => {
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

test('an account that never verified the address loses it to one that does', async () => {
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

test('an address that another account has verified in the meantime stays theirs, and an unverified account changes none', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email, token } = await createChange(user);
  const faster = await createUser({ email });
  await createSession(faster.id);
  const unverified = await createChange(await createUser({ emailVerifiedAt: null }));
  const before = await everything();
  for (const refused of [token, unverified.token]) {
    const browser = createClient();
    const response = await browser.post(confirmPath, { token: refused });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(linkRefused);
    expect(browser.cookies.has('__Host-session')).toBe(false);
  }
  expect(await everything()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect(attempts).toEqual([]);
});

test('of 20 parallel confirmations exactly one makes the change', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const { email, token } = await createChange(user);
  const browsers = await createBrowsers(20);
  const responses = await Promise.all(browsers.map((one) => one.post(confirmPath, { token })));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(400)]);
  expect(browsers.filter(({ cookies }) => cookies.has('__Host-session'))).toHaveLength(1);
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});
