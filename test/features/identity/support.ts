import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { type Client, createClient } from '#support/client.ts';
import { type createUser, db, uniqueEmail } from '#support/factories.ts';
import { type Claims, callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';

export const accountsPath = '/api/accounts/';
export const loginPath = '/api/accounts/auth/login/';
export const signUpPath = '/api/accounts/auth/signup/';
export const confirmPath = '/api/accounts/auth/confirm/';
export const undoPath = '/api/accounts/auth/undo-address-change/';
export const userPath = '/api/accounts/auth/user/';
export const logoutPath = '/api/accounts/auth/logout/';
export const sessionsPath = '/api/accounts/auth/sessions/';

export function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}

type Options = Parameters<Client['request']>[3];

/** As from a page that was loaded before, with its CSRF token. */
export async function send(client: Client, ...request: Parameters<Client['request']>) {
  if (!client.cookies.has('__Host-csrftoken')) {
    await client.get('/api/health/');
  }
  const response = await client.request(...request);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Changes an account. */
export function patch(client: Client, id: string, input: object, options?: Options) {
  return send(client, 'PATCH', `${accountsPath}${id}/`, input, options);
}

/** Uses a token or a code. */
export function confirm(input: object, client = createClient(), options?: Options) {
  return send(client, 'POST', confirmPath, input, options);
}

export function undo(token: string, client = createClient(), options?: Options) {
  return send(client, 'POST', undoPath, { token }, options);
}

export function requestLogin(email: string, client = createClient(), options?: Options) {
  return send(client, 'POST', loginPath, { email }, options);
}

export async function endSession(client: Client, which: string): Promise<number> {
  return (await send(client, 'DELETE', `${sessionsPath}${which}/`)).status;
}

/** What someone types to sign up. */
export function newcomer(email = uniqueEmail()) {
  return { first_name: 'Grace', last_name: 'Hopper', email };
}

/** The statuses of requests about these things, one after another. */
export async function statusesOf<Thing>(
  things: Thing[],
  request: (thing: Thing) => Promise<{ status: number }>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const thing of things) {
    statuses.push((await request(thing)).status);
  }
  return statuses;
}

/** A browser that has chosen an account at Google, with where that sends it. */
export async function createComer(google = fakeGoogle(), person: Claims = googlePerson()) {
  const client = createClient();
  const url = await startSignIn(client);
  const code = google.codeFor(url, person);
  return { google, client, url, code, callback: callbackOf(url, code) };
}

/** The account that a browser is signed in to, as the API shows it. */
export async function accountIn(client: Client) {
  return (await client.get(userPath)).json<Record<string, unknown>>();
}

export function signedIn(...clients: Client[]): Promise<boolean[]> {
  return Promise.all(clients.map(async (client) => (await client.get(userPath)).status === 200));
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

/** Tokens are refused as all wrong ones are, in words that tell nothing, and sign no one in. */
export async function expectRefused(path: string, ...tokens: unknown[]) {
  for (const token of tokens) {
    const client = createClient();
    const { status, body } = await send(client, 'POST', path, { token });
    const { request_id, ...refusal } = body;
    expect([status, refusal]).toEqual([
      400,
      { code: 'link_invalid', message: 'Authentication failed. Please try again' },
    ]);
    expect(client.cookies.has('__Host-session')).toBe(false);
  }
}
