import { expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import type { ErrorBody } from '#api/error-body.ts';
import { api } from '#api.ts';
import { createClient } from '#support/client.ts';
import { breachOf, operations } from '#support/contract.ts';
import { documentedPath, exampleCalls, fillIn, makeThings } from '#support/examples.ts';
import {
  createChange,
  createCourseRow,
  createLink,
  createSignedInClient,
  type createUser,
  uniqueEmail,
} from '#support/factories.ts';
import { participantCall } from '#support/participants.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe, signatureOf } from '#support/stripe.ts';
import { bounced, signedHeaders } from '#support/webhook.ts';

const schemaPath = '/api/schema/';

type Document = {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, { summary: string; responses: object }>>;
  components: { schemas: Record<string, unknown> };
};

/** All but those for error reports, parts of files and pictures, which are no JSON and have own tests. */
const ofJson = operations.filter(
  ({ operation: { requestBody } }) =>
    requestBody === undefined || 'application/json' in requestBody.content,
);

test('the document lists exactly the routes of the router', async () => {
  const routed = new Set(
    api.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  );
  const documented = operations.map(({ method, path }) => `${method} ${path}`);

  expect(documented.sort()).toEqual([...routed].sort());
  expect(documented.length).toBeGreaterThan(20);
  expect(operations.length - ofJson.length).toBe(4);
});

type Actor = Awaited<ReturnType<typeof createUser>>;

/** The input that routes without an example need to succeed; the others need none. */
const bodies: Record<string, (user: Actor) => unknown> = {
  'POST /api/accounts/': newPerson,
  'POST /api/accounts/auth/signup/': newPerson,
  'POST /api/accounts/auth/login/': ({ email }) => ({ email }),
  'POST /api/accounts/auth/confirm/': async (user) => ({ token: await createLink(user) }),
  'POST /api/accounts/auth/undo-address-change/': async (user) => ({
    token: (await createChange(user)).stopToken,
  }),
  'POST /api/webhooks/resend/': ({ email }) => bounced(email),
  'POST /api/webhooks/stripe/': () => ({ type: 'payout.paid', data: { object: {} } }),
};

test.each(ofJson)(
  '$method $path answers every caller as documented',
  async ({ method, path, operation }) => {
    fakeResend();
    fakeStripe();
    const { client, user } = await createSignedInClient();
    const course = await createCourseRow(user.id);
    const stranger = createClient();
    await Promise.all([client.get('/api/health/'), stranger.get('/api/health/')]);
    const { address, body, refusal, cookie }: FilledCall = await callTo(method, path, {
      user,
      courseId: course.id,
      send: client.request,
    });
    // The client checks each answer against the document.
    const needsSession = operation.security.some((scheme) => 'session' in scheme);
    if (needsSession) {
      expect((await stranger.request(method, address, body)).status).toBe(401);
    }
    const isSigned = operation.parameters.some(({ name }) => name === 'svix-signature');
    const isOfStripe = operation.parameters.some(({ name }) => name === 'stripe-signature');
    const { status } = await client.request(method, address, body, {
      headers: {
        ...(isSigned && (await signedHeaders(JSON.stringify(body)))),
        ...(isOfStripe && { 'stripe-signature': await signatureOf(JSON.stringify(body)) }),
        ...(cookie !== undefined && { Cookie: cookie }),
      },
    });

    const successes = Object.keys(operation.responses).filter((promised) => Number(promised) < 400);
    expect(refusal ?? successes).toContain(String(status));
  },
);

type FilledCall = {
  address: string;
  body: unknown;
  refusal?: string[] | undefined;
  cookie?: string;
};

type Caller = {
  user: Actor;
  courseId: string;
  send: (method: string, path: string, input: unknown) => Promise<Response>;
};

/** By an example of its feature, after making what that example needs. */
async function callTo(method: string, path: string, { user, courseId, send }: Caller) {
  const calls = exampleCalls.find((ofFeature) => ofFeature.some(isWanted));
  const example = calls?.find(isWanted);
  const ofParticipant = await participantCall(`${method} ${path}`, user.id);
  if (ofParticipant !== null) {
    return ofParticipant;
  }
  if (calls === undefined || example === undefined) {
    const id = path.includes('sessions') ? 'current' : user.id;
    const body = await bodies[`${method} ${path}`]?.(user);
    return { address: path.replace('{id}', id), body };
  }
  const { id: account, email } = user;
  const things = { account, email, course: courseId, otherCourse: courseId };
  await makeThings(calls, things, send);
  const filled = fillIn(example, things);
  return {
    address: filled.path,
    body: filled.input,
    // What it needs comes from others; tests of the feature have it.
    refusal: example.status >= 400 ? [String(example.status)] : undefined,
  };

  function isWanted(call: { method: string; path: string }): boolean {
    return call.method === method && documentedPath(call.path) === path;
  }
}

test('the document is served as JSON and as YAML with the same content, without anchors', async () => {
  const client = createClient();
  const json = await client.get(schemaPath);
  const yaml = await client.get(`${schemaPath}?format=yaml`);
  expect(json.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(yaml.headers.get('Content-Type')).toBe('application/yaml; charset=utf-8');
  const document = await json.json<Document>();
  expect(document.openapi).toMatch(/^3\.1\./);
  const text = await textOf(yaml);
  expect(text).toMatch(/^openapi: 3\.1\./);

  // YAML 1.1 parsers read more unquoted strings as numbers, dates or booleans.
  const read = parseDocument(text, { version: '1.1' });
  const repeated: unknown[] = [];
  visit(read, { Alias: (_, node) => void repeated.push(node) });
  expect(read.toJS()).toEqual(document);
  expect(read.errors).toEqual([]);
  expect(repeated).toEqual([]);
});

test('the document is in English or French, by its parameter, then by the language of the request', async () => {
  const client = createClient();
  const summary = async (query: string, headers: Record<string, string> = {}) => {
    const response = await client.get(schemaPath + query, { headers });
    const { paths } = await response.json<Document>();
    return paths['/api/courses/']?.['post']?.summary;
  };
  const english = 'Creates a course and selects it';
  const french = 'Crée un cours et le sélectionne';

  expect(await summary('')).toBe(english);
  expect(await summary('?lang=fr')).toBe(french);
  expect(await summary('', { 'Accept-Language': 'fr' })).toBe(french);
  expect(await summary('?lang=en', { 'Accept-Language': 'fr' })).toBe(english);
});

test('an unknown parameter is named', async () => {
  const response = await createClient().get(`${schemaPath}?lang=de`);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ fields: { lang: ['This value is unknown.'] } });
});

