import { ownRows } from '#db/personal-data.ts';
import { calendarFeeds } from '#db/schema/calendar-feeds.ts';

export const events = { calendar_feed_changed: true };

export const exported = {
  calendar_feeds: ownRows(calendarFeeds),
};
