import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import type { MiddlewareHandler } from 'hono';
import type { ZodMiniObject } from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import type { HonoEnv } from '#middleware/request-context.ts';
import type { ErrorCode } from '#vocabulary.ts';

export type HeaderDescription = {
  name: string;
  description: MessageDescriptor;
  maxLength?: number;
};

/** A route's description in the schema document; the router has method, path and parameters. */
export type RouteDescription = {
  summary: MessageDescriptor;
  /** The success responses by status; null without a body. */
  answers: Record<number, $ZodType | null>;
  answerHeaders: Record<string, MessageDescriptor>;
  /** The media types of success responses, if not only JSON. */
  mediaTypes: string[];
  /** The error codes of the verb; middleware adds others to every route. */
  errors: ErrorCode[];
  /** What the answers to some of them have beside the fields of every error. */
  errorDetails: Partial<Record<ErrorCode, ZodMiniObject>>;
  headers: HeaderDescription[];
  /** Query parameters by name, with their possible values. */
  query: Record<string, readonly string[] | 'text'>;
  /** The media type of a body that is not JSON and that our pages send without the CSRF token. */
  envelope: string;
  /** The media type of a body that is passed on as it is. */
  bytes: string;
  /** Added by `jsonInput`: the request body. */
  input: $ZodType;
  /** Added by `requireViewer`. */
  isSignedIn: true;
};

const descriptions = new WeakMap<object, Partial<RouteDescription>>();

/** Attaches to a middleware what it adds to the description of its routes. */
export function describing<Middleware extends object>(
  description: Partial<RouteDescription>,
  middleware: Middleware,
): Middleware {
  descriptions.set(middleware, description);
  return middleware;
}

/** What a caller may give for the described parameters of a query. */
type Parameters<Query> = {
  [Name in keyof Query]?: Query[Name] extends readonly (infer Value)[] ? Value : string;
};

/** The first handler of a route, which holds its description, and the type of its query. */
export function describe<const Query extends RouteDescription['query'] = Record<never, 'text'>>(
  description: Pick<RouteDescription, 'summary' | 'answers'> &
    Partial<RouteDescription> & { query?: Query },
): MiddlewareHandler<HonoEnv, string, { in: { query: Parameters<Query> } }> {
  return describing(description, async (_c, next) => next());
}

/** The merged descriptions of a route's handlers; null if none has a summary. */
export function descriptionOf(handlers: object[]): RouteDescription | null {
  const parts = handlers.map((handler) => descriptions.get(handler) ?? {});
  const whole = Object.assign(
    {
      answerHeaders: {},
      errors: [],
      errorDetails: {},
      headers: [],
      mediaTypes: ['application/json'],
      query: {},
    },
    ...parts,
  );
  return whole.summary === undefined ? null : whole;
}
