import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import type { Client } from '#support/client.ts';
import { components, type Operation, operations } from '#support/contract.ts';
import { documentedPath, exampleCalls, makeThings, type Things } from '#support/examples.ts';
import {
  createCourseRow,
  createLink,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { defaultLimits } from '#vocabulary.ts';

/** Fixed; nightly runs send more requests with other seeds: `FUZZ_REQUESTS` and `FUZZ_SEED`. */
const seed = Number(env.FUZZ_SEED);
const requests = Number(env.FUZZ_REQUESTS);
/** Far longer than any answer takes, and short enough to notice a hang. */
const patienceMs = 5_000;

type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, JsonSchema>;
};

/** Unusual input: other types, boundary values, and syntax of other languages. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '\u202e', '%00', 'x'.repeat(5_000)),
  fc.constantFrom(
    ...['__proto__', 'constructor', "' OR 1=1 --", '../../etc/passwd'],
    ...['<script>alert(1)</script>', 'a@b.example\r\nBcc: c@d.example'],
  ),
  fc.string({ unit: 'binary' }),
  fc.anything({ maxDepth: 3, withNullPrototype: false }),
);

/** Values that match a schema, sometimes with a hostile one among them. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fitting = fittingValuesOf(schema);
  return fc.oneof({ arbitrary: fitting, weight: 5 }, { arbitrary: hostile, weight: 1 });
}

function fittingValuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return fittingValuesOf(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  }
  if (schema.enum !== undefined) {
    return fc.constantFrom(...schema.enum);
  }
  if (schema.properties !== undefined) {
    const model = Object.entries(schema.properties).map(
      ([name, property]) => [name, valuesOf(property)] as const,
    );
    const known = fc.record(Object.fromEntries(model), { requiredKeys: [] });
    const whole = fc.record(Object.fromEntries(model));
    const more = fc.dictionary(fc.string(), hostile, { maxKeys: 2 });
    return fc.oneof(
      { arbitrary: whole, weight: 4 },
      known,
      fc.tuple(whole, more).map(([one, other]) => ({ ...one, ...other })),
    );
  }
  if (schema.format === 'email') {
    return fc.oneof(fc.emailAddress(), fc.constantFrom('known', 'own'));
  }
  if (schema.type === 'string') {
    return fc.oneof(
      fc.string({ minLength: 2, maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('Ada', 'Biology 101', 'link'),
    );
  }
  return hostile;
}

const ids = fc.oneof(
  { arbitrary: fc.constantFrom('own', 'course', 'foreign', 'current', 'others'), weight: 4 },
  fc.uuid(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('.', '..', '%', '%2f', "1' OR '1'='1", '__proto__', 'x'.repeat(3_000)),
);

const headers = fc.oneof(
  { arbitrary: fc.constant({}), weight: 12 },
  fc.constant({ 'X-CSRFToken': 'forged' }),
  fc.constant({ Origin: 'https://evil.test' }),
  fc
    .constantFrom('text/plain', 'application/xml', 'application/json; charset=utf-16')
    .map((type) => ({ 'Content-Type': type })),
  fc.constant({ 'Accept-Language': 'fr' }),
  fc.constant({ 'Idempotency-Key': 'one-for-all' }),
  fc
    .string({ minLength: 1, maxLength: 300 })
    .map((key) => ({ 'Idempotency-Key': key.replace(/[^\x20-\x7e]/g, '?').trim() || 'k' })),
);

const requestTo = ({ method, path, operation }: (typeof operations)[number]) => {
  const body = bodyOf(operation);
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return fc.record({
    method: fc.oneof(
      { arbitrary: fc.constant(method), weight: 9 },
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
    ),
    path: fc.constant(path),
    id: ids,
    query: fc.record(
      Object.fromEntries(query.map(({ name, schema }) => [name, valuesOf(schema).map(String)])),
      { requiredKeys: [] },
    ),
    headers,
    body,
    isSignedIn: fc.oneof({ arbitrary: fc.constant(true), weight: 3 }, fc.constant(false)),
  });
};

/** A body as text: valid JSON, invalid JSON, or not JSON. */
function bodyOf({ requestBody }: Operation): fc.Arbitrary<string | undefined> {
  const schema = requestBody?.content['application/json']?.schema;
  const json = schema === undefined ? hostile : fc.oneof(valuesOf(schema), hostile);
  const asText = json.map((value) => JSON.stringify(value) ?? 'null');
  return fc.oneof(
    { arbitrary: asText, weight: 12 },
    fc.constant(undefined),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('{', '[[[[', '{"email":', '"', `{"a":${'['.repeat(2_000)}`, ' '.repeat(33_000)),
  );
}

