import { beforeEach, expect, test, vi } from 'vitest';
import { postJson, problemOf } from '#api/client.ts';
import { connectionLost, errorMessages } from '#i18n/errors.ts';
import { apiPaths } from '#paths.ts';

/** What a browser would be; a neighbouring sub-domain has planted a cookie of the name that http uses. */
beforeEach(() => {
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  vi.stubGlobal('document', { cookie: 'a=b; csrftoken=planted; __Host-csrftoken=ours' });
  return () => vi.unstubAllGlobals();
});

test('on https the token is the one that nobody else can plant, and goes to our own origin alone', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ id: 1 }));
  const result = await postJson(apiPaths.courses, { name: 'Biology' }, 'a-key');

  expect(result).toEqual({ ok: true, data: { id: 1 } });
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect(path).toBe('/api/courses/');
  expect(init).toMatchObject({
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      'Content-Type': 'application/json',
      'X-CSRFToken': 'ours',
      'Idempotency-Key': 'a-key',
    },
    body: '{"name":"Biology"}',
  });
  // @ts-expect-error Another origin is not a path of ours, and does not compile.
  const elsewhere: Parameters<typeof postJson>[0] = 'https://evil.test/api/';
  expect(elsewhere).toContain('evil');
});

test('a refused token is fetched anew, and the request repeated once', async () => {
  const refusal = { code: 'csrf_failed', message: 'No', request_id: 'x' };
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    vi.stubGlobal('document', { cookie: '__Host-csrftoken=fresh' });
    return Response.json(refusal, { status: 403 });
  });
  const result = await postJson(apiPaths.logout);

  expect(result).toEqual({ ok: false, status: 403, body: refusal });
  expect(
    fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('X-CSRFToken')),
  ).toEqual(['ours', 'fresh']);
});

test.each([
  ['the page of a hotel’s network', '<html>Please pay</html>', 200],
  ['nothing', '', 200],
  ['a text', '"done"', 200],
  ['a failure in HTML', '<h1>502</h1>', 502],
])('%s is no answer of ours, whatever its status', async (_what, body, status) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { status }));
  const result = await postJson(apiPaths.login, {});

  expect(result).toEqual({ ok: false, status, body: null });
  expect(result.ok === false && problemOf(result)).toBe(errorMessages.internal);
});

test('without an answer it is the connection', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  const result = await postJson(apiPaths.login, {});

  expect(result).toEqual({ ok: false, status: null, body: null });
  expect(result.ok === false && problemOf(result)).toBe(connectionLost);
});
