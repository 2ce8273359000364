import type { ExtractSchema } from 'hono/types';
import type { Routes } from '#api.ts';

/** Hono's type of all routes, by pattern, such as `/api/courses/:id/`, and method. */
type Schema = ExtractSchema<Routes>;

/** A path that `apiPaths` makes from a pattern: an id is any string. */
type Address<Pattern extends string> = Pattern extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}${string}/${Address<Rest>}`
  : Pattern;

/** The pattern of a path. Checked both ways, because an id may match other routes too. */
type PatternOf<Path extends string> = {
  [Pattern in keyof Schema & string]: Path extends Address<Pattern>
    ? Address<Pattern> extends Path
      ? Pattern
      : never
    : never;
}[keyof Schema & string];

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Endpoint<Path extends string, Method extends ApiMethod> = Path extends string
  ? Schema[PatternOf<Path>] extends Record<`$${Lowercase<Method>}`, infer Route>
    ? Route
    : never
  : never;

export type ApiPath<Method extends ApiMethod = ApiMethod> = {
  [Pattern in keyof Schema & string]: keyof Schema[Pattern] & `$${Lowercase<Method>}` extends never
    ? never
    : Address<Pattern>;
}[keyof Schema & string];

export type MethodOf<Path extends string> = {
  [Method in ApiMethod]: [Endpoint<Path, Method>] extends [never] ? never : Method;
}[ApiMethod];

/** A compile error for calls without a method to a path that does not accept POST. */
export type Taken<Method> = [Method] extends [never] ? never : unknown;

/** The request body of a route, as JSON or bytes; undefined if it has none. */
export type InputOf<Path extends string, Method extends ApiMethod> =
  Endpoint<Path, Method> extends { input: { json: infer Input } | { bytes: infer Input } }
    ? Input
    : undefined;

/** The query parameters that a route describes; undefined if there are none. */
export type QueryOf<Path extends string, Method extends ApiMethod> =
  Endpoint<Path, Method> extends { input: { query: infer Query extends Record<string, string> } }
    ? [keyof Query] extends [never]
      ? undefined
      : Query
    : undefined;

/** The body of a route's success response; never if it has none. */
export type OutputOf<Path extends string, Method extends ApiMethod> = JsonOf<
  Endpoint<Path, Method>
>;

type JsonOf<Route> = Route extends { output: infer Output; outputFormat: 'json' } ? Output : never;
