import { dereference, validate } from '@cfworker/json-schema';
import { openApiDocument } from '#api/openapi/document.ts';
import { api } from '#api.ts';
import { i18nFor } from '#i18n/server.ts';

type Answer = { content?: Record<string, { schema: Record<string, unknown> }> };
export type Operation = {
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; schema: Record<string, unknown> }[];
  requestBody?: { content: { 'application/json'?: { schema: Record<string, unknown> } } };
  responses: Record<string, Answer>;
};

/** The API document, as its clients read it. */
const document = openApiDocument(api.routes, i18nFor('en'), 'https://lectern.test');
export const { components } = document;

/** Every documented method and path of the API. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    // The shape that document.ts gives every operation.
    operation: operation as Operation,
  })),
);

type Route = (typeof operations)[number];

const patterns = operations
  .map((route) => ({
    route,
    method: route.method,
    pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // Where both match, `/accounts/auth/` comes before `/accounts/{id}/`: `auth` is not an id.
  .toSorted(
    ({ route: one }, { route: other }) => one.path.split('{').length - other.path.split('{').length,
  );

/** The route that answers a call, by its path with or without a query. */
export function routeOf(method: string, path: string): Route | undefined {
  // Normalized like a URL: `/courses/./` is `/courses/`.
  const { pathname } = new URL(path, 'https://lectern.test');
  const found = patterns.find((entry) => entry.method === method && entry.pattern.test(pathname));
  return found?.route;
}

const anyError: Answer = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** What each reference of the document stands for: looked up once, because that takes longest. */
const lookup = dereference({ ...document, anyError });

/**
 * What is wrong with an answer according to the document: its status, content type or body. An
 * undocumented request must get an error of the common shape.
 *
 * @returns null if nothing is wrong
 */
export async function breachOf(
  method: string,
  path: string,
  response: Response,
): Promise<string | null> {
  const documented = routeOf(method === 'HEAD' ? 'GET' : method, path);
  const where = `${method} ${documented?.path ?? path} → ${response.status}`;
  const answer =
    documented === undefined
      ? response.status >= 400
        ? anyError
        : undefined
      : documented.operation.responses[response.status];
  if (answer === undefined) {
    return `${where} is not documented`;
  }
  const contentType = response.headers.get('Content-Type');
  // A separate test compares the document's two formats.
  if (contentType === 'application/yaml; charset=utf-8' && answer.content?.['application/yaml']) {
    return null;
  }
  // A file is text without a schema.
  if (contentType === 'text/csv; charset=utf-8' && answer.content?.['text/csv']) {
    return null;
  }
  const body = await response.clone().text();
  const schema = answer.content?.['application/json']?.schema;
  if (schema === undefined || method === 'HEAD') {
    return body === '' ? null : `${where} has a body, and none is documented`;
  }
  if (contentType !== 'application/json; charset=utf-8') {
    return `${where} is ${contentType}`;
  }
  const { valid, errors } = validate(JSON.parse(body), schema, '2020-12', lookup, false);
  return valid ? null : `${where}: ${errors.map(({ error }) => error).join(' ')}`;
}
