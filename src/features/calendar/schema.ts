import * as z from 'zod/mini';

/** Where the calendar of all cohorts of an instructor is read; null while it is off. */
export const CalendarFeed = z.object({
  url: z.nullable(z.url()),
  webcal_url: z.nullable(z.string()),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;
