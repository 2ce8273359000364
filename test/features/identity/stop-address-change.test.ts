import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import {
  browserWith,
  createChange,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { patch } from './address-change.ts';
import {
  expectRefused,
  logIn,
  type Mails,
  moveAddress,
  statusesOf,
  undoPath,
} from './address-thefts.ts';
import { confirmPath, userPath } from './paths.ts';

test('the link in the email to the current address stops the change, and nothing else happens', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const login = await createLink(user);
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const before = await everything();
  const browser = createClient();
  const response = await browser.post(undoPath, { token: stopTokenFor(user.email, accepted) });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ outcome: 'stopped' });
  expect(browser.cookies.has('__Host-session')).toBe(false);
  const linksBefore = before['links'] ?? [];
  const left = linksBefore.filter(
    (link) => link['purpose'] !== 'address_change' || link['user_id'] !== user.id,
  );
  expect(left).toHaveLength(linksBefore.length - 1);
  expect(await everything()).toEqual({ ...before, links: left });
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  await expectRefused(confirmPath, tokenIn(mailsTo(email, accepted)[0]));
  expect((await createClient().post(confirmPath, { token: login })).status).toBe(200);
  expect(attempts).toHaveLength(2);
  expect(loggedEvents('address_change_stopped')).toMatchObject([{ user_id: user.id }]);
});

test('an older link stops a newer change too, as long as the address is the same', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  await patch(client, user.id, { email: uniqueEmail() });
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const [older] = mailsTo(user.email, accepted).map(tokenIn);

  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  expect((await createClient().post(undoPath, { token: older })).status).toBe(200);
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  await expectRefused(undoPath, older);

  const moved = await moveAddress(client, user, accepted);
  await logIn(moved.browser, moved.email, accepted);
  await patch(moved.browser, user.id, { email: uniqueEmail() });
  await expectRefused(undoPath, older);
});

test('of 20 parallel clicks one stops the change', async () => {
  const user = await createUser();
  const { stopToken } = await createChange(user);

  expect(await statusesOf(20, stopToken)).toEqual([200, ...Array(19).fill(400)]);
});

test('the answer is the same for any invalid token, and a token of one kind does not work for the other route', async () => {
  fakeResend();
  const user = await createUser();
  const used = await createRestore(user);
  await createClient().post(undoPath, { token: used });
  const expired = await createRestore(user, { expiresAt: new Date(Date.now() - 1) });
  const { token: change, stopToken } = await createChange(user);
  const restore = await createRestore(user);
  const login = await createLink(user);
  const before = await everything();
  for (const token of [
    used,
    expired,
    change,
    login,
    createToken(),
    '',
    'A'.repeat(64),
    undefined,
  ]) {
    await expectRefused(undoPath, token);
  }
  for (const token of [stopToken, restore]) {
    await expectRefused(confirmPath, token);
  }

  expect(await everything()).toEqual(before);
});

test('clicks are counted with those on other links from one client network', async () => {
  const bindings = { LIMITS: { confirmations_per_ip: ['1/h'] } };
  const user = await createUser();
  const { stopToken: token } = await createChange(user);
  const client = createClient();
  await client.post(confirmPath, { token: createToken() }, { bindings });
  const response = await client.post(undoPath, { token }, { bindings });

  expect(response.status).toBe(429);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
});

/**
 * A thief with a stolen session, the owner in another browser, and a change that the thief has
 * requested.
 */
async function beginTheft() {
  const { accepted } = fakeResend();
  const identity = googlePerson();
  const { client: owner, user } = await createSignedInClient({ email: String(identity.email) });
  const sessionToken = await createSession(user.id);
  const thief = browserWith(sessionToken);
  const thiefAtGoogle = googlePerson();
  const email = String(thiefAtGoogle.email);
  expect((await patch(thief, user.id, { email })).status).toBe(200);
  expect(await (await owner.get(userPath)).json()).toMatchObject({ pending_email: email });
  const change = tokenIn(mailsTo(email, accepted)[0]);
  return { accepted, change, email, identity, owner, thief, user };
}

test.each<[string, (theft: Awaited<ReturnType<typeof beginTheft>>) => Promise<unknown>]>([
  ['logs out all other browsers', ({ owner }) => endSession(owner, 'others')],
  [
    'ends the thief’s session',
    async ({ owner }) => {
      const response = await owner.get('/api/accounts/auth/sessions/');
      const list = await response.json<{ id: string; is_current: boolean }[]>();
      return endSession(owner, list.find(({ is_current: isCurrent }) => !isCurrent)?.id ?? '');
    },
  ],
  ['logs in with a new link', ({ accepted, user }) => logIn(createClient(), user.email, accepted)],
  ['logs in with Google', ({ identity }) => fakeGoogle().signIn(createClient(), identity)],
  [
    'clicks on the link that stops it',
    ({ accepted, user }) =>
      createClient().post(undoPath, { token: stopTokenFor(user.email, accepted) }),
  ],
])('a thief’s change ends when the owner %s', async (_what, act) => {
  const theft = await beginTheft();
  const { accepted, change, email, user } = theft;
  await act(theft);

  await expectRefused(confirmPath, change);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);
  expect(mailsTo(email, accepted)).toHaveLength(1);
  await expectRefused(undoPath, stopTokenFor(user.email, accepted));
});

/** The token in the email that notified an address of the requested change. */
function stopTokenFor(address: string, accepted: Mails): string {
  const told = ({ subject }: Mails[number]) => subject.startsWith('Request to change');
  return tokenIn(mailsTo(address, accepted).find(told));
}

async function endSession(client: Client, which: string): Promise<void> {
  const response = await client.request('DELETE', `/api/accounts/auth/sessions/${which}/`);
  expect(response.status).toBe(204);
}
