/** The addresses of calendars. Islands and pages get them from the server. */
export const calendarPaths = {
  /** The file of a cohort, for everyone, by the address of its page. */
  file: (page: string) => `${page}/calendar.ics` as const,
  /** A feed, by the secret part of its address. */
  feed: (name: string) => `/calendar/${name}.ics` as const,
  /** Where instructors find their own feed. */
  own: '/cohorts#calendar',
  settings: '/api/calendar-feed/',
} as const;

/** The address that makes a program subscribe instead of download. */
export function webcalOf(url: string): string {
  return url.replace(/^https?:/, 'webcal:');
}
