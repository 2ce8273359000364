import { beforeEach, expect, test, vi } from 'vitest';
import { callApi } from '#client/call-api.ts';
import { problemOf } from '#client/failures.ts';
import { fetchChoices } from '#features/courses/use-all-courses.ts';
import { apiPaths } from '#paths.ts';
import { takeNoise } from '#support/console.ts';

const biology = { name: 'Biology', course_type: 'cohort' } as const;
const bodyOfBiology = '{"name":"Biology","course_type":"cohort"}';

const texts = {
  connectionUnsupportedPlayer: 'No connection.',
  internal: 'Something went wrong.',
  waiting: 'Try again {when}.',
};

/** What our server, or what stands in its way, answers to every call. */
function answering(answer: () => Response) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
}

function refusing(code: string, status: number, headers: Record<string, string> = {}) {
  const body = { code, message: 'No', request_id: 'x' };
  return { body, fetched: answering(() => Response.json(body, { status, headers })) };
}

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
  const fetched = answering(() => Response.json({ id: 1 }));
  const result = await callApi(apiPaths.courses, { input: biology, idempotencyKey: 'a-key' });

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
    body: bodyOfBiology,
  });
  // @ts-expect-error Another origin is not a path of ours, and does not compile.
  const elsewhere: Parameters<typeof callApi>[0] = 'https://evil.test/api/';
  expect(elsewhere).toContain('evil');
});

test('on http, where __Host- cookies are impossible, the token is the other cookie', async () => {
  vi.stubGlobal('window', { location: { protocol: 'http:' } });
  const fetched = answering(() => Response.json({}));
  await callApi(apiPaths.logout);

  expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('X-CSRFToken')).toBe('planted');
});

test('the courses are searched for with a text, which is encoded, and listed without one', async () => {
  const items = [{ id: 'an-id', name: 'Biology', note: 'Cohort' }];
  const fetched = answering(() => Response.json({ items, is_complete: true }));
  const courses = [{ id: 'an-id', name: 'Biology', type: 'Cohort' }];

  expect(await fetchChoices('R&D: é #1?')).toEqual({ courses, isComplete: false });
  expect(await fetchChoices('')).toEqual({ courses, isComplete: true });
  const [[searched, init] = [], [listed] = []] = fetched.mock.calls;
  expect(init).toMatchObject({ method: 'GET' });
  const { pathname, searchParams, hash } = new URL(String(searched), 'https://lectern.test');
  expect([pathname, [...searchParams], hash]).toEqual([listed, [['q', 'R&D: é #1?']], '']);
  expect(listed).toBe('/api/courses/choices/');
});

test.each([
  ['GET', undefined],
  ['POST', undefined],
  ['PATCH', { language: 'fr' }],
  ['DELETE', undefined],
] as const)(
  'a %s is sent with the token, and with a body if there is one',
  async (method, input) => {
    const fetched = answering(() => new Response(null, { status: 204 }));
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
  const fetched = answering(() => {
    stubDocument({ cookie: '__Host-csrftoken=fresh' });
    return Response.json(refusal, { status: 403 });
  });
  const result = await callApi(apiPaths.courses, { input: biology, idempotencyKey: 'a-key' });

  expect(result).toEqual({ ok: false, status: 403, body: refusal });
  const sent = fetched.mock.calls.map(([, init]) => new Headers(init?.headers));
  expect(sent.map((headers) => headers.get('X-CSRFToken'))).toEqual(['ours', 'fresh']);
  expect(sent.map((headers) => headers.get('Idempotency-Key'))).toEqual(['a-key', 'a-key']);
  expect(fetched.mock.calls[1]?.[1]?.body).toBe(bodyOfBiology);
});

test.each([
  ['120', { retryAt: 1_120_000 }],
  ['Wed, 21 Oct 2026 07:28:00 GMT', {}],
])('a refusal says when to try again, if the server does: %s', async (retryAfter, when) => {
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const { body } = refusing('rate_limited', 429, { 'Retry-After': retryAfter });

  expect(await callApi(apiPaths.logout)).toEqual({ ok: false, status: 429, body, ...when });
});

test('a refusal for lack of a session is written to the console, and no other is', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  refusing('proof_required', 403);
  await callApi(apiPaths.courses);
  expect(logged).not.toHaveBeenCalled();
  refusing('unauthenticated', 401);
  await callApi(apiPaths.courses);

  expect(logged.mock.calls).toEqual([
    ['Unauthorized access', expect.objectContaining({ code: 'unauthenticated' })],
  ]);
  takeNoise();
});

test('a limit says when to try again, if the server does', async () => {
  stubDocument({ cookie: '', documentElement: { lang: 'en' } });
  refusing('rate_limited', 429, { 'Retry-After': '120' });
  expect(problemIn(await logIn())).toBe('Try again in 2\u00a0minutes.');
  refusing('rate_limited', 429);
  expect(problemIn(await logIn())).toBe('No');
});

test.each([
  ['the page of a hotel’s network', '<html>Please pay</html>', 200],
  ['a failure in HTML', '<h1>502</h1>', 502],
])('%s is not an answer of ours, with any status', async (_what, body, status) => {
  answering(() => new Response(body, { status }));
  const result = await logIn();

  expect(result).toEqual({ ok: false, status, body: null });
  expect(problemIn(result)).toBe(texts.internal);
});

test('without an answer the error is a network error, and the cause is passed on', async () => {
  const thrown = new TypeError('Failed to fetch');
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(thrown);
  const result = await logIn();

  expect(result).toEqual({ ok: false, status: null, body: null, thrown });
  expect(problemIn(result)).toBe(texts.connectionUnsupportedPlayer);
});

function logIn() {
  return callApi(apiPaths.login, { input: { email: 'ada@example.com' } });
}

function problemIn(result: Awaited<ReturnType<typeof logIn>>): string | null {
  return result.ok ? null : problemOf(result, texts);
}

test('requests use keepalive up to the byte limit of browsers, and are sent without it beyond that', async () => {
  const path = '/api/lessons/1/draft/' as never;
  const sent = async (letter: string, count: number) => {
    const kept: unknown[] = [];
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
      kept.push(init?.keepalive);
      if (init?.keepalive && count === 9) {
        throw new TypeError('Other requests have used it up');
      }
      return Response.json({ id: 1 });
    });
    const call = { input: letter.repeat(count), keepalive: true } as never;
    expect((await callApi(path, call)).ok).toBe(true);
    fetched.mockRestore();
    return kept;
  };

  expect(await sent('a', 59_000)).toEqual([true]);
  expect(await sent('я', 29_000)).toEqual([true]);
  expect(await sent('я', 31_000)).toEqual([false]);
  expect(await sent('中', 21_000)).toEqual([false]);
  expect(await sent('a', 9)).toEqual([true, false]);
});
