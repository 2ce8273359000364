import type { ExtractSchema } from 'hono/types';
import type { Routes } from '#api/app.ts';

/** Every route by its pattern, such as `/api/courses/:id/`, with its methods: Hono's own type. */
type Schema = ExtractSchema<Routes>;

/** An address as `apiPaths` makes it from a pattern: an id is any text. */
type Address<Pattern extends string> = Pattern extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}${string}/${Address<Rest>}`
  : Pattern;

/** The pattern of an address. Both ways, because an id of any text would match other routes too. */
type PatternOf<Path extends string> = {
  [Pattern in keyof Schema & string]: Path extends Address<Pattern>
    ? Address<Pattern> extends Path
      ? Pattern
      : never
    : never;
}[keyof Schema & string];

export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Endpoint<Path extends string, Method extends ApiMethod> = Path extends string
  ? Schema[PatternOf<Path>] extends Record<`$${Lowercase<Method>}`, infer Found>
    ? Found
    : never
  : never;

/** The addresses of the API that take a method. */
export type ApiPath<Method extends ApiMethod = ApiMethod> = {
  [Pattern in keyof Schema & string]: keyof Schema[Pattern] & `$${Lowercase<Method>}` extends never
    ? never
    : Address<Pattern>;
}[keyof Schema & string];

/** The methods that an address takes. */
export type MethodOf<Path extends string> = {
  [Method in ApiMethod]: [Endpoint<Path, Method>] extends [never] ? never : Method;
}[ApiMethod];

/** Makes a call without a method not compile where the address takes no POST. */
export type Taken<Method> = [Method] extends [never] ? never : unknown;

/** The body that a route takes; undefined where it takes none. */
export type InputOf<Path extends string, Method extends ApiMethod> =
  Endpoint<Path, Method> extends { input: { json: infer Input } } ? Input : undefined;

/** What a route answers with when all is well; never where there is no body. */
export type OutputOf<Path extends string, Method extends ApiMethod> = JsonOf<
  Endpoint<Path, Method>
>;

type JsonOf<Found> = Found extends { output: infer Output; outputFormat: 'json' } ? Output : never;
