import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import { day, minute } from '#support/days.ts';
import {
  browserWith,
  createChange,
  createCourseRow,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { fakeResend, mailsTo, type SentMail, tokenIn } from '#support/resend.ts';
import { everything, updateRow, userRow } from '#support/rows.ts';
import {
  accessTo,
  accountIn,
  accountsPath,
  ago,
  atOnce,
  confirm,
  confirmPath,
  endSession,
  expectRefused,
  logoutPath,
  oneOf20,
  patch,
  requestLogin,
  send,
  signedIn,
  statusesOf,
  undo,
  undoPath,
} from './support.ts';

/** Requests a change and confirms it in another browser, with the emails that are sent for it. */
async function moveAddress(client: Client, user: { id: string }, accepted: SentMail[]) {
  const email = uniqueEmail();
  expect((await patch(client, user.id, { email })).status).toBe(200);
  const browser = createClient();
  const token = tokenIn(mailsTo(email, accepted)[0]);
  expect((await confirm({ token }, browser)).status).toBe(200);
  return { browser, email };
}

async function logIn(client: Client, email: string, accepted: SentMail[]): Promise<void> {
  expect((await requestLogin(email, client)).status).toBe(200);
  const token = tokenIn(mailsTo(email, accepted).at(-1));
  expect((await confirm({ token }, client)).status).toBe(200);
}

/** The token in the email that notified an address of the requested change. */
function stopTokenFor(address: string, accepted: SentMail[]): string {
  const told = ({ subject }: SentMail) => subject.startsWith('Request to change');
  return tokenIn(mailsTo(address, accepted).find(told));
}

test('the link in the email to the current address stops the change, once, and nothing else happens', async () => {
  const { accepted, attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const login = await createLink(user);
  const email = uniqueEmail();
  await patch(client, user.id, { email });
  const { links: linksBefore = [], ...before } = await everything();
  const token = stopTokenFor(user.email, accepted);
  const browser = createClient();
  expect(await undo(token, browser)).toEqual({ status: 200, body: { outcome: 'stopped' } });

  expect(browser.cookies.has('__Host-session')).toBe(false);
  const left = linksBefore.filter(({ new_email }) => new_email !== email);
  expect(left).toHaveLength(linksBefore.length - 1);
  expect(await everything()).toEqual({ ...before, links: left });
  expect(await accountIn(client)).not.toHaveProperty('pending_email');
  await expectRefused(undoPath, token);
  await expectRefused(confirmPath, tokenIn(mailsTo(email, accepted)[0]));
  expect((await confirm({ token: login })).status).toBe(200);
  expect(attempts).toHaveLength(2);
  expect(loggedEvents('address_change_stopped')).toMatchObject([{ user_id: user.id }]);
  const { stopToken } = await createChange(user);
  expect((await atOnce(undoPath, { token: stopToken })).statuses).toEqual(oneOf20);
});

test('a link that stops changes does so no longer once the address is another', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const moved = await moveAddress(client, user, accepted);
  await logIn(moved.browser, moved.email, accepted);
  await patch(moved.browser, user.id, { email: uniqueEmail() });

  await expectRefused(undoPath, stopTokenFor(user.email, accepted));
});

test('the answer is the same for any invalid token, and a token of one kind does not work for the other route', async () => {
  fakeResend();
  const user = await createUser();
  const used = await createRestore(user);
  await undo(used);
  const expired = await createRestore(user, { expiresAt: ago(1) });
  const { token: change, stopToken } = await createChange(user);
  const restore = await createRestore(user);
  const login = await createLink(user);
  const before = await everything();
  const others = [createToken(), '', 'A'.repeat(64), undefined];
  await expectRefused(undoPath, used, expired, change, login, ...others);
  await expectRefused(confirmPath, stopToken, restore);

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
  expect(await accountIn(owner)).toMatchObject({ pending_email: email });
  const change = tokenIn(mailsTo(email, accepted)[0]);
  const stop = stopTokenFor(user.email, accepted);
  return { accepted, change, email, id, identity, owner, stop, thief, user };
}

test.each<[string, (theft: Awaited<ReturnType<typeof beginTheft>>) => Promise<unknown>]>([
  ['the owner logs out all other browsers', ({ owner }) => endSession(owner, 'others')],
  ['the owner ends its session', ({ owner, id }) => endSession(owner, id)],
  ['the owner logs in again', ({ accepted, user }) => logIn(createClient(), user.email, accepted)],
  [
    'the owner logs in with Google',
    ({ identity }) => fakeGoogle().signIn(createClient(), identity),
  ],
  ['the owner clicks on the link that stops it', ({ stop }) => undo(stop)],
  ['its session logs out', ({ thief }) => thief.post(logoutPath)],
  ['its session ends all others', ({ thief }) => endSession(thief, 'others')],
  [
    'its session is unused for 30 days',
    ({ id }) => updateRow(sessions, { id }, { lastSeenAt: ago(30 * day) }),
  ],
])('a requested change ends when %s', async (_what, act) => {
  const theft = await beginTheft();
  const { accepted, change, email, stop, user } = theft;
  await act(theft);

  await expectRefused(confirmPath, change);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  const browser = browserWith(await createSession(user.id));
  expect(await accountIn(browser)).not.toHaveProperty('pending_email');
  expect(mailsTo(email, accepted)).toHaveLength(1);
  await expectRefused(undoPath, stop);
});

test('the link in the email to the former address restores the account and ends all sessions and links', async () => {
  const { accepted } = fakeResend();
  const typed = { email: uniqueEmail().replace('i', 'I'), language: 'fr' as const };
  const { client, user } = await createSignedInClient(typed);
  const { client: neighbor } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  await updateRow(users, user, { selectedCourseId: course.id });
  const before = await userRow(user.id);
  const { email, browser: thief } = await moveAddress(client, user, accepted);
  await updateRow(users, user, { googleSub: 'the thief at Google', avatarUrl: 'a picture' });
  const login = await createLink({ id: user.id, emailCanonical: email });
  const { token: another, stopToken } = await createChange(user);
  const token = tokenIn(mailsTo(user.email, accepted).at(-1));
  const owner = createClient();
  expect(await undo(token, owner)).toEqual({ status: 200, body: { outcome: 'restored' } });

  // With its courses, and without a Google identity.
  expect(await userRow(user.id)).toEqual(before);
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  expect(owner.cookies.has('__Host-session')).toBe(false);
  expect(await signedIn(thief, neighbor)).toEqual([false, true]);
  await expectRefused(confirmPath, login, another);
  await expectRefused(undoPath, stopToken, token);
  expect(loggedEvents('address_restored')).toMatchObject([{ user_id: user.id }]);

  // The abandoned address is notified, without a link.
  const mail = mailsTo(email, accepted).at(-1);
  expect(mail?.subject).toBe('Votre adresse e‑mail Lectern a été modifiée');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain('I•••@example.com');
    expect(text).not.toContain(user.email);
    expect(text).not.toMatch(/token|https?:/);
  }
});

test('a link to a former address is valid for 7 days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email } = await moveAddress(client, user, accepted);
  const token = tokenIn(mailsTo(user.email, accepted).at(-1));
  const end = Date.now() + 7 * day;

  vi.setSystemTime(end);
  await expectRefused(undoPath, token);
  expect(await userRow(user.id)).toMatchObject({ email });
  vi.setSystemTime(end - 1_000);
  expect((await undo(token)).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
});

test('an account moved away, back and away again is restored from every address it was moved to', async () => {
  fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const earlier = await createRestore(user, { createdAt: ago(4 * minute) });
  await createRestore(user, { email, createdAt: ago(3 * minute) });
  const ofThief = await createRestore(user, { createdAt: ago(2 * minute) });
  const newest = await createRestore(user, { email, createdAt: ago(minute) });
  const origin = 'where the thief has signed in';
  await db.insert(knownSignIns).values({ userId: user.id, origin, expiresAt: ago(-day) });

  expect((await undo(newest)).status).toBe(200);
  await expectRefused(undoPath, ofThief);
  const known = await db.select().from(knownSignIns).where(eq(knownSignIns.userId, user.id));
  // The network that has just shown access to the mailbox.
  expect(known).toMatchObject([{ origin: expect.stringMatching(/^network:[0-9a-f]{64}$/) }]);
  // The link of an earlier change stays valid.
  expect((await undo(earlier)).status).toBe(200);
});

test('a person who restores an account is logged in, however many emails strangers request', async () => {
  const { accepted } = fakeResend();
  const email = uniqueEmail();
  const token = await createRestore(await createUser(), { email });
  const owner = createClient();
  expect((await undo(token, owner)).status).toBe(200);

  const strangers = await statusesOf(Array(4).fill(email), (to) => requestLogin(to));
  expect(strangers).toEqual([200, 200, 200, 429]);
  await logIn(owner, email, accepted);
});

test('of 20 parallel clicks one restores the account, and one email is sent about it', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });

  expect((await atOnce(undoPath, { token })).statuses).toEqual(oneOf20);
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});

test('if the former address has an account of its own, nothing changes and the link stays valid', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { client: owner, user: again } = await createSignedInClient();
  const token = await createRestore(user, { email: again.email });
  const before = await everything();
  const message = expect.stringContaining('now belongs to another Lectern account');
  const taken = { status: 422, body: { code: 'address_taken', errors: [message] } };
  expect(await undo(token)).toMatchObject(taken);

  expect(await everything()).toEqual(before);
  expect(attempts).toEqual([]);
  expect(await signedIn(client)).toEqual([true]);
  await send(owner, 'DELETE', `${accountsPath}${again.id}/`);
  expect((await undo(token)).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: again.email });
});

test('an account that takes the former address in between keeps it, and the link stays valid', async () => {
  fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });
  const DB = beforeWriting(async () => void (await createUser({ email })));

  expect((await undo(token, createClient(), { bindings: { DB } })).status).toBe(400);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  expect((await undo(token)).body).toMatchObject({ code: 'address_taken' });
});

test('an account that took the former address without verifying it loses it', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  const token = await createRestore(user, { email: unproven.email });

  expect((await undo(token)).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect(await userRow(unproven.id)).toBeUndefined();
});
