const hourMs = 60 * 60 * 1000;

/** What each measures, and from when on: offers, of up to three days, are said in hours. */
const units = [
  ['day', 24 * hourMs, 73 * hourMs],
  ['hour', hourMs, 2 * hourMs],
] as const;

/**
 * What is left of a time: `12 days`, `31 hours`, and at last `45 minutes`. Rounded down, so that no
 * one who relies on it comes too late.
 */
export function leftWords(left: number, locale: string): string {
  const [unit, size] = units.find(([, , from]) => left >= from) ?? ['minute', 60_000];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  // A number and its unit stay on one line.
  return format.format(Math.max(1, Math.floor(left / size))).replace(/(\d)\s/, '$1\u00a0');
}
