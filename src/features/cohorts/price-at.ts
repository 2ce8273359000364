import { isEarlyAt, priceOf } from '#lib/price.ts';
import { dayOfYear } from '#lib/time/words.ts';
import { fromJson } from '#lib/to-json.ts';
import { lastDayOf } from './cohort-dates.ts';
import type { CohortRow } from './get-cohort.ts';
import type { Cohort } from './schema.ts';

type PriceColumns = Pick<
  CohortRow,
  'priceMinor' | 'currency' | 'earlyPriceMinor' | 'earlyUntilAt' | 'earlyUntilLocal'
>;

/** The same of a cohort as the API has it. */
export function priceNow(
  cohort: Pick<
    Cohort,
    'price_minor' | 'currency' | 'early_price_minor' | 'early_until_at' | 'early_until_local'
  >,
  now: Date,
) {
  const until = cohort.early_until_at;
  return priceAt(
    { ...fromJson(cohort), earlyUntilAt: until === null ? null : new Date(until) },
    now,
  );
}

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

/** What people owe who enroll, now and after the early price; null without a price above 0. */
export function amountsOf(price: ReturnType<typeof priceAt>, locale: string) {
  if (price === null || price.minor === 0) {
    return null;
  }
  const { early, currency } = price;
  return {
    price: priceOf(price.minor, currency, locale),
    early: early && {
      price: priceOf(early.minor, currency, locale),
      day: dayOfYear(lastDayOf(early.untilLocal), locale),
    },
  };
}
