import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createClient } from '#support/client.ts';
import { createLink, createUser } from '#support/factories.ts';
import { defaultLimits } from '#vocabulary.ts';

export const loginPath = '/api/accounts/auth/login/';

export const signUpPath = '/api/accounts/auth/signup/';

export const accountsPath = '/api/accounts/';

export const confirmPath = '/api/accounts/auth/confirm/';

export const googlePath = '/api/accounts/auth/google/login/';

export const callbackPath = '/api/accounts/auth/google/callback/';

export const userPath = '/api/accounts/auth/user/';

export const minute = 60_000;

let day = 0;

/** Gives every test of a file days of its own, so that all windows are empty. */
export function startOwnDays(): void {
  beforeEach(() => {
    day += 3;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, day, 12, 0, 20) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []]));

export const id = crypto.randomUUID();

export function person(email: string) {
  return { first_name: 'Grace', last_name: 'Hopper', email };
}

/** A browser that has logged in to an account by link before, and is logged out now. */
export async function createKnownClient() {
  const user = await createUser();
  const client = createClient();
  const token = await createLink(user);
  expect((await client.post(confirmPath, { token })).status).toBe(200);
  client.cookies.delete('__Host-session');
  client.cookies.delete('__Host-csrftoken');
  return { client, email: user.email };
}
