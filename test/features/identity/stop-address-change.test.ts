import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '#db/schema/sign-in.ts';
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
import { confirmPath, userPath } from './paths.ts';
import {
  ago,
  atOnce,
  day,
  expectRefused,
  logIn,
  moveAddress,
  oneOf20,
  patch,
  undoPath,
} from './support.ts';

type Mails = ReturnType<typeof fakeResend>['accepted'];

test('the link in the email to the current address stops the change, and nothing else happens', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const login = await createLink(user);
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const { links: linksBefore = [], ...before } = await everything();
  const browser = createClient();
  const response = await browser.post(undoPath, { token: stopTokenFor(user.email, accepted) });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ outcome: 'stopped' });
  expect(browser.cookies.has('__Host-session')).toBe(false);
  const left = linksBefore.filter(({ new_email }) => new_email !== email);
  expect(left).toHaveLength(linksBefore.length - 1);
  expect(await everything()).toEqual({ ...before, links: left });
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  await expectRefused(confirmPath, { token: tokenIn(mailsTo(email, accepted)[0]) });
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
  const token = stopTokenFor(user.email, accepted);

  expect(await (await client.get(userPath)).json()).toMatchObject({ pending_email: email });
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  await expectRefused(undoPath, { token });

  const moved = await moveAddress(client, user, accepted);
  await logIn(moved.browser, moved.email, accepted);
  await patch(moved.browser, user.id, { email: uniqueEmail() });
  await expectRefused(undoPath, { token });
});

test('of 20 parallel clicks one stops the change', async () => {
  const { stopToken: token } = await createChange(await createUser());

  expect((await atOnce(undoPath, { token })).statuses).toEqual(oneOf20);
});

test('the answer is the same for any invalid token, and a token of one kind does not work for the other route', async () => {
  fakeResend();
  const user = await createUser();
  const used = await createRestore(user);
  await createClient().post(undoPath, { token: used });
  const expired = await createRestore(user, { expiresAt: ago(1) });
  const { token: change, stopToken } = await createChange(user);
  const restore = await createRestore(user);
  const login = await createLink(user);
  const before = await everything();
  const wrong = [used, expired, change, login, createToken(), '', 'A'.repeat(64), undefined];
  for (const token of wrong) {
    await expectRefused(undoPath, { token });
  }
  for (const token of [stopToken, restore]) {
    await expectRefused(confirmPath, { token });
  }

  expect(await everything()).toEqual(before);
});

/**
 * A thief with a stolen session, the owner in another browser, and a change that the thief has
 * requested.
 */
async function beginTheft() {
  const { accepted } = fakeResend();
  const identity = googlePerson();
  const { client: owner, user } = await createSignedInClient({ email: String(identity.email) });
  const id = crypto.randomUUID();
  const thief = browserWith(await createSession(user.id, { id }));
  const email = uniqueEmail();
  expect((await patch(thief, user.id, { email })).status).toBe(200);
  expect(await (await owner.get(userPath)).json()).toMatchObject({ pending_email: email });
  const change = tokenIn(mailsTo(email, accepted)[0]);
  return { accepted, change, email, id, identity, owner, thief, user };
}

test.each<[string, (theft: Awaited<ReturnType<typeof beginTheft>>) => Promise<unknown>]>([
  ['the owner logs out all other browsers', ({ owner }) => endSession(owner, 'others')],
  ['the owner ends its session', ({ owner, id }) => endSession(owner, id)],
  [
    'the owner logs in with a new link',
    ({ accepted, user }) => logIn(createClient(), user.email, accepted),
  ],
  [
    'the owner logs in with Google',
    ({ identity }) => fakeGoogle().signIn(createClient(), identity),
  ],
  [
    'the owner clicks on the link that stops it',
    ({ accepted, user }) =>
      createClient().post(undoPath, { token: stopTokenFor(user.email, accepted) }),
  ],
  ['its session logs out', ({ thief }) => thief.post('/api/accounts/auth/logout/')],
  ['its session ends all others', ({ thief }) => endSession(thief, 'others')],
  [
    'its session is unused for 30 days',
    ({ id }) =>
      db
        .update(sessions)
        .set({ lastSeenAt: ago(30 * day) })
        .where(eq(sessions.id, id)),
  ],
])('a requested change ends when %s', async (_what, act) => {
  const theft = await beginTheft();
  const { accepted, change, email, user } = theft;
  await act(theft);

  await expectRefused(confirmPath, { token: change });
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  const browser = browserWith(await createSession(user.id));
  expect(await (await browser.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect(mailsTo(email, accepted)).toHaveLength(1);
  await expectRefused(undoPath, { token: stopTokenFor(user.email, accepted) });
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
