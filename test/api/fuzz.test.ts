import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { links } from '#db/schema/sign-in.ts';
import { createClient } from '#support/client.ts';
import { components, type Operation, operations } from '#support/contract.ts';
import { createCaller, documentedPath, exampleCalls, makeThings } from '#support/examples.ts';
import { createLink, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { defaultLimits } from '#vocabulary.ts';

/** Fixed; nightly runs send more requests with other seeds: `FUZZ_REQUESTS` and `FUZZ_SEED`. */
const seed = Number(env.FUZZ_SEED);
const requestsPerCase = 100;
const rounds = Array.from(
  { length: Math.ceil(Number(env.FUZZ_REQUESTS) / requestsPerCase) },
  (_, round) => ({ seed: seed + round }),
);

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

type FuzzRequest = typeof anyRequest extends fc.Arbitrary<infer Request> ? Request : never;

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

const anyRequest = fc.oneof(...operations.map(requestTo));

/** How often each status was answered. */
const statuses = new Map<number, number>();

test.each(rounds)(
  `${requestsPerCase} requests generated from the document, by $seed, only get documented answers`,
  async (round) => {
    fakeResend();
    fakeStripe();
    let ada = await newcomer();
    const stranger = await newcomer();
    const answersAsPromised = fc.asyncProperty(anyRequest, async (request) => {
      if (!ada.client.cookies.has('__Host-session')) {
        ada = await newcomer();
      }
      const client = request.isSignedIn ? ada.client : stranger.anonymous;
      const { path, raw } = await fill(request, ada, stranger);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      // The test client checks every answer against the document.
      const { status } = await client.request(request.method, path, undefined, {
        headers: { 'CF-Connecting-IP': newNetwork(), ...request.headers },
        bindings: { LIMITS: noLimits },
        ...(raw !== undefined && !isRead && { raw }),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status).toBeLessThan(500);
    });
    await fc.assert(answersAsPromised, { ...round, numRuns: requestsPerCase });
  },
);

test('they reach the verbs, not only the checks before them', () => {
  // Of few requests, not all.
  const rare = rounds.length < 5 ? [] : [201, 204, 302, 413, 415];
  const expected = [200, 400, 401, 403, 404, 405, ...rare];

  expect(expected.filter((status) => !statuses.has(status))).toEqual([]);
});

const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []]));

let serial = 0;

function newNetwork(): string {
  serial += 1;
  return `10.0.${serial >> 8}.${serial & 255}`;
}

type Newcomer = Awaited<ReturnType<typeof newcomer>>;

async function newcomer() {
  const caller = await createCaller();
  const anonymous = createClient();
  await anonymous.get('/api/health/');
  return { ...caller, anonymous };
}

/** The path and the body of a request, with ids, addresses and tokens that exist. */
async function fill(request: FuzzRequest, ada: Newcomer, stranger: Newcomer) {
  const { course = '', account = '' } = stranger.things;
  const knownIds = new Map([
    ['own', ada.user.id],
    ['course', request.id === 'course' ? await idFor(request.path, ada) : ''],
    ['foreign', request.path.includes('courses') ? course : account],
  ]);
  const id = knownIds.get(request.id) ?? request.id;
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]) => [name, value ?? '']),
  );
  return {
    path: `${request.path.replace('{id}', encodeURIComponent(id.toWellFormed()))}?${query}`,
    raw: request.body
      ?.replaceAll('"own"', JSON.stringify(ada.user.email))
      .replaceAll('"known"', JSON.stringify(stranger.user.email))
      .replace('"token":"link"', `"token":"${await liveToken(request.body, ada.user)}"`),
  };
}

/** The id of what the examples of a path's feature make for it; otherwise, of a course. */
async function idFor(path: string, caller: Newcomer): Promise<string> {
  const { things } = caller;
  const calls = exampleCalls.find((ofFeature) => ofFeature.some(isOfPath)) ?? [];
  const [, name = 'course'] = /\{(\w+)\}/.exec(calls.find(isOfPath)?.path ?? '') ?? [];
  if (things[name] === undefined) {
    await makeThings(caller, calls);
  }
  return things[name] ?? things['course'] ?? '';

  function isOfPath(call: { path: string }): boolean {
    return documentedPath(call.path) === path;
  }
}

/** A valid token for a body that needs one. */
async function liveToken(body: string, user: { id: string; emailCanonical: string }) {
  if (!body.includes('"token":"link"')) {
    return '';
  }
  await db.delete(links).where(eq(links.userId, user.id));
  return createLink(user);
}
