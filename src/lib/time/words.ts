import { type Day, timestampOf, type WallTime } from './calendar.ts';

/** A list asks for the same few of them again and again, and each takes long to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

const clock = { hour: 'numeric', minute: '2-digit' } as const;
const dayInYear = { month: 'long', day: 'numeric' } as const;
const fullDay = { year: 'numeric', ...dayInYear } as const;
const moment = { ...dayInYear, ...clock } as const;

/** `January 4 – February 12, 2027`, of which only the end goes to a new line. */
export function dayRange(from: Day, to: Day, locale: string): string {
  const format = formatOf(locale, fullDay);
  const range = textOf(format.formatRangeToParts(timestampOf(from), timestampOf(to)), locale);
  return range.replace(/(?<!–)\s/g, (space) => (space === ' ' ? '\u00a0' : '\u202f'));
}

/** A range of days without its year: `January 4 – 10`; with short months `Jan 4 – 10`. */
export function daySpan(
  from: Day,
  to: Day,
  locale: string,
  month: 'long' | 'short' = 'long',
): string {
  const format = formatOf(locale, { ...dayInYear, month });
  return textOf(format.formatRangeToParts(timestampOf(from), timestampOf(to)), locale);
}

/** `Monday, January 4, 2027` */
export function longDay(day: Day, locale: string): string {
  const format = formatOf(locale, { weekday: 'long', ...fullDay });
  return textOf(format.formatToParts(timestampOf(day)), locale);
}

/** `Monday, January 4`, and with a time `Monday, January 4 at 6:00 PM`. */
export function weekdayAndDay(local: Day | WallTime, locale: string): string {
  const hasTime = local.includes('T');
  const format = formatOf(locale, { weekday: 'long', ...dayInYear, ...(hasTime ? clock : {}) });
  return textOf(format.formatToParts(Date.parse(hasTime ? `${local}Z` : local)), locale);
}

/** `January 4` */
export function dayOfYear(day: Day, locale: string): string {
  const format = formatOf(locale, dayInYear);
  return textOf(format.formatToParts(timestampOf(day)), locale);
}

/** `Jan 4` */
export function shortDay(day: Day, locale: string): string {
  const format = formatOf(locale, { month: 'short', day: 'numeric' });
  return textOf(format.formatToParts(timestampOf(day)), locale);
}

/** The parts of a day that is set in type: `Jan`, `4`, `Mon`. */
export function dayParts(day: Day, locale: string) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    formatOf(locale, options).format(timestampOf(day));
  return {
    month: part({ month: 'short' }),
    day: String(Number(day.slice(8))),
    weekday: part({ weekday: 'short' }),
  };
}

/** `January` */
export function monthOf(day: Day, locale: string): string {
  return formatOf(locale, { month: 'long' }).format(timestampOf(day));
}

/** What a cohort that begins on a day is called at first: `January 2027` */
export function monthAndYear(day: Day, locale: string): string {
  const name = formatOf(locale, { month: 'long', year: 'numeric' }).format(timestampOf(day));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Monday` */
export function weekdayOf(day: Day, locale: string, weekday: 'long' | 'short' = 'long'): string {
  return formatOf(locale, { weekday }).format(timestampOf(day));
}

/** Which day it is in a zone. `dayAt` says the same, and brings the time library. */
export function dayIn(zone: string, instant: Date): Day {
  return daysIn(zone)(instant);
}

/** Says of many instants which day it is in a zone: a format takes long to make. */
export function daysIn(zone: string): (instant: Date) => Day {
  // Swedish dates are ISO dates.
  const format = formatIn(zone, 'sv', {});
  return (instant) => format.format(instant);
}

/** How long something takes: `2½ hours`, `50 minutes`, « 2 h 30 », « 50 minutes ». */
export function lengthOf(minutes: number, locale: string): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const inUnit = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  if (hours === 0) {
    return inUnit(minutes, 'minute');
  }
  if (locale === 'fr') {
    return `${hours}\u00a0h${rest === 0 ? '' : `\u00a0${String(rest).padStart(2, '0')}`}`;
  }
  if (rest === 30) {
    return inUnit(hours + 0.5, 'hour').replace('.5', '½');
  }
  return rest === 0 ? inUnit(hours, 'hour') : `${inUnit(hours, 'hour')} ${inUnit(rest, 'minute')}`;
}

/** The same in short, where many are added up: `1 h 30 min`, « 1 h 30 », `45 min`. */
export function shortLengthOf(minutes: number, locale: string): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const short = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' }).format(rest);
  if (hours === 0) {
    return short;
  }
  if (locale === 'fr') {
    return lengthOf(minutes, locale);
  }
  return `${hours}\u00a0h${rest === 0 ? '' : ` ${short}`}`;
}

/** What a clock shows: `6:00 PM`, « 18:00 ». */
export function clockTime(wallTime: WallTime, locale: string): string {
  const format = formatOf(locale, clock);
  return format.format(Date.parse(`${wallTime}Z`));
}

/** What clocks in a zone show, with the day: `May 3 at 6:00 PM`. The zone is said beside it. */
export function momentIn(zone: string, instant: Date, locale: string): string {
  return textOf(formatIn(zone, locale, moment).formatToParts(instant), locale);
}

/** What a clock in a zone shows: `6:00 PM`, « 18:00 ». */
export function timeIn(zone: string, instant: Date, locale: string): string {
  return formatIn(zone, locale, clock).format(instant);
}

/**
 * What clocks in a zone show from one instant to another: `6:00 – 7:30 PM`. Hours have no zero
 * before them, as in single times: French ranges would.
 */
export function clockRange(zone: string, from: Date, to: Date, locale: string): string {
  const format = formatIn(zone, locale, clock);
  // Beyond midnight, Intl would write both dates.
  if (dayIn(zone, from) !== dayIn(zone, to)) {
    return `${format.format(from)} – ${format.format(to)}`;
  }
  return format
    .formatRangeToParts(from, to)
    .map(({ type, value }) => (type === 'hour' ? value.replace(/^0(?=\d)/, '') : value))
    .join('');
}

/** By UTC for a zone that this runtime no longer knows: a stored one must not break a page. */
function formatIn(zone: string, locale: string, options: Intl.DateTimeFormatOptions) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}

/** The day of a moment in UTC, such as “March 8, 2026”. */
export function longDate(at: Date, locale: string): string {
  return formatOf(locale, { dateStyle: 'long' }).format(at);
}

/** The same without its year, such as “Mar 8”. */
export function shortDate(at: Date, locale: string): string {
  return textOf(formatOf(locale, { day: 'numeric', month: 'short' }).formatToParts(at), locale);
}

/** `January 4, 2027 at 8:00:00 AM UTC` */
export function momentInUtc(at: Date, locale: string): string {
  return formatOf(locale, { dateStyle: 'long', timeStyle: 'long' }).format(at);
}

/** A format of days and wall times, which are instants of UTC here. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [locale, ...Object.entries(options)].join();
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  formats.set(key, format);
  return format;
}

/** French has an ordinal for the first of a month, which Intl does not write: « 1er mai ». */
function textOf(parts: { type: string; value: string }[], locale: string): string {
  const isFirst = ({ type, value }: { type: string; value: string }) =>
    locale === 'fr' && type === 'day' && value === '1';
  return parts.map((part) => (isFirst(part) ? '1er' : part.value)).join('');
}
