import { expect, test } from 'vitest';
import { createToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { confirm, newcomer, signUpPath, statusesOf } from '../identity/support.ts';
import { noLimits, startOwnDays, usesOfNetwork } from './support.ts';

startOwnDays();

test('no header that a client can choose changes its network', async () => {
  fakeResend();
  const client = createClient();
  const names = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'Forwarded'];
  const addresses = Array.from({ length: 12 }, (_, index) => `198.51.100.${index + 1}`);
  const statuses = await statusesOf(addresses, (address) => {
    const headers = Object.fromEntries(names.map((name) => [name, address]));
    return client.post(signUpPath, newcomer(), { headers });
  });

  expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
});

test('all client networks of a /48 together have 16 times the limit of one, and its neighbors are others', async () => {
  const bindings = { LIMITS: { ...noLimits, confirmations_per_ip: ['2/h'] } };
  const from = async (address: string) => {
    const headers = { 'CF-Connecting-IP': address };
    const options = { headers, bindings };
    return (await confirm({ token: createToken() }, createClient(), options)).status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => from(`2001:db8:7:${(index % 20).toString(16)}::1`)),
  );

  expect(statuses.sort()).toEqual([...Array(32).fill(400), ...Array(28).fill(429)]);
  expect(await from('2001:db8:7:ffff::1')).toBe(429);
  expect(await from('2001:db8:8::1')).toBe(400);
  expect(await from('203.0.113.8')).toBe(400);
});

test.each(Object.entries(usesOfNetwork))(
  '%s is counted for the /48 too',
  { tags: ['night'] },
  async (limit, { send }) => {
    fakeResend();
    fakeStripe();
    const bindings = { LIMITS: { ...noLimits, [limit]: ['1/h'] } };
    for (let place = 0; place < 17; place += 1) {
      const headers = { 'CF-Connecting-IP': `2001:db8:9:${place.toString(16)}::1` };
      await send(createClient(), { headers, bindings });
      expect(loggedEvents('rate_limited').map((event) => event['limit'])).toEqual(
        place < 16 ? [] : [limit],
      );
    }
  },
);
