import * as z from 'zod/mini';
import { defaultLimits, type LimitName } from '#vocabulary.ts';

/** At most `count` times in `seconds`. */
export type Rate = { count: number; seconds: number };

/** The limits per client network, which also count for the wider network; see limit-on.ts. */
export type NetworkLimitName = Extract<LimitName, `${string}_per_ip`>;

export function isPerNetwork(limit: LimitName): limit is NetworkLimitName {
  return limit.endsWith('_per_ip');
}

export type Limits = Record<LimitName, Rate[]>;

const unitSeconds = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** Parses rates such as `3/15m` (3 in 15 minutes). Units: s, m, h, d. Null if malformed. */
export function parseRate(text: string): Rate | null {
  const [, count, units, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})?([smhd])$/.exec(text) ?? [];
  return count === undefined
    ? null
    : {
        count: Number(count),
        seconds: Number(units ?? 1) * unitSeconds[unit as keyof typeof unitSeconds],
      };
}

const RateText = z.pipe(
  z
    .string('must be a text such as "3/15m"')
    .check(z.refine((text) => parseRate(text) !== null, 'must look like "3/15m", 3 in 15 minutes')),
  z.transform((text) => parseRate(text) as Rate),
);

const Rates = z
  .array(RateText, 'must be a list such as ["3/15m", "10/d"]')
  .check(
    z.refine(
      (rates) => new Set(rates.map(({ seconds }) => seconds)).size === rates.length,
      'must not name two rates over the same time',
    ),
  );

const names = Object.keys(defaultLimits) as LimitName[];

/** The setting LIMITS: rates that override the defaults, by limit. An empty list means no limit. */
export const LimitsSetting = z.pipe(
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(Rates)])), {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `does not know ${issue.keys.join(', ')}; the limits are ${names.join(', ')}`
        : 'must name limits, each with a list of rates',
  }),
  z.transform((setting): Limits => {
    const rates = names.map((name) => [name, setting[name] ?? defaultLimits[name].map(parseRate)]);
    return Object.fromEntries(rates);
  }),
);
