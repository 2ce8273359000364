import { expect, test, vi } from 'vitest';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { createSignedInClient } from '#support/factories.ts';
import { leaksIn } from '#support/secrets.ts';
import { dsn, fakeSentry } from '#support/sentry.ts';

const path = '/api/error-reports/';
const bindings = { SENTRY_DSN: dsn };

/** As the browser's SDK writes one: a header, and an item with its payload. */
function envelopeFor(to: unknown, filler = ''): string {
  const trace = { trace_id: 'a'.repeat(32), public_key: 'a1b2c3' };
  const header = { event_id: 'b'.repeat(32), sent_at: new Date().toISOString(), dsn: to, trace };
  const event = JSON.stringify({ message: 'It broke', extra: filler });
  return [JSON.stringify(header), '{"type":"event"}', event].join('\n');
}

function send(raw: BodyInit, headers: Record<string, string> = {}) {
  const options = { bindings, raw, headers: { 'Content-Type': 'text/plain', ...headers } };
  return createClient().request('POST', path, undefined, options);
}

test('an envelope for our project is forwarded unchanged, and nothing else from the browser with it', async () => {
  const sentry = fakeSentry();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');
  const response = await client.request('POST', path, undefined, {
    bindings,
    raw: envelopeFor(dsn),
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': 'CANARY' },
  });

  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
  expect(sentry.requests).toHaveLength(1);
  const [request] = sentry.requests;
  expect(request?.url).toBe('https://sentry.test/api/42/envelope/');
  expect(request?.redirect).toBe('manual');
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    'content-type': 'application/x-sentry-envelope',
  });
  expect(sentry.envelopes[0]?.items).toEqual([
    { type: 'event', payload: { message: 'It broke', extra: '' } },
  ]);
  expect(leaksIn(sentry.text())).toEqual([]);
});

test.each(['', 'text/plain', 'application/x-sentry-envelope'])(
  'an envelope sent as “%s” is accepted, as bytes or text',
  async (contentType) => {
    const sentry = fakeSentry();
    const bytes = new TextEncoder().encode(envelopeFor(dsn));
    const response = await send(bytes, { 'Content-Type': contentType });

    expect(response.status).toBe(200);
    expect(sentry.requests).toHaveLength(1);
  },
);

test.each([
  ['another host', 'https://a1b2c3@evil.test/42'],
  ['another port', 'https://a1b2c3@sentry.test:8443/42'],
  ['another project', 'https://a1b2c3@sentry.test/43'],
  ['a path below the project', 'https://a1b2c3@sentry.test/42/43'],
  ['another key', 'https://d4e5f6@sentry.test/42'],
  ['no key', 'https://sentry.test/42'],
  ['a key with a secret', 'https://a1b2c3:x@sentry.test/42'],
  ['no TLS', 'http://a1b2c3@sentry.test/42'],
  ['a host that contains ours', 'https://a1b2c3@sentry.test.evil.test/42'],
  ['no project', undefined],
  ['a list', [dsn, 'x']],
  ['a text that is not a URL', '//'],
])('an envelope for %s is refused', async (_whom, to) => {
  const sentry = fakeSentry();
  const response = await send(envelopeFor(to));

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
  expect(sentry.requests).toEqual([]);
});

test.each([
  '',
  '\n',
  'x',
  '{}',
  '{}\n',
  'null\n{}',
  `"${dsn}"\n{}`,
  `{"dsn":"${dsn}"}`,
  `${' '.repeat(20_000)}{"dsn":"${dsn}"}\n{}`,
])('a body that is not an envelope is refused: %#', async (raw) => {
  const sentry = fakeSentry();
  const response = await send(raw);

  expect(response.status).toBe(400);
  expect(sentry.requests).toEqual([]);
});

test('a replay of a few hundred kB is forwarded, one over 1 MB is not, with or without a declared length', async () => {
  const sentry = fakeSentry();
  expect((await send(envelopeFor(dsn, 'x'.repeat(900_000)))).status).toBe(200);
  const tooLarge = envelopeFor(dsn, 'x'.repeat(1_100_000));
  const told = await send(tooLarge);
  const bytes = new TextEncoder().encode(tooLarge);
  const untold = await send(
    new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes.subarray(0, 600_000));
        controller.enqueue(bytes.subarray(600_000));
        controller.close();
      },
    }),
  );

  for (const response of [told, untold]) {
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'body_too_large' });
  }
  expect(sentry.requests).toHaveLength(1);
});

