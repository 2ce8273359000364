import { isEarlyAt } from '#lib/price.ts';
import type { CohortRow } from './get-cohort.ts';

type PriceColumns = Pick<
  CohortRow,
  'priceMinor' | 'currency' | 'earlyPriceMinor' | 'earlyUntilAt' | 'earlyUntilLocal'
>;

/** The price at a moment; null where the cohort has none. */
export function priceAt(row: PriceColumns, now: Date) {
  const { priceMinor, currency, earlyPriceMinor, earlyUntilAt, earlyUntilLocal } = row;
  if (priceMinor === null || currency === null) {
    return null;
  }
  const isEarly =
    earlyPriceMinor !== null && earlyUntilLocal !== null && isEarlyAt(earlyUntilAt, now);
  return {
    minor: priceMinor,
    currency,
    /** At that moment. */
    minorNow: isEarly ? earlyPriceMinor : priceMinor,
    /** Null once it is over. */
    early: isEarly
      ? { minor: earlyPriceMinor, untilLocal: earlyUntilLocal, untilAt: earlyUntilAt }
      : null,
  };
}
