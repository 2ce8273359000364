import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { ofUser } from '#db/owned.ts';

/**
 * The calendar of all cohorts of an instructor, by a secret address of which nothing is stored.
 * Those of participants end with their links instead.
 */
export const calendarFeeds = sqliteTable('calendar_feeds', {
  ownerId: ofUser('owner_id').primaryKey(),
  /** Part of the signature in the address. Only rises, so that no address works again. */
  version: integer('version').notNull(),
  /** Null: switched off. */
  enabledAt: integer('enabled_at', { mode: 'timestamp_ms' }),
});
