import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { addressRestores } from '#db/schema/address-restores.ts';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
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
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';

const undoPath = '/api/accounts/auth/undo-address-change/';
const confirmPath = '/api/accounts/auth/confirm/';
const userPath = '/api/accounts/auth/user/';
const loginPath = '/api/accounts/auth/login/';
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const linkRefused = { code: 'link_invalid', message: 'Authentication failed. Please try again' };

afterEach(() => {
  vi.useRealTimers();
});

test('the link in the mail to the present address stops the change, and nothing else happens', async () => {
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
  const [, , linksBefore] = before;
  const left = linksBefore.filter(({ purpose }) => purpose !== 'address_change');
  expect(left).toHaveLength(linksBefore.length - 1);
  expect(await everything()).toEqual(before.with(2, left));
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

test('the link in the mail to the former address takes the account back and ends all that was open', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({
    email: uniqueEmail().replace('i', 'I'),
    language: 'fr',
  });
  const { client: neighbour, user: other } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  await db.update(users).set({ selectedCourseId: course.id }).where(eq(users.id, user.id));
  const before = await userRow(user.id);
  const { email, browser: thief } = await moveAddress(client, user, accepted);
  await db
    .update(users)
    .set({ googleSub: 'the thief at Google', avatarUrl: 'a picture' })
    .where(eq(users.id, user.id));
  await createSession(user.id);
  const login = await createLink({ id: user.id, emailCanonical: email });
  const { token: change, stopToken } = await createChange(user);
  const token = tokenIn(mailsTo(user.email, accepted).at(-1));
  const owner = createClient();
  const response = await owner.post(undoPath, { token });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ outcome: 'restored' });
  // With its courses, and without a way in at Google.
  expect(await userRow(user.id)).toEqual(before);
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
  expect(await leftOf(user.id)).toEqual({ sessions: 0, links: 0, restores: 0 });
  expect(owner.cookies.has('__Host-session')).toBe(false);
  expect((await thief.get(userPath)).status).toBe(401);
  await expectRefused(confirmPath, login);
  await expectRefused(confirmPath, change);
  await expectRefused(undoPath, stopToken);
  await expectRefused(undoPath, token);
  expect(loggedEvents('address_restored')).toMatchObject([{ user_id: user.id }]);
  expect(await db.$count(sessions, eq(sessions.userId, other.id))).toBe(1);
  expect((await neighbour.get(userPath)).status).toBe(200);

  // The address that is left is told, without a link.
  const mail = mailsTo(email, accepted).at(-1);
  expect(mail?.subject).toBe('Votre adresse e‑mail Lectern a été modifiée');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain('I•••@example.com');
    expect(text).not.toContain(user.email);
    expect(text).not.toMatch(/token|https?:/);
  }

  // The owner comes in as always.
  await owner.post(loginPath, { email: user.email });
  await owner.post(confirmPath, { token: tokenIn(accepted.at(-1)) });
  expect(await (await owner.get(userPath)).json()).toMatchObject({
    id: user.id,
    email: user.email,
  });
});

test('a link to a former address lives for 7 days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { email } = await moveAddress(client, user, accepted);
  const token = tokenIn(mailsTo(user.email, accepted).at(-1));
  const start = Date.now();

  vi.setSystemTime(start + 7 * day);
  await expectRefused(undoPath, token);
  expect(await userRow(user.id)).toMatchObject({ email });
  vi.setSystemTime(start + 7 * day - 1_000);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
});

test('a second change makes no former address’s link dead, and what is taken back stays taken back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const early = await createRestore(user, {
    createdAt: new Date(Date.now() - day),
    expiresAt: new Date(Date.now() + 6 * day),
  });
  const first = await moveAddress(client, user, accepted);
  vi.setSystemTime(Date.now() + hour);
  const mover = { id: user.id, email: first.email };
  await logIn(first.browser, first.email, accepted);
  const second = await moveAddress(first.browser, mover, accepted);
  const toOwner = tokenIn(mailsTo(user.email, accepted).at(-1));
  const toThief = tokenIn(mailsTo(first.email, accepted).at(-1));

  expect(await userRow(user.id)).toMatchObject({ email: second.email });
  expect((await createClient().post(undoPath, { token: toOwner })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
  await expectRefused(undoPath, toThief);
  expect((await second.browser.get(userPath)).status).toBe(401);
  // That of a change before this one is not undone with it.
  expect((await createClient().post(undoPath, { token: early })).status).toBe(200);
});

test('an account that was led away, back and away again is taken from everyone it was led to', async () => {
  fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const ofOwner = { email, emailCanonical: email };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await createRestore(user, { ...ofOwner, createdAt: ago(3) });
  const ofThief = await createRestore(user, { createdAt: ago(2) });
  const newest = await createRestore(user, { ...ofOwner, createdAt: ago(1) });
  await db.insert(knownSignIns).values({
    userId: user.id,
    origin: 'where the thief has signed in',
    expiresAt: new Date(Date.now() + day),
  });

  expect((await createClient().post(undoPath, { token: newest })).status).toBe(200);
  expect(await leftOf(user.id)).toMatchObject({ restores: 0 });
  await expectRefused(undoPath, ofThief);
  const known = await db.select().from(knownSignIns).where(eq(knownSignIns.userId, user.id));
  // The network that has just shown whose mailbox it is.
  expect(known.map(({ origin }) => origin)).toEqual([
    expect.stringMatching(/^network:[0-9a-f]{64}$/),
  ]);
});

