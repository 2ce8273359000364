import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { type Client, createClient } from '#support/client.ts';
import { type createUser, db, uniqueEmail } from '#support/factories.ts';
import { type fakeResend, mailsTo, tokenIn } from '#support/resend.ts';
import { confirmPath, loginPath } from './paths.ts';

export const undoPath = '/api/accounts/auth/undo-address-change/';

export const minute = 60 * 1000;
export const hour = 60 * minute;
export const day = 24 * hour;

export function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}

type Options = Parameters<Client['request']>[3];

/** As from a page that was loaded before, with its CSRF token. */
export async function send(client: Client, ...request: Parameters<Client['request']>) {
  await client.get('/api/health/');
  return client.request(...request);
}

/** Changes an account. */
export function patch(client: Client, id: string, input: object, options?: Options) {
  return send(client, 'PATCH', `/api/accounts/${id}/`, input, options);
}

/** An account as the API shows it to its owner, made by `createUser`. */
export function accountOf(user: Awaited<ReturnType<typeof createUser>>, values: object = {}) {
  return {
    id: user.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: user.email,
    avatar: null,
    bio: null,
    email_verified: true,
    language: 'en',
    roster_news: true,
    created_at: user.createdAt.toISOString(),
    ...values,
  };
}

export function userBy(email: string) {
  return db.select().from(users).where(eq(users.emailCanonical, email.toLowerCase())).get();
}

/** Everything that an account has, and that grants access to it. */
export function everythingOf(id: string) {
  return db.batch([
    db.select().from(users).where(eq(users.id, id)),
    db.select().from(sessions).where(eq(sessions.userId, id)),
    db.select().from(links).where(eq(links.userId, id)),
    db.select().from(courses).where(eq(courses.ownerId, id)),
    db.select().from(addressRestores).where(eq(addressRestores.userId, id)),
  ]);
}

/** How many sessions, links and restores give access to an account. */
export async function accessTo(id: string): Promise<[sessions: number, links: number, number]> {
  const [, ofSessions, ofLinks, , restores] = await everythingOf(id);
  return [ofSessions.length, ofLinks.length, restores.length];
}

type Mails = ReturnType<typeof fakeResend>['accepted'];

/** Requests a change and confirms it in another browser, with the emails that are sent for it. */
export async function moveAddress(
  client: Client,
  user: { id: string; email: string },
  accepted: Mails,
) {
  const email = uniqueEmail();
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

/** The answers to 20 browsers that send this at the same moment, and how many it has signed in. */
export async function atOnce(path: string, input: object, cookies: Record<string, string> = {}) {
  const browsers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = createClient();
      await client.get('/api/health/');
      for (const [name, value] of Object.entries(cookies)) {
        client.cookies.set(name, value);
      }
      return client;
    }),
  );
  const responses = await Promise.all(browsers.map((client) => client.post(path, input)));
  return {
    responses,
    statuses: responses.map(({ status }) => status).sort(),
    signedIn: browsers.filter((client) => client.cookies.has('__Host-session')).length,
  };
}

/** What `atOnce` answers where one request succeeds and the others come too late. */
export const oneOf20 = [200, ...Array(19).fill(400)];

/** A token or code is refused as all wrong ones are, in words that tell nothing. */
export async function expectRefused(path: string, input: object, client = createClient()) {
  const response = await client.post(path, input);
  const { request_id, ...body } = await response.json<Record<string, unknown>>();
  expect([response.status, body]).toEqual([
    400,
    { code: 'link_invalid', message: 'Authentication failed. Please try again' },
  ]);
}
