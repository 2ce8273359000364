import type { MessageDescriptor } from '@lingui/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Error codes, each with its HTTP status and message. Codes never change. */
export type Errors = Record<string, { status: ContentfulStatusCode; text: MessageDescriptor }>;

/** Errors that answer with the same status. */
export function withStatus<const Code extends string>(
  status: ContentfulStatusCode,
  texts: Record<Code, MessageDescriptor>,
) {
  const errors = Object.entries<MessageDescriptor>(texts).map(([code, text]) => [
    code,
    { status, text },
  ]);
  // The codes are those of the texts.
  return Object.fromEntries(errors) as Record<Code, Errors[string]>;
}

/** Limits by name, each with its rates, such as `3/15m`; all rates of a limit hold at once. */
export type LimitRates = Record<string, readonly string[]>;

/** The messages for invalid fields, by the validation code of the schema. */
export type ValidationTexts = Record<string, MessageDescriptor>;

/** The names that several parts have. */
type Doubles<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? Extract<keyof First, NamesOf<Rest[number]>> | Doubles<Rest>
  : never;

type NamesOf<Part> = Part extends unknown ? keyof Part : never;

/** One part of each vocabulary; empty for a vocabulary without it. */
type PartsOf<Vocabularies, Kind extends string> = {
  [Index in keyof Vocabularies]: Vocabularies[Index] extends Record<Kind, infer Part>
    ? Part
    : Record<never, never>;
};

type Union<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? First & Union<Rest>
  : unknown;

/** All parts merged; a compile error if two have the same name. */
type Merged<Parts> = [Doubles<Parts>] extends [never]
  ? { [Name in keyof Union<Parts>]: Union<Parts>[Name] }
  : { 'is named twice': Doubles<Parts> };

/** Merges one part of all vocabularies. With a doubled name, code that uses it does not compile. */
export function merge<const Vocabularies extends readonly object[], const Kind extends string>(
  vocabularies: Vocabularies,
  kind: Kind,
) {
  const parts = vocabularies.map((vocabulary) => (vocabulary as Record<string, object>)[kind]);
  return Object.assign({}, ...parts) as Merged<PartsOf<Vocabularies, Kind>>;
}
