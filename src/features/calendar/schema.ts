import * as z from 'zod/mini';

/** Where the calendar of all cohorts of an instructor is read. */
export const CalendarFeed = z.object({
  url: z.nullable(z.url()).check(z.describe('Secret; null while the calendar is off')),
  webcal_url: z.nullable(z.string()),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;
