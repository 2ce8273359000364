import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { exportedRows } from '#db/personal-data.ts';
import { calendarFeeds } from '#db/schema/calendar-feeds.ts';

export const events = { calendar_feed_changed: true };

export const exported = {
  calendar_feeds: exportedRows({
    rows: (db, { id }) => db.select().from(calendarFeeds).where(eq(calendarFeeds.ownerId, id)),
    schema: z.object({ version: z.int(), enabled_at: z.nullable(z.iso.datetime()) }),
  }),
};
