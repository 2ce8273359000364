/** In milliseconds. */
export const minute = 60 * 1000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The date of a day from today on, in UTC, such as `2027-01-04`. */
export function dayFromToday(days: number): string {
  return new Date(Date.now() + days * day).toISOString().slice(0, 10);
}
