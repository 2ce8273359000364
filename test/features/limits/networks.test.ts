import { expect, test } from 'vitest';
import type { NetworkLimitName } from '#features/limits/limits.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { uniqueEmail } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import {
  callbackPath,
  confirmPath,
  googlePath,
  loginPath,
  noLimits,
  person,
  signUpPath,
  startOwnDays,
} from './support.ts';

type Options = Parameters<Client['get']>[1];

startOwnDays();

test('no header that a client can choose changes its network', async () => {
  fakeResend();
  const client = createClient();
  const statuses: number[] = [];
  for (let last = 1; last <= 12; last += 1) {
    const address = `198.51.100.${last}`;
    const headers = {
      'X-Forwarded-For': address,
      'X-Real-IP': address,
      'X-Client-IP': address,
      'True-Client-IP': address,
      Forwarded: `for=${address}`,
    };
    statuses.push((await client.post(signUpPath, person(uniqueEmail()), { headers })).status);
  }

  expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
});

test('100 addresses in one /64 are one client network, and its neighbors are others', {
  timeout: 30_000,
}, async () => {
  const { accepted } = fakeResend();
  const from = async (address: string) => {
    const headers = { 'CF-Connecting-IP': address };
    return (await createClient().post(signUpPath, person(uniqueEmail()), { headers })).status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => from(`2001:db8:0:1:${index}::${index + 1}`)),
  );

  expect(statuses.sort()).toEqual([...Array(10).fill(201), ...Array(90).fill(429)]);
  expect(accepted).toHaveLength(10);
  expect(await from('2001:db8:0:2::1')).toBe(201);
  expect(await from('2001:db8::1')).toBe(201);
  expect(await from('203.0.113.7')).toBe(201);
});

test('all client networks of a /48 together have 16 times the limit of one, and its neighbors are others', async () => {
  const bindings = { LIMITS: { ...noLimits, confirmations_per_ip: ['2/h'] } };
  const from = async (address: string) => {
    const headers = { 'CF-Connecting-IP': address };
    return (await createClient().post(confirmPath, { token: createToken() }, { headers, bindings }))
      .status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => from(`2001:db8:7:${(index % 20).toString(16)}::1`)),
  );

  expect(statuses.sort()).toEqual([...Array(32).fill(400), ...Array(28).fill(429)]);
  expect(await from('2001:db8:7:ffff::1')).toBe(429);
  expect(await from('2001:db8:8::1')).toBe(400);
  expect(await from('203.0.113.8')).toBe(400);
});

/**
 * Each limit of a client network, with a request that counts toward it and comes from across a /48.
 */
const ofPlaces: Record<NetworkLimitName, (client: Client, options: Options) => Promise<Response>> =
  {
    mails_per_ip: (client, options) => client.post(signUpPath, person(uniqueEmail()), options),
    unknown_addresses_per_ip: (client, options) =>
      client.post(loginPath, { email: uniqueEmail() }, options),
    confirmations_per_ip: (client, options) =>
      client.post(confirmPath, { token: createToken() }, options),
    codes_per_ip: (client, options) => client.post(confirmPath, { code: '123456' }, options),
    requests_per_ip: (client, options) =>
      client.post('/api/participation/new-link/', { email: uniqueEmail() }, options),
    participation_per_ip: (client, options) =>
      client.post('/api/participation/leave/', { enrollment_id: 'none' }, options),
    google_starts_per_ip: (client, options) => client.post(googlePath, undefined, options),
    google_callbacks_per_ip: async (client, options) => {
      const started = await client.post(googlePath, undefined, options);
      const { redirect_url } = await started.json<{ redirect_url: string }>();
      const state = new URL(redirect_url).searchParams.get('state');
      return client.get(`${callbackPath}?state=${state}&error=access_denied`, options);
    },
  };

test.each(Object.entries(ofPlaces))('%s is counted for the /48 too', async (limit, attempt) => {
  fakeResend();
  const bindings = { LIMITS: { ...noLimits, [limit]: ['1/h'] } };
  for (let place = 0; place < 17; place += 1) {
    const headers = { 'CF-Connecting-IP': `2001:db8:9:${place.toString(16)}::1` };
    await attempt(createClient(), { headers, bindings });
    expect(loggedEvents('rate_limited').map((event) => event['limit'])).toEqual(
      place < 16 ? [] : [limit],
    );
  }
});