test('other API bodies are still limited to 32 kB', async () => {
  const { client } = await createSignedInClient();
  const response = await client.post('/api/courses/', { name: 'x'.repeat(40_000) }, { bindings });

  expect(response.status).toBe(413);
});

test.each(['application/json', 'multipart/form-data; boundary=x', 'image/png'])(
  'a body of another content type is refused: %s',
  async (contentType) => {
    const sentry = fakeSentry();
    expect((await send(envelopeFor(dsn), { 'Content-Type': contentType })).status).toBe(415);
    expect(sentry.requests).toEqual([]);
  },
);

test.each([
  { Origin: 'https://evil.test' },
  { Origin: 'null' },
  { Origin: '' },
  { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
])('only our own pages can send reports: %o', async (headers) => {
  const sentry = fakeSentry();
  const response = await send(envelopeFor(dsn), headers);

  expect(response.status).toBe(403);
  expect(sentry.requests).toEqual([]);
});

test('Sec-Fetch-Site is enough to show that the page is ours', async () => {
  fakeSentry();
  const headers = { Origin: '', 'Sec-Fetch-Site': 'same-origin' };

  expect((await send(envelopeFor(dsn), headers)).status).toBe(200);
});

test('a client network sends at most 60 reports a minute, and another network is not affected', async () => {
  const sentry = fakeSentry();
  const client = createClient();
  const options = { bindings, raw: envelopeFor(dsn), headers: { 'Content-Type': 'text/plain' } };
  const responses: Response[] = [];
  for (let times = 0; times < 61; times += 1) {
    responses.push(await client.request('POST', path, undefined, options));
  }
  const last = responses.at(-1);

  expect(responses.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(last?.status).toBe(429);
  expect(last?.headers.get('Retry-After')).toBe('60');
  expect(sentry.requests).toHaveLength(60);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'reports' }]);
  expect((await send(envelopeFor(dsn))).status).toBe(200);
  // Reports use up no other limit of the client network.
  expect((await client.get('/api/health/')).status).toBe(200);
});

test.each([
  ['down', { status: 500 }, 503, 'unavailable'],
  ['away', 'unreachable', 503, 'unavailable'],
  [
    'sending elsewhere',
    { status: 307, headers: { Location: 'https://evil.test/' } },
    503,
    'unavailable',
  ],
  ['refusing', { status: 403, body: 'CANARY' }, 400, 'malformed_body'],
] as const)(
  'a Sentry that is %s is answered with its status, after one attempt',
  async (_how, answer, status, code) => {
    const sentry = fakeSentry(answer);
    const response = await send(envelopeFor(dsn));
    const text = await response.text();
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(response.status).toBe(status);
    expect(JSON.parse(text)).toMatchObject({ code });
    expect(text).not.toContain('CANARY');
    // A failed report is not reported.
    expect(sentry.requests).toHaveLength(1);
    expect(takeNoise()).toEqual([]);
    expect(loggedEvents('report_not_forwarded')).toHaveLength(1);
  },
);

test('a request to a Sentry that does not answer times out after a few seconds', {
  timeout: 10_000,
}, async () => {
  fakeSentry('silent');
  const start = Date.now();
  const response = await send(envelopeFor(dsn));

  expect(response.status).toBe(503);
  expect(Date.now() - start).toBeLessThan(7_000);
});

test('a limiter that fails lets reports through, and its failure is logged', async () => {
  const sentry = fakeSentry();
  const limit = async () => {
    throw new Error('The limiter is gone');
  };
  const response = await createClient().request('POST', path, undefined, {
    bindings: { ...bindings, REPORTS: { limit } },
    raw: envelopeFor(dsn),
    headers: { 'Content-Type': 'text/plain' },
  });

  expect(response.status).toBe(200);
  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'reports' }]);
  expect(takeNoise()).toEqual([expect.stringContaining('The limiter is gone')]);
  // The browser's report, and the worker's own about its limiter.
  await vi.waitFor(() => expect(sentry.requests).toHaveLength(2), 20_000);
});

test('Sentry’s own rate limits are passed on', async () => {
  const limits = '60:error:organization';
  fakeSentry({ status: 429, headers: { 'Retry-After': '120', 'X-Sentry-Rate-Limits': limits } });
  const refused = await send(envelopeFor(dsn));

  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('120');
  expect(refused.headers.get('X-Sentry-Rate-Limits')).toBe(limits);
});

test('without a DSN the route does not exist', async () => {
  const sentry = fakeSentry();
  const response = await createClient().request('POST', path, undefined, {
    raw: envelopeFor(dsn),
    headers: { 'Content-Type': 'text/plain' },
  });

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found' });
  expect(sentry.requests).toEqual([]);
});