test('who takes an account back is let in, however many emails strangers ask for', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });
  const owner = createClient();
  expect((await owner.post(undoPath, { token })).status).toBe(200);
  const strangers = [];
  for (let count = 0; count < 4; count += 1) {
    strangers.push((await createClient().post(loginPath, { email })).status);
  }

  expect(strangers).toEqual([200, 200, 200, 429]);
  await logIn(owner, email, accepted);
});

test('a link to a former address works once, also when the account moves on', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });
  await createClient().post(undoPath, { token });
  const owner = createClient();
  await logIn(owner, email, accepted);
  const moved = await moveAddress(owner, { id: user.id, email }, accepted);

  await expectRefused(undoPath, token);
  expect(await userRow(user.id)).toMatchObject({ email: moved.email });
});

test('of 20 parallel clicks one takes the account back, and one mail tells of it', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });

  expect(await statusesOf(20, token)).toEqual([200, ...Array(19).fill(400)]);
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});

test('a failure half way leaves everything as it was, and the link works', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const token = await createRestore(user);
  const before = await everything();
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE DELETE ON address_restores BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const failed = await createClient().post(undoPath, { token });
  await env.DB.exec('DROP TRIGGER broken');

  expect(failed.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  expect(await everything()).toEqual(before);
  expect((await client.get(userPath)).status).toBe(200);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
});

test('where the former address has an account of its own by now, nothing changes and the link is kept', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { client: owner, user: again } = await createSignedInClient();
  const token = await createRestore(user, { email: again.email });
  const before = await everything();
  const message =
    'This email address now belongs to another Lectern account. Log in to that account and delete it, then open this link again.';
  const response = await createClient().post(undoPath, { token });

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: 'address_taken',
    message,
    errors: [message],
  });
  expect(await everything()).toEqual(before);
  expect(attempts).toEqual([]);
  expect((await client.get(userPath)).status).toBe(200);

  await owner.get('/api/health/');
  await owner.request('DELETE', `/api/accounts/${again.id}/`);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: again.email });
});

test('an owner of the former address who comes in between keeps it, and the link too is kept', async () => {
  fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });
  const before = await userRow(user.id);
  const DB = beforeWriting(async () => {
    await createUser({ email });
  });
  const response = await createClient().post(undoPath, { token }, { bindings: { DB } });

  expect(response.status).toBe(400);
  expect(await userRow(user.id)).toEqual(before);
  const again = await createClient().post(undoPath, { token });
  expect(await again.json()).toMatchObject({ code: 'address_taken' });
});

test('an account that took the former address and never proved it gives way', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  const token = await createRestore(user, { email: unproven.email });

  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect(await userRow(unproven.id)).toBeUndefined();
});

test('an account that is at its former address again has nothing to take back', async () => {
  const { client, user } = await createSignedInClient();
  const token = await createRestore(user, { email: user.email });

  await expectRefused(undoPath, token);
  expect((await client.get(userPath)).status).toBe(200);
});

test('the address that is left, where no mail reaches it, keeps nobody from taking the account back', async () => {
  const { attempts } = fakeResend();
  const user = await createUser();
  await db
    .insert(suppressedAddresses)
    .values({ emailCanonical: user.email, reason: 'bounced', since: new Date() });
  const token = await createRestore(user);

  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(attempts).toEqual([]);
  expect(loggedEvents('notice_not_sent')).toMatchObject([
    { user_id: user.id, reason: 'address_bounced' },
  ]);
});

test('whatever is wrong with a token, the answer is the same, and one kind is nothing for the other route', async () => {
  fakeResend();
  const user = await createUser();
  const used = await createRestore(user);
  await createClient().post(undoPath, { token: used });
  const expired = await createRestore(user, { expiresAt: new Date(Date.now() - 1) });
  const { token: change, stopToken } = await createChange(user);
  const restore = await createRestore(user);
  const login = await createLink(user);
  const before = await everything();
  const wrong = [
    used,
    expired,
    change,
    login,
    createToken(),
    '',
    '%',
    'A'.repeat(64),
    null,
    [used],
  ];
  for (const token of [...wrong, undefined]) {
    await expectRefused(undoPath, token);
  }
  for (const token of [stopToken, restore]) {
    await expectRefused(confirmPath, token);
  }

  expect(await everything()).toEqual(before);
});

test('a change of somebody who is not verified is neither stopped nor taken back', async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const { stopToken } = await createChange(user);

  await expectRefused(undoPath, stopToken);
  await expectRefused(undoPath, await createRestore(user));
});

