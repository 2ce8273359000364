import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { type Client, createClient } from '#support/client.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { type fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { linkRefused, patch } from './address-change.ts';
import { confirmPath, loginPath } from './paths.ts';

export const undoPath = '/api/accounts/auth/undo-address-change/';

export type Mails = ReturnType<typeof fakeResend>['accepted'];

/** Requests a change and confirms it in another browser, with the emails that are sent for it. */
export async function moveAddress(
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

export async function logIn(client: Client, email: string, accepted: Mails): Promise<void> {
  expect((await client.post(loginPath, { email })).status).toBe(200);
  const token = tokenIn(mailsTo(email, accepted).at(-1));
  expect((await client.post(confirmPath, { token })).status).toBe(200);
}

/** Browsers that are ready to send a request at the same moment. */
export function createBrowsers(count: number): Promise<Client[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = createClient();
      await client.get('/api/health/');
      return client;
    }),
  );
}

/** The answers to this many browsers that click at the same moment. */
export async function statusesOf(count: number, token: string): Promise<number[]> {
  const clients = await createBrowsers(count);
  const responses = await Promise.all(clients.map((client) => client.post(undoPath, { token })));
  return responses.map(({ status }) => status).sort();
}

export async function expectRefused(path: string, token: unknown): Promise<void> {
  const response = await createClient().post(path, { token });
  expect(response.status).toBe(400);
  const { request_id, ...body } = await response.json<Record<string, unknown>>();
  expect(body).toEqual(linkRefused);
}

/** Everything that grants, or could grant, access to an account. */
export async function leftOf(userId: string) {
  return {
    sessions: await db.$count(sessions, eq(sessions.userId, userId)),
    links: await db.$count(links, eq(links.userId, userId)),
    restores: await db.$count(addressRestores, eq(addressRestores.userId, userId)),
  };
}
