/** The day of a moment in UTC, such as “March 8, 2026”. */
export function longDate(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}
