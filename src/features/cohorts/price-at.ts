import type { CohortRow } from './get-cohort.ts';

type PriceColumns = Pick<
  CohortRow,
  'priceMinor' | 'currency' | 'earlyPriceMinor' | 'earlyUntilAt' | 'earlyUntilLocal'
>;

/** What a place costs at a moment; null where the cohort has no price. */
export function priceAt(row: PriceColumns, now: Date) {
  const { priceMinor, currency, earlyPriceMinor, earlyUntilAt, earlyUntilLocal } = row;
  if (priceMinor === null || currency === null) {
    return null;
  }
  const isEarly =
    earlyPriceMinor !== null &&
    earlyUntilAt !== null &&
    earlyUntilLocal !== null &&
    now < earlyUntilAt;
  return {
    minor: priceMinor,
    currency,
    /** Null once it is over. */
    early: isEarly
      ? { minor: earlyPriceMinor, untilLocal: earlyUntilLocal, untilAt: earlyUntilAt }
      : null,
  };
}
