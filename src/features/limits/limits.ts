import * as z from 'zod/mini';

/** At most so often in so many seconds. */
export type Rate = { count: number; seconds: number };

/** Every limit by its name; all rates of a limit hold at once. Operators set others in LIMITS of wrangler.toml. */
export const defaultLimits = {
  /** Emails with a link to one address, whatever they are for. */
  mails_per_address: ['3/15m', '10/d'],
  /**
   * The same, asked for by a browser or network that has signed in to the account before; these
   * count here alone.
   */
  mails_per_address_reserved: ['3/15m', '10/d'],
  /** Sign-ups with one address, whether or not it has an account. */
  sign_ups_per_address: ['3/15m', '10/d'],
  /** Emails with a link, asked for from one place. */
  mails_per_ip: ['10/m', '50/h'],
  /** Logins with an address that has no account, which could otherwise be tried out one by one. */
  unknown_addresses_per_ip: ['20/h'],
  /**
   * The same from all places together. When it is full, only browsers and networks known to an
   * account can ask for its link.
   */
  unknown_addresses: ['1000/h'],
  /** Mails to anybody, so that nobody uses up what the operator's plan allows. */
  mails: ['500/h'],
  /** Of these, mails to addresses that nobody has proven yet, so that a flood of sign-ups leaves room for logins. */
  mails_to_unproven: ['300/h'],
  /** Links that are tried from one place. */
  confirmations_per_ip: ['20/m'],
  google_starts_per_ip: ['20/m'],
  google_callbacks_per_ip: ['20/m'],
  address_changes_per_user: ['5/d'],
  courses_per_user: ['10/m', '100/d'],
  exports_per_user: ['3/d'],
} as const satisfies Record<string, readonly string[]>;

export type LimitName = keyof typeof defaultLimits;
/** The limits of a place, which hold for its network too; see limit-on.ts. */
export type NetworkLimitName = Extract<LimitName, `${string}_per_ip`>;

export function isPerNetwork(limit: LimitName): limit is NetworkLimitName {
  return limit.endsWith('_per_ip');
}

export type Limits = Record<LimitName, Rate[]>;

const unitSeconds = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** Reads `3/15m`: at most 3 in 15 minutes. Units are s, m, h and d; without a number, one. Null for anything else. */
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

/** The setting LIMITS: rates by the name of their limit. What it does not name keeps its default; an empty list is no limit. */
export const LimitsSetting = z.pipe(
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(Rates)])), {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `does not know ${issue.keys.join(', ')}; the limits are ${names.join(', ')}`
        : 'must name limits, each with a list of rates',
  }),
  z.transform((given): Limits => {
    const rates = names.map((name) => [name, given[name] ?? defaultLimits[name].map(parseRate)]);
    return Object.fromEntries(rates);
  }),
);