test('descriptions, and rules checked by a function, are in the document too', async () => {
  const { components } = await (await createClient().get(schemaPath)).json<Document>();

  expect(components.schemas['SignUpInput']).toMatchObject({
    required: ['first_name', 'last_name', 'email'],
    properties: { first_name: { type: 'string', minLength: 2, maxLength: 49 } },
  });
  expect(components.schemas['CourseInput']).toMatchObject({
    properties: { course_type: { description: expect.any(String) } },
  });
});

test('the contract check notices violations', async () => {
  const breach = (status: number, body: unknown, path = '/api/courses/') =>
    breachOf('GET', path, Response.json(body, { status, headers: json }));
  const json = { 'Content-Type': 'application/json; charset=utf-8' };
  const course = {
    id: crypto.randomUUID(),
    name: 'Biology',
    about: null,
    shows_outline: false,
    course_type: 'cohort',
    hue: 'teal',
    picture: null,
    is_selected: true,
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
  };
  const error: ErrorBody = { code: 'unauthenticated', message: 'Log in', request_id: 'x' };

  expect(await breach(200, [course])).toBeNull();
  expect(await breach(401, error)).toBeNull();
  expect(await breach(200, [{ ...course, owner_id: 'x' }])).toContain('owner_id');
  expect(await breach(404, error)).toContain('is not documented');
  expect(await breach(401, { ...error, code: 'not_found' })).toContain('unauthenticated');
});

function newPerson() {
  return { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
}

/** Without workerd's warning that YAML may not be text. */
async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer());
}
