import { expect, test } from 'vitest';
import type { CalendarFeed } from '#features/calendar/schema.ts';
import { createClient } from '#support/client.ts';
import { createSignedInClient } from '#support/factories.ts';
import { feedOf, read } from './support.ts';

const path = '/api/calendar-feed/';
const off = { url: null, webcal_url: null };

test('a feed is off until it is switched on, and a new address ends the one before', async () => {
  const { client, user } = await createSignedInClient();
  const stateOf = async () => (await client.get(path)).json<CalendarFeed>();
  expect(await stateOf()).toEqual(off);
  await client.request('HEAD', path);
  expect(await stateOf()).toEqual(off);
  expect((await read(await feedOf('i', user.id))).status).toBe(404);

  const first = await (await client.post(path)).json<CalendarFeed>();
  expect(first.webcal_url).toBe(first.url?.replace('https:', 'webcal:'));
  expect(await stateOf()).toEqual(first);
  expect((await read(first.url ?? '')).status).toBe(200);

  const second = await (await client.post(path)).json<CalendarFeed>();
  expect(second.url).toBe(await feedOf('i', user.id, 2));
  expect((await read(first.url ?? '')).status).toBe(404);
  expect((await read(second.url ?? '')).status).toBe(200);
});

test('what was switched off stays off: no earlier address works again', async () => {
  const { client } = await createSignedInClient();
  const first = await (await client.post(path)).json<CalendarFeed>();
  expect((await client.request('DELETE', path)).status).toBe(204);
  expect((await client.request('DELETE', path)).status).toBe(204);
  expect(await (await client.get(path)).json()).toEqual(off);
  expect((await read(first.url ?? '')).status).toBe(404);

  const again = await (await client.post(path)).json<CalendarFeed>();
  expect(again.url).not.toBe(first.url);
  expect((await read(first.url ?? '')).status).toBe(404);
  expect((await read(again.url ?? '')).status).toBe(200);
});

test('only its owner can see and change it', async () => {
  const [owner, stranger] = [await createSignedInClient(), await createSignedInClient()];
  const { url } = await (await owner.client.post(path)).json<CalendarFeed>();
  expect(await (await stranger.client.get(path)).json()).toEqual(off);
  await stranger.client.request('DELETE', path);
  await stranger.client.post(path);
  const nobody = createClient();
  for (const method of ['GET', 'POST', 'DELETE']) {
    await nobody.get('/api/health/');
    expect((await nobody.request(method, path)).status).toBe(401);
  }

  expect(await (await owner.client.get(path)).json()).toMatchObject({ url });
  expect((await read(url ?? '')).status).toBe(200);
});
