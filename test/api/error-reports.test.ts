import { expect, test } from 'vitest';
import { answerOf, refusal } from '#support/answers.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { createSignedInClient } from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { leaksIn } from '#support/secrets.ts';
import { dsn, fakeSentry } from '#support/sentry.ts';
import { words } from '#support/words.ts';

const bindings = { SENTRY_DSN: dsn };

/** As the browser's SDK writes one: a header, and an item with its payload. */
function envelopeFor(to: unknown, filler = ''): string {
  const trace = { trace_id: 'a'.repeat(32), public_key: 'a1b2c3' };
  const header = { event_id: 'b'.repeat(32), sent_at: new Date().toISOString(), dsn: to, trace };
  const event = JSON.stringify({ message: 'It broke', extra: filler });
  return [JSON.stringify(header), '{"type":"event"}', event].join('\n');
}

/** Sends a report, as text if no header says otherwise. */
function send(
  raw: BodyInit,
  { client = createClient(), headers = {}, ...options }: Sending = {},
): Promise<Response> {
  return client.request('POST', '/api/error-reports/', undefined, {
    bindings,
    ...options,
    raw,
    headers: { 'Content-Type': 'text/plain', ...headers },
  });
}

type Sending = Parameters<Client['request']>[3] & { client?: Client };

test('an envelope for our project is forwarded unchanged, and nothing else from the browser with it', async () => {
  const sentry = fakeSentry();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');
  const headers = { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': 'CANARY' };
  const answer = await answerOf(send(envelopeFor(dsn), { client, headers }));

  expect(answer).toEqual({ status: 200, body: null });
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

test('an envelope is accepted as bytes, and as no other type of content', async () => {
  const sentry = fakeSentry();
  const bytes = new TextEncoder().encode(envelopeFor(dsn));
  const sendAs = async (type: string) =>
    (await send(bytes, { headers: { 'Content-Type': type } })).status;

  expect(await sendAs('application/x-sentry-envelope')).toBe(200);
  expect(await sendAs('application/json')).toBe(415);
  expect(sentry.requests).toHaveLength(1);
});

test('an envelope for anything but our project is refused', async () => {
  const sentry = fakeSentry();
  for (const to of [
    ...words('https://a1b2c3@evil.test/42 https://a1b2c3@sentry.test.evil.test/42'),
    ...words('https://a1b2c3@sentry.test/43 https://d4e5f6@sentry.test/42 //'),
    undefined,
    [dsn, 'x'],
  ]) {
    const answer = await answerOf(send(envelopeFor(to)));
    expect(answer, String(to)).toMatchObject(refusal(400, 'malformed_body'));
  }
  expect(sentry.requests).toEqual([]);
});

test('a body that is not an envelope is refused', async () => {
  const sentry = fakeSentry();
  const long = `${' '.repeat(20_000)}{"dsn":"${dsn}"}\n{}`;
  for (const raw of ['', 'x', '{}\n', 'null\n{}', `"${dsn}"\n{}`, `{"dsn":"${dsn}"}`, long]) {
    expect((await send(raw)).status, raw).toBe(400);
  }
  expect(sentry.requests).toEqual([]);
});

test('a replay of a few hundred kB is forwarded, one over 1 MB is not, with or without a declared length', async () => {
  const sentry = fakeSentry();
  expect((await send(envelopeFor(dsn, 'x'.repeat(900_000)))).status).toBe(200);
  const tooLarge = envelopeFor(dsn, 'x'.repeat(1_100_000));
  for (const raw of [tooLarge, new Blob([tooLarge]).stream()]) {
    expect(await answerOf(send(raw))).toMatchObject(refusal(413, 'body_too_large'));
  }
  expect(sentry.requests).toHaveLength(1);
});

test('a client network sends at most 60 reports a minute, and another network is not affected', async () => {
  const sentry = fakeSentry();
  const client = createClient();
  const responses: Response[] = [];
  for (let times = 0; times < 61; times += 1) {
    responses.push(await send(envelopeFor(dsn), { client }));
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

const elsewhere = { status: 307, headers: { Location: 'https://evil.test/' } };

test.each([
  ['away', 'unreachable', 503, 'unavailable'],
  ['silent', 'silent', 503, 'unavailable'],
  ['sending elsewhere', elsewhere, 503, 'unavailable'],
  ['refusing', { status: 403, body: 'CANARY' }, 400, 'malformed_body'],
] as const)(
  'a Sentry that is %s is answered with its status, after one attempt',
  async (_how, sentryAnswer, status, code) => {
    hurry();
    const sentry = fakeSentry(sentryAnswer);
    const answer = await answerOf(send(envelopeFor(dsn)));
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(answer).toMatchObject(refusal(status, code));
    expect(JSON.stringify(answer)).not.toContain('CANARY');
    // A failed report is not reported.
    expect(sentry.requests).toHaveLength(1);
    expect(takeNoise()).toEqual([]);
    expect(loggedEvents('report_not_forwarded')).toHaveLength(1);
  },
);

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
  const answer = await answerOf(send(envelopeFor(dsn), { bindings: {} }));

  expect(answer).toMatchObject(refusal(404, 'not_found'));
  expect(sentry.requests).toEqual([]);
});
