import { beforeEach, expect, test, vi } from 'vitest';
import { callApi } from '#client/call-api.ts';
import { problemOf } from '#client/failures.ts';
import { fetchChoices } from '#features/courses/use-all-courses.ts';
import { apiPaths } from '#paths.ts';
import { takeNoise } from '#support/console.ts';

const texts = {
  connectionLost: 'No connection.',
  internal: 'Something went wrong.',
  waiting: 'Try again {when}.',
};

/** An event target like the real one, on which pages hear that they are outdated. */
function stubDocument(properties: object): void {
  vi.stubGlobal('document', Object.assign(new EventTarget(), properties));
}

/** A minimal browser; a neighboring subdomain has planted a cookie with the name that http uses. */
beforeEach(() => {
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  stubDocument({ cookie: 'a=b; csrftoken=planted; __Host-csrftoken=ours' });
  return () => vi.unstubAllGlobals();
});

test('on https the token is the __Host- cookie that other sites cannot plant, and goes only to our own origin', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ id: 1 }));
  const result = await callApi(apiPaths.courses, {
    input: { name: 'Biology', course_type: 'cohort' },
    idempotencyKey: 'a-key',
  });

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
    body: '{"name":"Biology","course_type":"cohort"}',
  });
  // @ts-expect-error Another origin is not a path of ours, and does not compile.
  const elsewhere: Parameters<typeof callApi>[0] = 'https://evil.test/api/';
  expect(elsewhere).toContain('evil');
});

test('on http, where __Host- cookies are impossible, the token is the other cookie', async () => {
  vi.stubGlobal('window', { location: { protocol: 'http:' } });
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}));
  await callApi(apiPaths.logout);

  expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('X-CSRFToken')).toBe('planted');
});

test('a query is encoded', async () => {
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ items: [], is_complete: true }));
  const choices = '/api/courses/choices/';
  await callApi(choices, { method: 'GET', query: { q: 'R&D: é #1?' } });

  const [[path, init] = []] = fetched.mock.calls;
  expect(init).toMatchObject({ method: 'GET' });
  const { pathname, searchParams, hash } = new URL(String(path), 'https://lectern.test');
  expect([pathname, [...searchParams], hash]).toEqual([choices, [['q', 'R&D: é #1?']], '']);
});

test('the courses are searched for with a text, and listed without one', async () => {
  const items = [{ id: 'an-id', name: 'Biology', note: 'Cohort' }];
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ items, is_complete: true }));
  const courses = [{ id: 'an-id', name: 'Biology', type: 'Cohort' }];

  expect(await fetchChoices('a&b')).toEqual({ courses, isComplete: false });
  expect(await fetchChoices('')).toEqual({ courses, isComplete: true });
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([
    '/api/courses/choices/?q=a%26b',
    '/api/courses/choices/',
  ]);
});

test.each([
  ['GET', undefined],
  ['POST', undefined],
  ['PATCH', { language: 'fr' }],
  ['DELETE', undefined],
] as const)(
  'a %s is sent with the token, and with a body if there is one',
  async (method, input) => {
    const fetched = vi
      .spyOn(globalThis, 'fetch')
      .mockResolvedValue(new Response(null, { status: 204 }));
    // No single route takes all four.
    const call = { method, input } as { method: 'PATCH'; input?: { language: 'fr' } };
    const result = await callApi(apiPaths.account('an-id'), call);

    expect(result).toEqual({ ok: true, data: null });
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/api/accounts/an-id/');
    expect(init).toMatchObject({ method, headers: { 'X-CSRFToken': 'ours' } });
    expect(init?.body).toBe(input && '{"language":"fr"}');
    const contentType = new Headers(init?.headers).get('Content-Type');
    expect(contentType).toBe(input === undefined ? null : 'application/json');
  },
);

test('after a refused token, a new one is fetched and the request repeated once', async () => {
  const refusal = { code: 'csrf_failed', message: 'No', request_id: 'x' };
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    stubDocument({ cookie: '__Host-csrftoken=fresh' });
    return Response.json(refusal, { status: 403 });
  });
  const result = await callApi(apiPaths.courses, {
    input: { name: 'Biology', course_type: 'cohort' },
    idempotencyKey: 'a-key',
  });

  expect(result).toEqual({ ok: false, status: 403, body: refusal });
  const sent = fetched.mock.calls.map(([, init]) => new Headers(init?.headers));
  expect(sent.map((headers) => headers.get('X-CSRFToken'))).toEqual(['ours', 'fresh']);
  expect(sent.map((headers) => headers.get('Idempotency-Key'))).toEqual(['a-key', 'a-key']);
  expect(fetched.mock.calls[1]?.[1]?.body).toBe('{"name":"Biology","course_type":"cohort"}');
});

test.each([
  ['120', { retryAt: 1_120_000 }],
  ['Wed, 21 Oct 2026 07:28:00 GMT', {}],
])('a refusal says when to try again, if the server does: %s', async (retryAfter, when) => {
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const refusal = { code: 'rate_limited', message: 'No', request_id: 'x' };
  const headers = { 'Retry-After': retryAfter };
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(refusal, { status: 429, headers }));

  expect(await callApi(apiPaths.logout)).toEqual({
    ok: false,
    status: 429,
    body: refusal,
    ...when,
  });
});

test('a refusal for lack of a session is written to the console, and no other is', async () => {
  const refused = (code: string, status: number) =>
    Response.json({ code, message: 'No', request_id: 'x' }, { status });
  vi.spyOn(globalThis, 'fetch')
    .mockResolvedValueOnce(refused('proof_required', 403))
    .mockResolvedValueOnce(refused('unauthenticated', 401));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await callApi(apiPaths.courses);
  expect(logged).not.toHaveBeenCalled();
  await callApi(apiPaths.courses);

  expect(logged.mock.calls).toEqual([
    ['Unauthorized access', expect.objectContaining({ code: 'unauthenticated' })],
  ]);
  takeNoise();
});

test('a limit says when to try again, if the server does', async () => {
  stubDocument({ cookie: '', documentElement: { lang: 'en' } });
  const body = { code: 'rate_limited', message: 'Too many requests.', request_id: 'x' };
  const headers = { 'Retry-After': '120' };
  vi.spyOn(globalThis, 'fetch')
    .mockResolvedValueOnce(Response.json(body, { status: 429, headers }))
    .mockResolvedValueOnce(Response.json(body, { status: 429 }));
  const input = { email: 'ada@example.com' };
  const timed = await callApi(apiPaths.login, { input });
  const untimed = await callApi(apiPaths.login, { input });

  expect(timed.ok === false && problemOf(timed, texts)).toBe('Try again in 2\u00a0minutes.');
  expect(untimed.ok === false && problemOf(untimed, texts)).toBe('Too many requests.');
});

test.each([
  ['the page of a hotel’s network', '<html>Please pay</html>', 200],
  ['a failure in HTML', '<h1>502</h1>', 502],
])('%s is not an answer of ours, with any status', async (_what, body, status) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { status }));
  const result = await callApi(apiPaths.login, { input: { email: 'ada@example.com' } });

  expect(result).toEqual({ ok: false, status, body: null });
  expect(result.ok === false && problemOf(result, texts)).toBe(texts.internal);
});

test('without an answer the error is a network error, and the cause is passed on', async () => {
  const thrown = new TypeError('Failed to fetch');
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(thrown);
  const result = await callApi(apiPaths.login, { input: { email: 'ada@example.com' } });

  expect(result).toEqual({ ok: false, status: null, body: null, thrown });
  expect(result.ok === false && problemOf(result, texts)).toBe(texts.connectionLost);
});
