const units = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const;

/** Elapsed time, such as “3 hours ago”, without a time zone; null in the first minute. */
export function timeAgo(date: Date, now: Date, locale: string): string | null {
  const seconds = Math.max(0, (now.getTime() - date.getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? [];
  return unit === undefined ? null : format.format(-Math.floor(seconds / size), unit);
}
