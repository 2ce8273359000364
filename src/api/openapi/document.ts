import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { RouterRoute } from 'hono/types';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { descriptionOf, type RouteDescription } from '#api/describe.ts';
import { ErrorBody } from '#api/error-body.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import { type ErrorCode, errors } from '#vocabulary.ts';

type Operation = { method: string; path: string; description: RouteDescription };

const safeMethods = ['get', 'head', 'options'];

/**
 * The OpenAPI 3.1 document of a router, from its routes and the schemas of their input and output.
 *
 * @param routes of the whole app, including middleware
 * @param i18n the language of all descriptions
 * @param origin the origin of the API
 */
export function openApiDocument(routes: RouterRoute[], i18n: I18n, origin: string) {
  const schemas = createSchemas();
  const tools = { schemas, i18n };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operationsOf(routes)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method] = operationObject(operation, tools);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lectern',
      version: '1',
      description: i18n._(
        msg`The API of Lectern. Requests that change something carry the token of the cookie csrftoken (__Host-csrftoken on https) in the header X-CSRFToken, and our own origin. Messages are in the language of the cookie language, else of Accept-Language.`,
      ),
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRFToken' },
      },
    },
  };
}

/** The routes that have a description. The router lists each handler of a route separately. */
function operationsOf(routes: RouterRoute[]): Operation[] {
  const handlers = Map.groupBy(routes, ({ method, path }) => `${method} ${path}`);
  return [...handlers.values()].flatMap((list) => {
    const description = descriptionOf(list.map(({ handler }) => handler));
    const [{ method = '', path = '' } = {}] = list;
    return description === null ? [] : [{ method: method.toLowerCase(), path, description }];
  });
}

function operationObject(operation: Operation, tools: Tools) {
  const { method, path, description } = operation;
  const { schemas, i18n } = tools;
  const { summary, answers, input, envelope, bytes, isSignedIn } = description;
  const bodyType = envelope ?? bytes;
  const isGuarded = isCsrfGuarded(method, path) && !envelope;
  const words = path.split(/[/:]+/).filter((word) => word !== '' && word !== 'api');
  const requirement = { ...(isSignedIn && { session: [] }), ...(isGuarded && { csrf: [] }) };
  return {
    operationId: method + words.map((word) => pascal(word)).join(''),
    summary: i18n._(summary),
    tags: [words[1] === 'auth' ? 'auth' : words[0]],
    security: Object.keys(requirement).length > 0 ? [requirement] : [],
    parameters: parametersOf(path, description, i18n),
    ...(input && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.convert(input, 'input') } },
      },
    }),
    ...(bodyType && {
      requestBody: { required: true, content: { [bodyType]: { schema: { type: 'string' } } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          successResponse(answer, description, tools),
        ]),
      ),
      ...errorResponses(operation, tools),
    },
  };
}

function pascal(word: string): string {
  return word.replace(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase());
}

function parametersOf(path: string, { headers, query }: RouteDescription, i18n: I18n) {
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...headers.map(({ name, description, maxLength }) => ({
      name,
      in: 'header',
      description: i18n._(description),
      schema: { type: 'string', minLength: 1, ...(maxLength !== undefined && { maxLength }) },
    })),
    ...Object.entries(query).map(([name, values]) => ({
      name,
      in: 'query',
      schema: { type: 'string', ...(values !== 'text' && { enum: values }) },
    })),
  ];
}

function successResponse(
  answer: $ZodType | null,
  { answerHeaders, mediaTypes }: RouteDescription,
  { schemas, i18n }: Tools,
) {
  const headers = Object.entries(answerHeaders).map(([name, description]) => [
    name,
    { description: i18n._(description), schema: { type: 'string' } },
  ]);
  return {
    description: answer === null ? i18n._(msg`Done; the response has no body`) : i18n._(msg`Done`),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(answer && {
      content: Object.fromEntries(
        mediaTypes.map((type) => [type, { schema: schemas.convert(answer, 'output') }]),
      ),
    }),
  };
}

/** The error responses by status, each with its possible codes. */
function errorResponses(operation: Operation, { schemas, i18n }: Tools) {
  const codes = new Set([...operation.description.errors, ...commonErrors(operation)]);
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const details = codes.flatMap((code) => operation.description.errorDetails[code] ?? []);
      const body = details.reduce((whole, { shape }) => z.extend(whole, shape), ErrorBody);
      const schema: JsonSchema = {
        allOf: [schemas.convert(body, 'output'), { properties: { code: { enum: codes } } }],
      };
      return [
        status,
        {
          description: codes.join(', '),
          ...(status === 429 && {
            headers: {
              'Retry-After': {
                description: i18n._(msg`How many seconds to wait before trying again`),
                schema: { type: 'integer', minimum: 1 },
              },
            },
          }),
          content: { 'application/json': { schema } },
        },
      ];
    }),
  );
}

function isCsrfGuarded(method: string, path: string): boolean {
  return !safeMethods.includes(method) && kindOf(path).csrf !== 'exempt';
}

/** The errors that middleware can answer for a route. */
function commonErrors({ method, path, description }: Operation): ErrorCode[] {
  const { isSignedIn, input, headers, query } = description;
  const isParsed = input !== undefined || headers.length > 0 || Object.keys(query).length > 0;
  return [
    'internal',
    'unavailable',
    'misdirected',
    'rate_limited',
    'url_too_long',
    'cookies_too_large',
    ...(isSignedIn ? (['unauthenticated'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(isParsed ? (['validation_failed'] as const) : []),
    ...(safeMethods.includes(method)
      ? []
      : (['malformed_body', 'unsupported_media_type', 'body_too_large'] as const)),
    ...(isCsrfGuarded(method, path) ? (['csrf_failed'] as const) : []),
  ];
}

type JsonSchema = Record<string, unknown>;

/** The schemas of a document, each of which is defined once and referenced; and its language. */
type Tools = { schemas: ReturnType<typeof createSchemas>; i18n: I18n };

const modules = import.meta.glob<Record<string, unknown>>('../../features/**/schema.ts', {
  eager: true,
});
// An object is named like its export, unless it has registered a name itself.
for (const [name, schema] of Object.values(modules).flatMap((module) => Object.entries(module))) {
  if (schema instanceof z.core.$ZodObject) {
    z.globalRegistry.add(schema, { id: name, ...z.globalRegistry.get(schema) });
  }
}

function createSchemas() {
  const components: Record<string, JsonSchema> = {};

  /** The schema of a body; that of a response allows no other properties. */
  function convert(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs)) {
      components[name] = pointToComponents(definition);
    }
    return pointToComponents(converted);
  }

  return { components, convert };
}

/** Zod keeps definitions in each schema, OpenAPI in one section for all. */
function pointToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
