import { beforeEach, expect, vi } from 'vitest';
import type { NetworkLimitName } from '#features/limits/limits.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { createLink, createUser, uniqueEmail } from '#support/factories.ts';
import { callbackOf, startSignIn } from '#support/google.ts';
import { createDebtor } from '#support/payments.ts';
import { defaultLimits } from '#vocabulary.ts';
import { confirm, confirmPath, loginPath, newcomer, signUpPath } from '../identity/support.ts';

export const googlePath = '/api/accounts/auth/google/login/';

export const minute = 60_000;

type Options = Parameters<Client['get']>[1];

let day = 0;

/** Gives every test of a file days of its own, so that all windows are empty. */
export function startOwnDays(): void {
  beforeEach(() => {
    day += 3;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, day, 12, 0, 20) });
  });
}

export const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []]));

export const id = crypto.randomUUID();

/** The limits of client networks: a request that counts toward each, and its answer. */
export const usesOfNetwork: Record<
  NetworkLimitName,
  { passes: number; send: (client: Client, options: Options) => Promise<Response> }
> = {
  mails_per_ip: {
    passes: 201,
    send: (client, options) => client.post(signUpPath, newcomer(), options),
  },
  unknown_addresses_per_ip: {
    passes: 404,
    send: (client, options) => client.post(loginPath, { email: uniqueEmail() }, options),
  },
  confirmations_per_ip: {
    passes: 400,
    send: (client, options) => client.post(confirmPath, { token: createToken() }, options),
  },
  codes_per_ip: {
    passes: 400,
    send: (client, options) => client.post(confirmPath, { code: '123456' }, options),
  },
  requests_per_ip: {
    passes: 202,
    send: (client, options) =>
      client.post('/api/participation/new-link/', { email: uniqueEmail() }, options),
  },
  participation_per_ip: {
    passes: 400,
    send: (client, options) =>
      client.post('/api/participation/leave/', { enrollment_id: 'none' }, options),
  },
  checkouts_per_ip: {
    passes: 200,
    send: async (client, options) => {
      const { link, enrollment_id } = await createDebtor((await createUser()).id);
      return client.post('/api/participation/checkout/', { link, enrollment_id }, options);
    },
  },
  payment_checks_per_ip: {
    passes: 400,
    send: (client, options) =>
      client.post('/api/participation/checkout/check/', { checkout_id: 'none' }, options),
  },
  google_starts_per_ip: {
    passes: 200,
    send: (client, options) => client.post(googlePath, undefined, options),
  },
  google_callbacks_per_ip: {
    passes: 302,
    send: async (client, options) => {
      const url = await startSignIn(client, options);
      return client.get(callbackOf(url, 'x'), options);
    },
  },
};

/** A browser that has logged in to an account by link before, and is logged out now. */
export async function createKnownClient() {
  const user = await createUser();
  const client = createClient();
  expect((await confirm({ token: await createLink(user) }, client)).status).toBe(200);
  client.cookies.delete('__Host-session');
  client.cookies.delete('__Host-csrftoken');
  return { client, email: user.email };
}

/** An answer without what is new in each: the request id and the policy's nonce. */
export async function comparable(response: Response) {
  const id = response.headers.get('X-Request-Id') ?? '';
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [
      name,
      value
        .replace(id, 'an id')
        .replaceAll(/'nonce-[^']+'/g, 'a nonce')
        // Sealed, so that it reveals nothing about the writes.
        .replace(/^__Host-bookmark=[0-9a-f]{150,}/, 'a bookmark'),
    ]),
    text: (await response.text()).replace(id, 'an id'),
  };
}
