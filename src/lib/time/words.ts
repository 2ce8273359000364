import { type Day, timestampOf, type WallTime } from './calendar.ts';

/** `January 4 – February 12, 2027`; without the year where both days are in this one. */
export function dayRange(from: Day, to: Day, locale: string, today: Day): string {
  const isThisYear = [from, to].every((day) => day.slice(0, 4) === today.slice(0, 4));
  const format = new Intl.DateTimeFormat(locale, {
    ...(!isThisYear && { year: 'numeric' }),
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return textOf(format.formatRangeToParts(timestampOf(from), timestampOf(to)), locale);
}

/** `Monday, January 4, 2027` */
export function longDay(day: Day, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return textOf(format.formatToParts(timestampOf(day)), locale);
}

/** The parts of a day that is set in type: `Jan`, `4`, `Mon`. */
export function dayParts(
  day: Day,
  locale: string,
): { month: string; day: string; weekday: string } {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(timestampOf(day));
  return {
    month: part({ month: 'short' }),
    day: String(Number(day.slice(8))),
    weekday: part({ weekday: 'short' }),
  };
}

/** What a clock shows: `6:00 PM`, « 18:00 ». */
export function clockTime(wallTime: WallTime, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(Date.parse(`${wallTime}Z`));
}

/** What clocks in a zone show, with the day: `May 3 at 6:00 PM`. The zone is said beside it. */
export function momentIn(zone: string, instant: Date, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  });
  return textOf(format.formatToParts(instant), locale);
}

/** What clocks in a zone show from one instant to another: `6:00 – 7:30 PM`. */
export function clockRange(zone: string, from: Date, to: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).formatRange(from, to);
}

/** French has an ordinal for the first of a month, which Intl does not write: « 1er mai ». */
function textOf(parts: { type: string; value: string }[], locale: string): string {
  const isFirst = ({ type, value }: { type: string; value: string }) =>
    locale === 'fr' && type === 'day' && value === '1';
  return parts.map((part) => (isFirst(part) ? '1er' : part.value)).join('');
}
