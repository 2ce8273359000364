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
  return unit === undefined ? null : whole(format.format(-Math.floor(seconds / size), unit));
}

/** Remaining time, such as “in 3 hours”, rounded; at least “in 1 minute”. */
export function timeUntil(date: Date, now: Date, locale: string): string {
  const seconds = Math.max(60, (date.getTime() - now.getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(locale);
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ['minute', 60];
  return whole(format.format(Math.round(seconds / size), unit));
}

/** The words with a space that does not break between a number and its unit. */
function whole(words: string): string {
  return words.replace(/(\d) /, '$1\u00a0');
}
