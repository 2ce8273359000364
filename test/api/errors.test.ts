import { env } from 'cloudflare:workers';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { expect, test } from 'vitest';
import { onError } from '#api/errors.ts';
import { commonMiddleware } from '#common-middleware.ts';
import { readEnv } from '#env.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { logFailure } from '#observability/log.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
import { db } from '#support/factories.ts';

test.each([
  ['GET', '/api/nowhere/'],
  ['POST', '/api/nowhere/'],
  ['GET', '/api/courses'],
  ['GET', '/api//health/'],
])('%s %s is a JSON 404 without a redirect', async (method, path) => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.request(method, path);

  expect(response.status).toBe(404);
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({
    code: 'not_found',
    message: 'There’s nothing at this address.',
    request_id: response.headers.get('X-Request-Id'),
  });
});

test.each([
  ['PUT', '/api/courses/', 'GET, HEAD, POST'],
  ['DELETE', '/api/accounts/auth/login/', 'POST'],
  ['OPTIONS', '/api/health/', 'GET, HEAD'],
])('%s %s is a 405 that lists the allowed methods', async (method, path, allow) => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.request(method, path);

  expect(response.status).toBe(405);
  expect(response.headers.get('Allow')).toBe(allow);
  expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
});

test('health checks the database, and reports when it cannot be reached', async () => {
  const healthy = await createClient().get('/api/health/');
  expect(healthy.status).toBe(200);
  expect(await healthy.json()).toEqual({ status: 'ok' });
  expect(healthy.headers.get('X-Release')).toBe('unreleased');

  const bindings = { DB: brokenDatabase() };
  const sick = await createClient().get('/api/health/', { bindings });
  expect(sick.status).toBe(503);
  expect(await sick.json()).toMatchObject({ code: 'unavailable' });
  expect(takeNoise()).toHaveLength(1);
});

const canary = 'CANARY ann@example.com';

test.each([
  ['an error', new Error(canary)],
  [
    'a query error',
    new DrizzleQueryError('select 1', [canary], new Error('D1_ERROR: SQLITE_ERROR')),
  ],
  ['an HTTP error', new HTTPException(500, { message: canary })],
])('an unexpected %s gets a fixed body with a request id', async (_what, thrown) => {
  const app = new Hono<HonoEnv>().basePath('/api');
  app.onError(onError);
  app.use(...commonMiddleware('data'));
  app.get('/', () => {
    throw thrown;
  });
  const response = await app.request('https://lectern.test/api', {}, env);

  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    code: 'internal',
    message: 'Something went wrong. Please try again.',
    request_id: response.headers.get('X-Request-Id'),
  });
  expect(takeNoise().join()).toContain(response.headers.get('X-Request-Id'));
});

test('a value that D1 rejects is not logged', async () => {
  const value = { toString: () => canary };
  const failure = await db.run(sql`SELECT ${value}`).catch((error) => error);
  logFailure('an-id', failure);
  const [line = ''] = takeNoise();

  expect(failure.cause.message).toContain('CANARY');
  expect(line).toContain('D1_TYPE_ERROR');
  expect(line).not.toContain('CANARY');
});

test('the log of a failed query holds the statement but none of its values', async () => {
  const cause = new Error('D1_ERROR: no such table: users');
  logFailure(
    'an-id',
    new DrizzleQueryError('select * from users where email = ?', [canary], cause),
  );
  const [line = ''] = takeNoise();

  expect(line).toContain('select * from users where email = ?');
  expect(line).toContain('no such table');
  expect(line).not.toContain('CANARY');
  expect(JSON.parse(line)).toMatchObject({ event: 'failure', request_id: 'an-id' });
});

test('a missing or malformed setting or binding is named in the log and nowhere else', async () => {
  for (const [name, ...values] of [
    ['APP_SECRET', undefined, ' '.repeat(64)],
    ['APP_ORIGIN', 'lectern.example.com', 'http://lectern.example.com'],
    ['MAIL_FROM', 'nobody'],
    ['OPERATOR_NAME', ' '],
    ['GOOGLE_CLIENT_SECRET', undefined],
    ['GOOGLE_TOKEN_URL', 'http://oauth2.googleapis.com/token'],
    ['RESEND_WEBHOOK_SECRET', undefined, 're_123'],
    // One without the other.
    ['STRIPE_SECRET_KEY', undefined, 'pk_test_123'],
    ['STRIPE_WEBHOOK_SECRET', undefined, 'whsec_of_the_own_account_1, whsec_of_connected_accounts'],
    ['STRIPE_BASE_URL', 'https://api.stripe.com/v1'],
    ['STRIPE_CHECKOUT_ORIGIN', 'http://checkout.stripe.com'],
    ['STRIPE_OWN_ACCOUNT_FOR', 'ada@example.com, grace'],
    ['SENTRY_DSN', 'https://o1.ingest.sentry.io/1', 'http://key@o1.ingest.sentry.io/1'],
    ['ENVIRONMENT', 'staging'],
    ['FLOOD_LIMIT', undefined],
  ] as const) {
    for (const value of values) {
      const bindings = { [name]: value };
      const response = await createClient().get('/api/health/', { bindings });
      const [line = ''] = takeNoise();
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain(name);
      expect(line).toMatch(new RegExp(`The (setting|binding) ${name} `));
    }
  }
});

test('Google, Resend and Stripe are the real services unless configured otherwise', () => {
  const real = ['GOOGLE_ISSUER', 'GOOGLE_AUTHORIZATION_URL', 'GOOGLE_TOKEN_URL', 'RESEND_BASE_URL'];
  const undefinedNames = [...real, 'STRIPE_BASE_URL', 'STRIPE_CHECKOUT_ORIGIN'];
  const { google, resendBaseUrl, stripe } = readEnv({
    ...env,
    ...Object.fromEntries(undefinedNames.map((name) => [name, undefined])),
    STRIPE_OWN_ACCOUNT_FOR: 'Ada@example.com, grace@example.com',
  });

  expect(google).toMatchObject({
    issuer: 'https://accounts.google.com',
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
  });
  expect(resendBaseUrl).toBe('https://api.resend.com');
  expect(stripe).toEqual({
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: ['whsec_of_the_own_account_1', 'whsec_of_connected_accounts'],
    baseUrl: 'https://api.stripe.com',
    checkoutOrigin: 'https://checkout.stripe.com',
    ownAccountFor: ['ada@example.com', 'grace@example.com'],
  });
});

test('without both of its secrets, Stripe is not there', () => {
  const none = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  expect(readEnv({ ...env, ...none }).stripe).toBeNull();
});

test('messages are in the language of the cookie, then of the browser, then English', async () => {
  const client = createClient();
  const message = async (headers: Record<string, string> = {}) => {
    const response = await client.get('/api/nowhere/', { headers });
    return (await response.json<{ message: string }>()).message;
  };
  const [english, french] = ['There’s nothing at this address.', 'Il n’y a rien à cette adresse.'];

  expect(await message()).toBe(english);
  expect(await message({ 'Accept-Language': 'de, fr-CH;q=0.8, en;q=0.5' })).toBe(french);
  expect(await message({ 'Accept-Language': 'de' })).toBe(english);
  client.cookies.set('language', 'fr');
  expect(await message({ 'Accept-Language': 'en' })).toBe(french);
  client.cookies.set('language', 'xx');
  expect(await message({ 'Accept-Language': 'fr' })).toBe(french);
});
