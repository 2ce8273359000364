/** Currencies whose amounts Stripe wants with digits that they do not have. */
const divisors: Record<string, number> = {
  ...{ isk: 100, ugx: 100 },
  ...{ bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 },
};

/** Examples of what one payment can be, in Stripe's units; of all others, from 50 to 8 digits. */
const ranges: Record<string, [least: number, most: number]> = {
  gbp: [30, 99_999_999],
  huf: [17_500, 9_999_999_999],
  idr: [50, 999_999_999_999],
  inr: [50, 999_999_999],
  mxn: [1_000, 99_999_999],
  // Half a dollar, which the account would get.
  isk: [7_000, 99_999_999],
  vnd: [13_000, 99_999_999],
};

export function rangeOf(currency: string): [least: number, most: number] {
  return ranges[currency] ?? [50, 99_999_999];
}

/** What an amount must be divisible by. */
export function divisorOf(currency: string): number {
  return divisors[currency] ?? 1;
}

/** An amount in the smallest unit of a currency, as English writes it. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  const digits = divisorOf(currency) === 100 ? 2 : maximumFractionDigits;
  return format.format(amount / 10 ** digits);
}
