import { expect, test, vi } from 'vitest';
import { api } from '#api.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { databaseWith } from '#support/database.ts';
import { createSignedInClient } from '#support/factories.ts';
import { id } from './support.ts';

const routes = new Set([
  ...api.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, id)}`),
  'GET /api/nowhere/',
]);

test('the flood limit refuses every request before it costs the database anything', async () => {
  const { client } = await createSignedInClient();
  const asked = vi.fn();
  const bindings = {
    FLOOD_LIMIT: { limit: async () => ({ success: false }) },
    DB: databaseWith({ prepare: asked, batch: asked }),
  };
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const input = method === 'GET' ? undefined : {};
    const response = await client.request(method, path, input, { bindings });

    expect([response.status, response.headers.get('Retry-After')], route).toEqual([429, '60']);
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
  }
  expect(asked).not.toHaveBeenCalled();
  expect(loggedEvents()).toEqual(
    Array(routes.size).fill(
      expect.objectContaining({ event: 'rate_limited', limit: 'floodLimit' }),
    ),
  );
});

test('the flood limit counts client networks and, of IPv6, the networks around them', async () => {
  const limit = vi.fn(async () => ({ success: true }));
  const wider = vi.fn(async () => ({ success: true }));
  const bindings = { FLOOD_LIMIT: { limit }, FLOOD_LIMIT_NETWORK: { limit: wider } };
  const from = (address: string) =>
    createClient().get('/api/health/', { headers: { 'CF-Connecting-IP': address }, bindings });
  for (const address of [
    '203.0.113.7',
    '2001:db8:0:1::1',
    '2001:db8:0:1::2',
    '::ffff:1.2.3.4',
    '',
  ]) {
    expect((await from(address)).status).toBe(200);
  }
  const networks = ['203.0.113.7', '2001:db8:0:1::/64', '2001:db8:0:1::/64', '1.2.3.4', 'unknown'];
  expect(limit.mock.calls).toEqual(networks.map((key) => [{ key }]));
  expect(wider.mock.calls).toEqual(Array(2).fill([{ key: '2001:db8:0::/48' }]));

  wider.mockResolvedValue({ success: false });
  const refused = await from('2001:db8:0:3::1');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'floodLimitNetwork' }]);
  expect((await from('203.0.113.7')).status).toBe(200);

  // Requests over the limit of a client network do not count for the larger network.
  wider.mockClear();
  limit.mockResolvedValue({ success: false });
  expect((await from('2001:db8:0:3::1')).status).toBe(429);
  expect(wider).not.toHaveBeenCalled();
});

test('the flood limit lets requests through when it fails', async () => {
  const limit = vi.fn().mockRejectedValue(new Error('The limiter is gone'));
  const bindings = { FLOOD_LIMIT: { limit } };
  expect((await createClient().get('/api/health/', { bindings })).status).toBe(200);

  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'floodLimit' }]);
  const [line = '', ...more] = takeNoise();
  expect(line).toContain('The limiter is gone');
  expect(more).toEqual([]);
});
