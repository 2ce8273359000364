import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { hashToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { beforeWriting } from '#support/database.ts';
import {
  browserWith,
  createChange,
  createLink,
  createSession,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { everything, userRow } from '#support/rows.ts';
import { confirmPath, userPath } from '../auth/paths.ts';
import { ago, hour, linkRefused, patch } from './address-change.ts';

const sessionsPath = '/api/accounts/auth/sessions/';

test('five changes a day can be requested, and a refused one changes nothing', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient();
  const emails = Array.from({ length: 6 }, uniqueEmail);
  for (const email of emails.slice(0, 5)) {
    expect((await patch(client, user.id, { email })).status).toBe(200);
  }
  const before = await everything();
  const response = await patch(client, user.id, { first_name: 'Grace', email: emails[5] });

  expect(response.status).toBe(429);
  expect(await everything()).toEqual(before);
  expect(accepted.map(({ to }) => to)).toEqual(
    emails.slice(0, 5).flatMap((email) => [user.email, email]),
  );
  // A change of names sends no email.
  expect((await patch(client, user.id, { first_name: 'Grace' })).status).toBe(200);
});

test.each<[string, (asker: Client, sessionId: string) => Promise<unknown>]>([
  ['logs out', (asker) => asker.post('/api/accounts/auth/logout/')],
  ['ends its session', (asker) => asker.request('DELETE', `${sessionsPath}current/`)],
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

test('ending another session leaves a change alone', async () => {
  fakeResend();
  const { client, user } = await createSignedInClient();
  const { token } = await createChange(user);
  await client.get('/api/health/');
  await client.request('DELETE', `${sessionsPath}current/`);

  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
});

test('a change from before changes belonged to sessions is invalid', async () => {
  const { client, user } = await createSignedInClient();
  const newEmail = uniqueEmail();
  const token = await createLink(user, {
    purpose: 'address_change',
    newEmail,
    emailCanonical: newEmail,
  });

  expect(await (await client.get(userPath)).json()).not.toHaveProperty('pending_email');
  expect((await createClient().post(confirmPath, { token })).status).toBe(400);
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
