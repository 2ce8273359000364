import type { MessageDescriptor } from '@lingui/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Error codes, each with the status of the answer and what people read. Codes never change. */
export type Errors = Record<string, { status: ContentfulStatusCode; text: MessageDescriptor }>;

/** Limits by name, each with its rates, such as `3/15m`; all rates of a limit hold at once. */
export type LimitRates = Record<string, readonly string[]>;

/** What is said about a field that does not pass, by the code that schemas give it. */
export type ValidationTexts = Record<string, MessageDescriptor>;

/** A name that two of the parts have. */
type Doubles<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? Extract<keyof First, NamesOf<Rest[number]>> | Doubles<Rest>
  : never;

type NamesOf<Part> = Part extends unknown ? keyof Part : never;

/** What each vocabulary has under a name; nothing where it has no such part. */
type PartsOf<Vocabularies, Kind extends string> = {
  [Index in keyof Vocabularies]: Vocabularies[Index] extends Record<Kind, infer Part>
    ? Part
    : Record<never, never>;
};

type Union<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? First & Union<Rest>
  : unknown;

/** All the parts in one; what two of them name does not compile. */
type Merged<Parts> = [Doubles<Parts>] extends [never]
  ? { [Name in keyof Union<Parts>]: Union<Parts>[Name] }
  : { 'is named twice': Doubles<Parts> };

/**
 * One part of all vocabularies, merged. Where a name is given twice, the result has none of the
 * names, so that nothing that uses it compiles.
 */
export function merge<const Vocabularies extends readonly object[], const Kind extends string>(
  vocabularies: Vocabularies,
  kind: Kind,
) {
  const parts = vocabularies.map((vocabulary) => (vocabulary as Record<string, object>)[kind]);
  return Object.assign({}, ...parts) as Merged<PartsOf<Vocabularies, Kind>>;
}
