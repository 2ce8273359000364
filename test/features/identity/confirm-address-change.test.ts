import { expect, test, vi } from 'vitest';
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
  uniqueEmail,
} from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { confirmPath, loginPath, signUpPath, userPath } from './paths.ts';
import { accessTo, accountOf, everythingOf, expectRefused, hour, patch } from './support.ts';

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
