import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { scheduled } from '#cron.ts';
import type { Bindings } from '#env.ts';
import { hashToken } from '#lib/tokens.ts';
import { createReporter } from '#observability/error-reports.ts';
import { crons } from '#settings.ts';
import { answerOf, refusal } from '#support/answers.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { databaseWith } from '#support/database.ts';
import { createSignedInClient, uniqueEmail } from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { fakeResend } from '#support/resend.ts';
import { leaksIn } from '#support/secrets.ts';
import { dsn, fakeSentry } from '#support/sentry.ts';

const bindings = { SENTRY_DSN: dsn, ENVIRONMENT: 'preview', RELEASE: '1.2.3+abc' };
const auth = '/api/accounts/auth';

/** With a database in which one statement fails like D1. */
function failingAt(words: RegExp) {
  const DB = databaseWith({
    prepare: (query) => env.DB.prepare(words.test(query) ? 'SELECT nothing' : query),
  });
  return { ...bindings, DB };
}

test('a failure is reported once, with reference, route, release and user id, and without secrets', async () => {
  const sentry = fakeSentry();
  const { client, user } = await createSignedInClient({ email: uniqueEmail() });
  await client.get('/api/health/');
  const input = { name: 'CANARY a course', course_type: 'cohort' };
  const response = await client.request('POST', '/api/courses/?token=x&code=y#z', input, {
    bindings: failingAt(/insert into "courses"/i),
  });
  expect(response.status).toBe(500);
  expect(takeNoise()).toHaveLength(1);
  await settled();
  const [event, ...others] = sentry.events();
  expect(others).toEqual([]);

  expect(event).toMatchObject({
    environment: 'preview',
    release: '1.2.3+abc',
    tags: { request_id: response.headers.get('X-Request-Id') },
    user: { id: user.id, email: user.email, username: 'Ada Lovelace' },
    request: { method: 'POST', url: 'https://lectern.test/api/courses/' },
  });
  expect(Object.keys(event?.request ?? {}).sort()).toEqual(['method', 'url']);
  expect(sentry.requests[0]).toMatchObject({
    url: expect.stringMatching(/^https:\/\/sentry\.test\/api\/42\/envelope\/\?/),
    redirect: 'manual',
  });
  expect(sentry.text()).not.toContain('CANARY');
  expect(sentry.text()).not.toMatch(/token=|code=|state=|__Host-|10\.\d+\.\d+\.\d+/);
  expect(leaksIn(sentry.text(), { addressesToo: false })).toEqual([]);
});

test('a failed query is reported with its statement and frames, without its values', async () => {
  const sentry = fakeSentry();
  const { client } = await createSignedInClient();
  const token = client.cookies.get('__Host-session') ?? '';
  await client.post(`${auth}/logout/`, undefined, { bindings: failingAt(/from "sessions"/i) });
  takeNoise();
  await settled();
  expect(sentry.events()).toHaveLength(1);
  const values = sentry.events()[0]?.exception.values ?? [];
  const query = values.find(({ value }) => value.startsWith('Failed query: '));

  expect(query?.value).toMatch(/^Failed query: delete /i);
  expect(query?.stacktrace?.frames.length).toBeGreaterThan(0);
  expect(values.some(({ value }) => value.startsWith('D1_ERROR'))).toBe(true);
  expect(sentry.text()).not.toContain(token);
  expect(sentry.text()).not.toContain(await hashToken(token));
});