test('clicks are counted with those on other links of one place', async () => {
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
 * Somebody who has got hold of a session, its owner elsewhere, and a change that the former has
 * asked for.
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
  ['logs in by a new link', ({ accepted, user }) => logIn(createClient(), user.email, accepted)],
  ['logs in with Google', ({ identity }) => fakeGoogle().signIn(createClient(), identity)],
  [
    'logs in with Google, not for the first time',
    async ({ identity, user }) => {
      const googleSub = String(identity.sub);
      await db.update(users).set({ googleSub }).where(eq(users.id, user.id));
      await fakeGoogle().signIn(createClient(), identity);
    },
  ],
  [
    'clicks on the link that stops it',
    ({ accepted, user }) =>
      createClient().post(undoPath, { token: stopTokenFor(user.email, accepted) }),
  ],
  [
    'gives the present address again',
    ({ owner, user }) => patch(owner, user.id, { email: user.email }),
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

test('an owner who comes too late takes the account back, and the thief has nothing left', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { accepted, change, email, thief, user } = await beginTheft();
  await createCourseRow(user.id);
  expect((await thief.post(confirmPath, { token: change })).status).toBe(200);
  vi.setSystemTime(Date.now() + hour);
  await logIn(thief, email, accepted);
  const identity = googlePerson();
  const further = String(identity.email);
  const { browser: moved } = await moveAddress(thief, { id: user.id, email }, accepted, further);
  const atGoogle = createClient();
  await fakeGoogle().signIn(atGoogle, identity);
  expect(await (await atGoogle.get(userPath)).json()).toMatchObject({ id: user.id });
  await createClient().post(loginPath, { email: further });
  const login = tokenIn(accepted.at(-1));
  const last = uniqueEmail();
  await patch(atGoogle, user.id, { email: last });
  const waiting = tokenIn(mailsTo(last, accepted)[0]);
  const back = tokenIn(mailsTo(user.email, accepted).at(-1));
  const backToThief = tokenIn(mailsTo(email, accepted).at(-1));

  expect((await createClient().post(undoPath, { token: back })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: user.email, googleSub: null });
  for (const browser of [thief, moved, atGoogle]) {
    expect((await browser.get(userPath)).status).toBe(401);
  }
  for (const token of [waiting, login]) {
    await expectRefused(confirmPath, token);
  }
  await expectRefused(undoPath, backToThief);
  expect(await leftOf(user.id)).toEqual({ sessions: 0, links: 0, restores: 0 });
  // What was a way in by Google is one to an account of its own.
  const stranger = createClient();
  await fakeGoogle().signIn(stranger, identity);
  expect((await stranger.get(userPath)).status).toBe(200);
  expect(await leftOf(user.id)).toEqual({ sessions: 0, links: 0, restores: 0 });
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
});

type Mails = ReturnType<typeof fakeResend>['accepted'];

/** Asks for a change and confirms it in another browser, with the mails that go out for it. */
async function moveAddress(
  client: Client,
  user: { id: string; email: string },
  accepted: Mails,
  email = uniqueEmail(),
) {
  expect((await patch(client, user.id, { email })).status).toBe(200);
  const browser = createClient();
  const token = tokenIn(mailsTo(email, accepted)[0]);
  expect((await browser.post(confirmPath, { token })).status).toBe(200);
  return { browser, email };
}

async function logIn(client: Client, email: string, accepted: Mails): Promise<void> {
  expect((await client.post(loginPath, { email })).status).toBe(200);
  const token = tokenIn(mailsTo(email, accepted).at(-1));
  expect((await client.post(confirmPath, { token })).status).toBe(200);
}

/** The token in the mail that has told an address of the wish to change it. */
function stopTokenFor(address: string, accepted: Mails): string {
  const told = ({ subject }: Mails[number]) => subject.startsWith('Request to change');
  return tokenIn(mailsTo(address, accepted).find(told));
}

async function endSession(client: Client, which: string): Promise<void> {
  const response = await client.request('DELETE', `/api/accounts/auth/sessions/${which}/`);
  expect(response.status).toBe(204);
}

/** How so many browsers that click at the same moment are answered. */
async function statusesOf(count: number, token: string): Promise<number[]> {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = createClient();
      await client.get('/api/health/');
      return client;
    }),
  );
  const responses = await Promise.all(clients.map((client) => client.post(undoPath, { token })));
  return responses.map(({ status }) => status).sort();
}

async function expectRefused(path: string, token: unknown): Promise<void> {
  const response = await createClient().post(path, { token });
  expect(response.status).toBe(400);
  const { request_id, ...body } = await response.json<Record<string, unknown>>();
  expect(body).toEqual(linkRefused);
}

/** What opens, or could open, an account. */
async function leftOf(userId: string) {
  return {
    sessions: await db.$count(sessions, eq(sessions.userId, userId)),
    links: await db.$count(links, eq(links.userId, userId)),
    restores: await db.$count(addressRestores, eq(addressRestores.userId, userId)),
  };
}

/** As from a page that has been loaded before, with its CSRF token. */
async function patch(client: Client, id: string, input: Record<string, unknown>) {
  await client.get('/api/health/');
  return client.request('PATCH', `/api/accounts/${id}/`, input);
}
