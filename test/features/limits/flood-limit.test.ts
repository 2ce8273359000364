import { expect, test, vi } from 'vitest';
import { api } from '#api/app.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { databaseWith } from '#support/database.ts';
import { createSignedInClient } from '#support/factories.ts';
import { id } from './support.ts';

const routes = [
  ...new Set(
    api.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(':id', id)}`),
  ),
  'GET /api/nowhere/',
];

test.each(routes)(
  'the flood limit refuses %s before it costs the database anything',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { client } = await createSignedInClient();
    const asked = vi.fn();
    const bindings = {
      FLOOD_LIMIT: { limit: async () => ({ success: false }) },
      DB: databaseWith({ prepare: asked, batch: asked }),
    };
    const response = await client.request(method, path, method === 'GET' ? undefined : {}, {
      bindings,
    });

    expect(response.status).toBe(429);
    expect(response.headers.get('Retry-After')).toBe('60');
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    expect(asked).not.toHaveBeenCalled();
    expect(loggedEvents()).toMatchObject([{ event: 'rate_limited', limit: 'floodLimit' }]);
  },
);

test('the flood limit counts IPv6 networks too, and refuses what is over the limit', async () => {
  const limit = vi.fn(async () => ({ success: true }));
  const asked = vi.fn(async () => ({ success: true }));
  const bindings = { FLOOD_LIMIT: { limit }, FLOOD_LIMIT_NETWORK: { limit: asked } };
  const from = (address: string) =>
    createClient().get('/api/health/', { headers: { 'CF-Connecting-IP': address }, bindings });
  for (const address of ['203.0.113.7', '2001:db8:0:1::1', '2001:db8::1', '::ffff:1.2.3.4', '']) {
    expect((await from(address)).status).toBe(200);
  }
  expect(asked.mock.calls).toEqual(Array(2).fill([{ key: '2001:db8:0::/48' }]));

  asked.mockResolvedValue({ success: false });
  const refused = await from('2001:db8:0:3::1');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'floodLimitNetwork' }]);
  expect((await from('203.0.113.7')).status).toBe(200);

  // Requests over the limit of a client network do not count for the larger network.
  asked.mockClear();
  limit.mockResolvedValue({ success: false });
  expect((await from('2001:db8:0:3::1')).status).toBe(429);
  expect(asked).not.toHaveBeenCalled();
});

test('the flood limit counts client networks, and lets requests through when it fails', async () => {
  const limit = vi.fn(async () => ({ success: true }));
  for (const address of ['203.0.113.7', '2001:db8:0:1::1', '2001:db8:0:1::2', '']) {
    const headers = { 'CF-Connecting-IP': address };
    await createClient().get('/api/health/', { headers, bindings: { FLOOD_LIMIT: { limit } } });
  }
  expect(limit.mock.calls).toEqual(
    ['203.0.113.7', '2001:db8:0:1::/64', '2001:db8:0:1::/64', 'unknown'].map((key) => [{ key }]),
  );

  limit.mockRejectedValue(new Error('The limiter is gone'));
  const response = await createClient().get('/api/health/', {
    bindings: { FLOOD_LIMIT: { limit } },
  });
  expect(response.status).toBe(200);
  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'floodLimit' }]);
  const [line = '', ...more] = takeNoise();
  expect(line).toContain('The limiter is gone');
  expect(more).toEqual([]);
});