test(`${requests} requests generated from the document only get documented answers`, {
  timeout: 60_000 + requests * 200,
}, async () => {
  fakeResend();
  fakeStripe();
  const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []]));
  let ada = await newcomer();
  const stranger = await newcomer();
  const statuses = new Map<number, number>();
  let serial = 0;

  const anyRequest = fc.oneof(...operations.map(requestTo));
  const answersAsPromised = fc.asyncProperty(anyRequest, async (request) => {
    serial += 1;
    if ((await ada.client.get('/api/accounts/auth/user/')).status !== 200) {
      ada = await newcomer();
    }
    const knownIds = new Map([
      ['own', ada.user.id],
      ['course', ada.made[request.path] ?? ada.courseId],
      ['foreign', request.path.includes('courses') ? stranger.courseId : stranger.user.id],
    ]);
    const id = encodeURIComponent((knownIds.get(request.id) ?? request.id).toWellFormed());
    const query = new URLSearchParams(
      Object.entries(request.query).map(([name, value]) => [name, value ?? '']),
    );
    const path = `${request.path.replace('{id}', id)}?${query}`;
    const raw = request.body
      ?.replaceAll('"own"', JSON.stringify(ada.user.email))
      .replaceAll('"known"', JSON.stringify(stranger.user.email))
      .replace('"token":"link"', `"token":"${await liveToken(request.body, ada.user)}"`);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const client = request.isSignedIn ? ada.client : stranger.anonymous;
    // The test client checks every answer against the document.
    const response = await withPatience(
      client.request(request.method, path, undefined, {
        headers: { 'CF-Connecting-IP': `10.0.${serial >> 8}.${serial & 255}`, ...request.headers },
        bindings: { LIMITS: noLimits },
        ...(raw !== undefined && !isRead && { raw }),
      }),
    );
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    expect(response.status).toBeLessThan(500);
  });
  await fc.assert(answersAsPromised, { seed, numRuns: requests });

  // Some reached the verbs, not only the checks before them.
  for (const status of [200, 201, 204, 302, 400, 401, 403, 404, 405, 413, 415]) {
    expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
  }
});

async function newcomer() {
  const { client, user } = await createSignedInClient({ email: uniqueEmail() });
  const anonymous = (await createSignedInClient()).client;
  anonymous.cookies.delete('__Host-session');
  for (const browser of [client, anonymous]) {
    await browser.get('/api/health/');
  }
  const courseId = (await createCourseRow(user.id)).id;
  const things = { account: user.id, email: user.email, course: courseId, otherCourse: courseId };
  return { client, anonymous, user, courseId, made: await idsByPath(client, things) };
}

/** The ids of what the examples make, by the paths that take them. */
async function idsByPath(client: Client, things: Things): Promise<Record<string, string>> {
  const known = new Set(Object.keys(things));
  const ids: Record<string, string> = {};
  for (const calls of exampleCalls) {
    await makeThings(calls, things, client.request);
    for (const { path } of calls) {
      const [, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
      if (!known.has(name) && things[name] !== undefined) {
        ids[documentedPath(path)] = things[name];
      }
    }
  }
  return ids;
}

/** A valid token for a body that needs one. */
async function liveToken(body: string, user: { id: string; emailCanonical: string }) {
  if (!body.includes('"token":"link"')) {
    return '';
  }
  await db.delete(links).where(eq(links.userId, user.id));
  return createLink(user);
}

async function withPatience(answer: ReturnType<Client['request']>) {
  const tired = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('No answer within the time')), patienceMs);
  });
  return Promise.race([answer, tired]);
}
