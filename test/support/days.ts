export const dayMs = 24 * 60 * 60 * 1000;

/** The date of a day from today on, in UTC, such as `2027-01-04`. */
export function dayFromToday(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
