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
import { answerOf, refusal } from '#support/answers.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
import { db } from '#support/factories.ts';

// Both are JSON, as the document of the API says: the client checks every answer.
test.each([
  ['GET', '/api/nowhere/', 404, 'not_found', null],
  ['POST', '/api/nowhere/', 404, 'not_found', null],
  ['GET', '/api/courses', 404, 'not_found', null],
  ['GET', '/api//health/', 404, 'not_found', null],
  ['PUT', '/api/courses/', 405, 'method_not_allowed', 'GET, HEAD, POST'],
  ['DELETE', '/api/accounts/auth/login/', 405, 'method_not_allowed', 'POST'],
  ['OPTIONS', '/api/health/', 405, 'method_not_allowed', 'GET, HEAD'],
])('%s %s is a %i (%s); allowed methods: %s', async (method, path, status, code, allowed) => {
  const client = createClient();
  await client.get('/api/health/');
  const response = await client.request(method, path);

  expect(response.headers.get('Allow')).toBe(allowed);
  expect(await answerOf(response)).toMatchObject(refusal(status, code));
});

test('health checks the database, and reports when it cannot be reached', async () => {
  const healthy = await createClient().get('/api/health/');
  expect(healthy.headers.get('X-Release')).toBe('unreleased');
  expect(await answerOf(healthy)).toEqual({ status: 200, body: { status: 'ok' } });

  const bindings = { DB: brokenDatabase() };
  const sick = await answerOf(createClient().get('/api/health/', { bindings }));
  expect(sick).toMatchObject(refusal(503, 'unavailable'));
  expect(takeNoise()).toHaveLength(1);
});

const canary = 'CANARY ann@example.com';
const failedQuery = new DrizzleQueryError(
  'select * from users where email = ?',
  [canary],
  new Error('D1_ERROR: no such table: users'),
);

test.each([
  ['an error', new Error(canary)],
  ['a query error', failedQuery],
  ['an HTTP error', new HTTPException(500, { message: canary })],
])('an unexpected %s gets a fixed body with a request id', async (_what, thrown) => {
  const app = new Hono<HonoEnv>().basePath('/api');
  app.onError(onError);
  app.use(...commonMiddleware('data'));
  app.get('/', () => {
    throw thrown;
  });
  const response = await app.request('https://lectern.test/api', {}, env);
  const requestId = response.headers.get('X-Request-Id');

  expect(await answerOf(response)).toEqual({
    status: 500,
    body: {
      code: 'internal',
      message: 'Something went wrong. Please try again.',
      request_id: requestId,
    },
  });
  expect(takeNoise().join()).toContain(requestId);
});

test('the log of a failed query holds the statement but none of its values', async () => {
  logFailure('an-id', failedQuery);
  const value = { toString: () => canary };
  const rejected = await db.run(sql`SELECT ${value}`).catch((error) => error);
  logFailure('an-id', rejected);
  const [line = '', line2 = ''] = takeNoise();

  expect(line).toContain('select * from users where email = ?');
  expect(line).toContain('no such table');
  expect(JSON.parse(line)).toMatchObject({ event: 'failure', request_id: 'an-id' });
  expect(rejected.cause.message).toContain('CANARY');
  expect(line2).toContain('D1_TYPE_ERROR');
  expect(line + line2).not.toContain('CANARY');
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
      const { status, body } = await answerOf(createClient().get('/api/health/', { bindings }));
      const [line = ''] = takeNoise();
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain(name);
      expect(line).toMatch(new RegExp(`The (setting|binding) ${name} `));
    }
  }
});

test('Google, Resend and Stripe are the real services unless configured otherwise', () => {
  const bindings = {
    ...env,
    GOOGLE_ISSUER: undefined,
    GOOGLE_AUTHORIZATION_URL: undefined,
    GOOGLE_TOKEN_URL: undefined,
    RESEND_BASE_URL: undefined,
    STRIPE_BASE_URL: undefined,
    STRIPE_CHECKOUT_ORIGIN: undefined,
    STRIPE_OWN_ACCOUNT_FOR: 'Ada@example.com, grace@example.com',
  };
  const noStripe = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };

  expect(readEnv(bindings)).toMatchObject({
    google: {
      issuer: 'https://accounts.google.com',
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
    },
    resendBaseUrl: 'https://api.resend.com',
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecrets: ['whsec_of_the_own_account_1', 'whsec_of_connected_accounts'],
      baseUrl: 'https://api.stripe.com',
      checkoutOrigin: 'https://checkout.stripe.com',
      ownAccountFor: ['ada@example.com', 'grace@example.com'],
    },
  });
  // Without both of its secrets, it is not there.
  expect(readEnv({ ...bindings, ...noStripe }).stripe).toBeNull();
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
