import { expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import type { ErrorBody } from '#api/error-body.ts';
import { api } from '#api.ts';
import { answerOf } from '#support/answers.ts';
import { createClient } from '#support/client.ts';
import { breachOf, operations } from '#support/contract.ts';
import { createSignedInClient } from '#support/factories.ts';

const schemaPath = '/api/schema/';
const unknownValue = 'This value is unknown.';

type Document = {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, { summary: string; responses: object }>>;
  components: { schemas: Record<string, unknown> };
};

test('the document lists exactly the routes of the router', () => {
  const routed = api.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = operations.map(({ method, path }) => `${method} ${path}`);

  expect(documented.sort()).toEqual([...new Set(routed)].sort());
  expect(documented.length).toBeGreaterThan(20);
});

/** What is for people without a session. Every other route asks a stranger to sign in. */
const openRooms = /^\/api\/(learning|mail|participation|public|webhooks)\//;
const openRoutes = [
  'POST /api/accounts/',
  'POST /api/accounts/auth/signup/',
  'POST /api/accounts/auth/login/',
  'POST /api/accounts/auth/confirm/',
  'POST /api/accounts/auth/undo-address-change/',
  'POST /api/accounts/auth/logout/',
  'POST /api/accounts/auth/google/login/',
  'GET /api/accounts/auth/google/callback/',
  'POST /api/error-reports/',
  'GET /api/health/',
  'GET /api/schema/',
];

// How each answers those who may call it: db/plans.test.ts, which calls them all.
test('a stranger is asked to sign in by every route that is not listed as open', async () => {
  const stranger = createClient();
  await stranger.get('/api/health/');
  const closed = operations.filter(
    ({ method, path }) => !openRooms.test(path) && !openRoutes.includes(`${method} ${path}`),
  );
  const answers = await Promise.all(
    closed.map(async ({ method, path }) => {
      const address = path.replace(/\{\w+\}/g, crypto.randomUUID());
      const { status } = await stranger.request(method, address, method === 'GET' ? undefined : {});
      return { method, path, status };
    }),
  );

  expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
  expect(answers.length).toBeGreaterThan(100);
});

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
    const { body } = await answerOf<Document>(client.get(schemaPath + query, { headers }));
    return body.paths['/api/courses/']?.['post']?.summary;
  };
  const english = 'Creates a course and selects it';
  const french = 'Crée un cours et le sélectionne';

  expect(await summary('')).toBe(english);
  expect(await summary('?lang=fr')).toBe(french);
  expect(await summary('', { 'Accept-Language': 'fr' })).toBe(french);
  expect(await summary('?lang=en', { 'Accept-Language': 'fr' })).toBe(english);
});

test('descriptions, and rules checked by a function, are in the document too; an unknown parameter is named', async () => {
  const client = createClient();
  const unknown = await answerOf(client.get(`${schemaPath}?lang=de`));
  expect(unknown).toMatchObject({ status: 400, body: { fields: { lang: [unknownValue] } } });

  const { body } = await answerOf<Document>(client.get(schemaPath));
  expect(body.components.schemas).toMatchObject({
    SignUpInput: {
      required: ['first_name', 'last_name', 'email'],
      properties: { first_name: { type: 'string', minLength: 2, maxLength: 49 } },
    },
    CourseInput: { properties: { course_type: { description: expect.any(String) } } },
  });
});

test('the contract check notices violations', async () => {
  const json = { 'Content-Type': 'application/json; charset=utf-8' };
  const breach = (status: number, body: unknown) =>
    breachOf('GET', '/api/accounts/auth/user/', Response.json(body, { status, headers: json }));
  const { client, user } = await createSignedInClient();
  const { body: account } = await answerOf<object>(client.get('/api/accounts/auth/user/'));
  const error: ErrorBody = { code: 'unauthenticated', message: 'Log in', request_id: 'x' };

  expect(await breach(200, account)).toBeNull();
  expect(await breach(401, error)).toBeNull();
  expect(await breach(200, { ...account, google_sub: user.id })).toContain('google_sub');
  expect(await breach(404, error)).toContain('is not documented');
  expect(await breach(401, { ...error, code: 'not_found' })).toContain('unauthenticated');
});

/** Without workerd's warning that YAML may not be text. */
async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer());
}
