import { decimalPoint, plainAmount } from '#lib/price.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { isEndOfDay, lastDayOf } from './cohort-dates.ts';
import { type Cohort, textNames } from './schema.ts';

/** What the fields of a cohort contain before anyone types; see form-values.ts. */
export function storedValues(cohort: Cohort, locale: string) {
  const { enrollment_opens_local: opens, enrollment_closes_local: closes } = cohort;
  const early = cohort.early_until_local;
  const texts = Object.fromEntries(textNames.map((name) => [name, cohort[name] ?? '']));
  return {
    // The names are those of the texts.
    ...(texts as Record<(typeof textNames)[number], string>),
    name: cohort.name,
    starts_on: cohort.starts_on,
    ends_on: cohort.ends_on,
    time_zone: cohort.time_zone,
    join_mode: cohort.join_mode,
    enrollment_opens_local: opens === null ? '' : dayOfWallTime(opens),
    opens_time: opens === null ? '' : clockOf(opens),
    enrollment_closes_local: closes === null ? '' : lastDayOf(closes),
    closes_time: closes === null || isEndOfDay(closes) ? '' : clockOf(closes),
    capacity: String(cohort.capacity ?? ''),
    access_days: String(cohort.access_days ?? ''),
    minimum_people: String(cohort.minimum_people ?? ''),
    offer_hours: String(cohort.offer_hours),
    waitlist: checked(cohort.waitlist),
    shows_minimum: checked(cohort.shows_minimum),
    shows_places_left: checked(cohort.shows_places_left),
    language: cohort.language,
    price_minor: priceOf(cohort, cohort.price_minor, locale),
    early_price_minor: priceOf(cohort, cohort.early_price_minor, locale),
    early_until_local: early === null ? '' : lastDayOf(early),
    payment_mode: cohort.payment_mode,
    sends_receipts: checked(cohort.sends_receipts),
    sends_certificates: checked(cohort.sends_certificates),
    currency: cohort.currency ?? '',
  };
}

function checked(is: boolean): string {
  // As fields.tsx sends it.
  return is ? 'on' : 'off';
}

function clockOf(wallTime: string): string {
  return wallTime.slice(11);
}

/** In the currency's own unit, as it is typed in the language: 1250 is 12.50. */
function priceOf({ currency }: Cohort, price: number | null, locale: string): string {
  return price === null || currency === null
    ? ''
    : plainAmount(price, currency, decimalPoint(locale));
}
