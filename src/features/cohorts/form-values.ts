import type { Values } from '#client/api-form.tsx';
import { minorUnits } from '#lib/price.ts';

/** What a box of fields.tsx sends if it is checked. */
const on = 'on';

const numbers = ['capacity', 'minimum_people', 'offer_hours', 'access_days'];

const switches = [
  'waitlist',
  'shows_minimum',
  'shows_places_left',
  'sends_receipts',
  'sends_certificates',
  'with_join_url',
];

/** Fields that mean something only together. */
const pairs = [
  ['enrollment_opens_local', 'opens_time'],
  ['enrollment_closes_local', 'closes_time'],
  ['price_minor', 'currency', 'early_price_minor'],
];

const additions = ['opens_time', 'closes_time'];

/** Those that differ from what was stored, each with what it means something with. */
export function changedIn(values: Values, differs: (name: string) => boolean): Values {
  const isSent = (name: string) =>
    (pairs.find((pair) => pair.includes(name)) ?? [name]).some(differs);
  return Object.fromEntries(Object.entries(values).filter(([name]) => isSent(name)));
}

/** What a cohort became elsewhere while a form was filled in; see vocabulary.ts. */
export const cohortConflicts = [
  'use_move',
  'currency_in_use',
  'payment_account_required',
  'price_not_payable',
  'price_required',
  'cohort_in_trash',
  'course_is_evergreen',
  'too_many_cohorts',
] as const;

/**
 * The input of the API for what was typed. Text that is no number becomes NaN, which the schema
 * refuses by the name of its field.
 */
export function toCohortInput(
  values: Values,
  locale = document.documentElement.lang,
): Record<string, unknown> {
  const typed = Object.entries(values)
    .filter(([name]) => !additions.includes(name))
    .map(([name, value]) => {
      if (numbers.includes(name)) {
        return [name, value.trim() === '' ? null : countOf(value.trim())];
      }
      return [name, switches.includes(name) ? value === on : value];
    });
  return { ...Object.fromEntries(typed), ...windowOf(values), ...priceOf(values, locale) };
}

/** The input of a change that people can be notified of, by notify-fields.tsx; empty without it. */
export function toNotifyInput({ notify, note = '' }: Values): { notify?: boolean; note?: string } {
  return notify === undefined ? {} : { notify: notify === on, note };
}

/** A whole number, with or without marks between its thousands. NaN for anything else. */
function countOf(typed: string): number {
  return /^(\d+|\d{1,3}([,\s]\d{3})+)$/.test(typed)
    ? Number(typed.replace(/[,\s]/g, ''))
    : Number.NaN;
}

/** A day without a time opens enrollment at its beginning, and closes it at its end. */
function windowOf(values: Values) {
  const { enrollment_opens_local: opens, opens_time: opensAt } = values;
  const { enrollment_closes_local: closes, closes_time: closesAt } = values;
  return {
    ...(opens !== undefined && {
      enrollment_opens_local: momentOf(opens, opensAt || (opens && '00:00')),
    }),
    ...(closes !== undefined && { enrollment_closes_local: momentOf(closes, closesAt) }),
  };
}

/** A time without a day stays one, which the schema refuses. */
function momentOf(day: string, time = ''): string {
  return time ? `${day}T${time}` : day;
}

function priceOf(
  { price_minor: price, early_price_minor: early, currency }: Values,
  locale: string,
) {
  if (price === undefined || currency === undefined) {
    return {};
  }
  const code = currency.trim().toUpperCase();
  // What is ambiguous or in another currency is sent as typed, so that the server refuses it.
  const amountOf = (typed: string) =>
    typed.trim() === '' ? null : (minorUnits(typed, code, locale) ?? typed);
  return {
    price_minor: amountOf(price),
    ...(early !== undefined && { early_price_minor: amountOf(early) }),
    // One is always chosen in the list, and means nothing without a price.
    currency: price.trim() === '' ? null : code || null,
  };
}