test('an email that cannot be sent is reported, without its recipient', async () => {
  fakeResend({ status: 422 });
  const sentry = fakeSentry();
  const input = { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
  const response = await createClient().post(`${auth}/signup/`, input, { bindings });
  takeNoise();

  expect(response.status).toBe(503);
  await settled();
  expect(sentry.events()).toHaveLength(1);
  expect(sentry.text()).toContain('mail_unavailable');
  expect(sentry.text()).not.toContain(input.email);
});

test('refusals, malformed requests and missing pages are not reported', async () => {
  const sentry = fakeSentry();
  const client = createClient();
  const statuses = [
    await client.get('/api/nowhere/', { bindings }),
    await client.get('/api/courses/', { bindings }),
    await client.request('POST', '/api/courses/', {}, { bindings }),
    await client.post(`${auth}/login/`, undefined, { bindings, raw: '{"email":' }),
    await client.post(`${auth}/login/`, { email: 'x' }, { bindings }),
    await client.post(`${auth}/confirm/`, { token: 'x' }, { bindings }),
    await client.request('PROPFIND', '/api/health/', undefined, { bindings }),
  ].map(({ status }) => status);
  await settled();

  expect(statuses).toEqual([404, 401, 401, 400, 400, 400, 405]);
  expect(sentry.requests).toEqual([]);
});

test.each([
  ['unreachable', 'unreachable'],
  ['silent', 'silent'],
  ['sending elsewhere', { status: 302, headers: { Location: 'https://evil.test/' } }],
  ['lying', { status: 200, headers: { 'X-Sentry-Rate-Limits': '%%%', 'Retry-After': 'x' } }],
] as const)('a Sentry that is %s changes no answer', async (_how, sentryAnswer) => {
  hurry();
  const sentry = fakeSentry(sentryAnswer);
  const answer = await answerOf(createClient().get('/api/health/', { bindings: failingAt(/./) }));
  takeNoise();
  await settled();

  expect(sentry.requests).toHaveLength(1);
  expect(answer).toMatchObject(refusal(503, 'unavailable'));
});

test.each([
  ['without a DSN', { SENTRY_DSN: undefined }],
  ['over the rate limit', { REPORTS: { limit: async () => ({ success: false }) } }],
])('%s nothing is sent', async (_when, given) => {
  const sentry = fakeSentry();
  await createClient().get('/api/health/', { bindings: { ...failingAt(/./), ...given } });
  await settled();

  expect(takeNoise()).toHaveLength(1);
  expect(sentry.requests).toEqual([]);
});

test('failed clean-ups are reported, and the run waits for the reports', async () => {
  const sentry = fakeSentry();
  const waited: Promise<unknown>[] = [];
  const execution = createExecutionContext();
  execution.waitUntil = (work) => void waited.push(work);
  const run = scheduled(
    createScheduledController({ cron: crons.hourly }),
    { ...env, ...failingAt(/./) } as unknown as Bindings,
    execution,
  );
  await expect(run).rejects.toThrow('The clean-up of emails, clean-up of files, clean-up failed');
  await Promise.all(waited);
  const ids = takeNoise().map((line) => JSON.parse(line).request_id);

  expect(waited.length).toBeGreaterThan(0);
  // All jobs of a run have its id.
  expect(new Set(ids).size).toBe(1);
  expect(sentry.events()).toHaveLength(3);
  for (const event of sentry.events()) {
    expect(event).toMatchObject({ tags: { request_id: ids[0] } });
    expect(event).not.toHaveProperty('request');
  }
});

test('a limiter that does not answer is reported, and the request continues', async () => {
  const sentry = fakeSentry();
  const limit = async () => Promise.reject(new Error('The limiter is away'));
  const given = { bindings: { ...bindings, FLOOD_LIMIT: { limit } } };
  expect((await createClient().get('/api/health/', given)).status).toBe(200);
  takeNoise();
  await settled();
  expect(sentry.text()).toContain('The limiter is away');
});

test('the worker’s secrets are removed even from error messages', async () => {
  const sentry = fakeSentry();
  await reportAll(['swordfish'], [new Error('It was swordfish or state=abc'), 'CANARY', null]);

  expect(sentry.events()[0]?.exception.values[0]?.value).toBe('It was [removed] or [removed]');
  expect(sentry.text()).not.toMatch(/swordfish|CANARY/);
  // A thrown value that is not an error is reported too.
  expect(sentry.events()).toHaveLength(3);
});

/** Reports what was thrown, outside of a request, and waits until all of it is sent. */
async function reportAll(secrets: string[], thrown: unknown[]): Promise<void> {
  const sent: Promise<unknown>[] = [];
  const { report } = createReporter(
    { sentryDsn: dsn, environment: 'local', release: '1', secrets, reports: env.REPORTS },
    { requestId: 'an-id', request: null, waitUntil: (work) => void sent.push(work) },
  );
  for (const one of thrown) {
    report(one);
  }
  await Promise.all(sent);
}
