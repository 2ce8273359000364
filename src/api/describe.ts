import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import type { MiddlewareHandler } from 'hono';
import type { $ZodType } from 'zod/v4/core';
import type { HonoEnv } from '#middleware/request-context.ts';
import type { ErrorCode } from '#vocabulary.ts';

/** What a request header of a route is for. */
export type HeaderDescription = {
  name: string;
  description: MessageDescriptor;
  maxLength?: number;
};

/** What stands in the schema document about a route; its method, path and parameters are the router's. */
export type RouteDescription = {
  summary: MessageDescriptor;
  /** The answers of success by status; null where there is no body. */
  answers: Record<number, $ZodType | null>;
  answerHeaders: Record<string, MessageDescriptor>;
  /** What the answers of success are written in, where it is not JSON alone. */
  mediaTypes: string[];
  /** What the verb may refuse with, besides what middleware adds to every route. */
  errors: ErrorCode[];
  headers: HeaderDescription[];
  /** Query parameters by name, with the values they may have. */
  query: Record<string, readonly string[] | 'text'>;
  /** The media type of a body that is no JSON and comes from our own pages without the CSRF token. */
  envelope: string;
  /** Added by `jsonInput`: the body that the route takes. */
  input: $ZodType;
  /** Added by `requireViewer`. */
  isSignedIn: true;
};

const descriptions = new WeakMap<object, Partial<RouteDescription>>();

/** Notes down what a middleware does to the routes that it stands in front of. */
export function describing<Middleware extends object>(
  description: Partial<RouteDescription>,
  middleware: Middleware,
): Middleware {
  descriptions.set(middleware, description);
  return middleware;
}

/** Says in its route what the route is for, and how it answers. */
export function describe(
  description: Pick<RouteDescription, 'summary' | 'answers'> & Partial<RouteDescription>,
): MiddlewareHandler<HonoEnv> {
  return describing(description, async (_c, next) => next());
}

/** What all the handlers of one route say together; null when none says what it is for. */
export function descriptionOf(handlers: object[]): RouteDescription | null {
  const parts = handlers.map((handler) => descriptions.get(handler) ?? {});
  const whole = Object.assign(
    { answerHeaders: {}, errors: [], headers: [], mediaTypes: ['application/json'], query: {} },
    ...parts,
  );
  return whole.summary === undefined ? null : whole;
}
