import { type SQL, sql } from 'drizzle-orm';
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

/** What an enrollment costs in cohort `c` by the moment at which it got its status, as SQL. */
export function priceThen(enrollment: string): SQL {
  return sql.raw(`(CASE WHEN ${enrollment}.status_changed_at < c.early_until_at
    THEN c.early_price_minor ELSE c.price_minor END)`);
}
