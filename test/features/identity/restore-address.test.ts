import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns, sessions } from '#db/schema/sign-in.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import {
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
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { hour } from './address-change.ts';
import {
  expectRefused,
  leftOf,
  logIn,
  moveAddress,
  statusesOf,
  undoPath,
} from './address-thefts.ts';
import { confirmPath, loginPath, userPath } from './paths.ts';

const day = 24 * hour;

afterEach(() => {
  vi.useRealTimers();
});

test('the link in the email to the former address restores the account and ends all sessions and links', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({
    email: uniqueEmail().replace('i', 'I'),
    language: 'fr',
  });
  const { client: neighbor, user: other } = await createSignedInClient();
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
  // With its courses, and without a Google identity.
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
  expect((await neighbor.get(userPath)).status).toBe(200);

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
  const start = Date.now();

  vi.setSystemTime(start + 7 * day);
  await expectRefused(undoPath, token);
  expect(await userRow(user.id)).toMatchObject({ email });
  vi.setSystemTime(start + 7 * day - 1_000);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: user.email });
});

test('an account moved away, back and away again is restored from every address it was moved to', async () => {
  fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const ofOwner = { email, emailCanonical: email };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const earlier = await createRestore(user, { createdAt: ago(4) });
  await createRestore(user, { ...ofOwner, createdAt: ago(3) });
  const ofThief = await createRestore(user, { createdAt: ago(2) });
  const newest = await createRestore(user, { ...ofOwner, createdAt: ago(1) });
  await db.insert(knownSignIns).values({
    userId: user.id,
    origin: 'where the thief has signed in',
    expiresAt: new Date(Date.now() + day),
  });

  expect((await createClient().post(undoPath, { token: newest })).status).toBe(200);
  await expectRefused(undoPath, ofThief);
  const known = await db.select().from(knownSignIns).where(eq(knownSignIns.userId, user.id));
  // The network that has just shown access to the mailbox.
  expect(known.map(({ origin }) => origin)).toEqual([
    expect.stringMatching(/^network:[0-9a-f]{64}$/),
  ]);
  // The link of an earlier change stays valid.
  expect(await leftOf(user.id)).toMatchObject({ restores: 1 });
  expect((await createClient().post(undoPath, { token: earlier })).status).toBe(200);
});

test('a person who restores an account is logged in, however many emails strangers request', async () => {
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

test('of 20 parallel clicks one restores the account, and one email is sent about it', async () => {
  const { accepted } = fakeResend();
  const user = await createUser();
  const email = uniqueEmail();
  const token = await createRestore(user, { email });

  expect(await statusesOf(20, token)).toEqual([200, ...Array(19).fill(400)]);
  expect(await userRow(user.id)).toMatchObject({ email, emailCanonical: email });
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
});

test('a failure halfway changes nothing, and the link still works', async () => {
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

test('if the former address has an account of its own, nothing changes and the link stays valid', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const { client: owner, user: again } = await createSignedInClient();
  const token = await createRestore(user, { email: again.email });
  const before = await everything();
  const response = await createClient().post(undoPath, { token });

  expect(response.status).toBe(422);
  const message = expect.stringContaining('now belongs to another Lectern account');
  expect(await response.json()).toMatchObject({ code: 'address_taken', errors: [message] });
  expect(await everything()).toEqual(before);
  expect(attempts).toEqual([]);
  expect((await client.get(userPath)).status).toBe(200);

  await owner.get('/api/health/');
  await owner.request('DELETE', `/api/accounts/${again.id}/`);
  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: again.email });
});

test('an account that takes the former address in between keeps it, and the link stays valid', async () => {
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

test('an account that took the former address without verifying it loses it', async () => {
  fakeResend();
  const user = await createUser();
  const unproven = await createUser({ emailVerifiedAt: null });
  const token = await createRestore(user, { email: unproven.email });

  expect((await createClient().post(undoPath, { token })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ email: unproven.email });
  expect(await userRow(unproven.id)).toBeUndefined();
});

test('an account is restored even if its current address receives no email', async () => {
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
