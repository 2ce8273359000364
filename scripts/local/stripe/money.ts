/** Currencies whose amounts Stripe wants with digits that they do not have. */
const divisors: Record<string, number> = {
  ...{ isk: 100, ugx: 100 },
  ...{ bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 },
};

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
