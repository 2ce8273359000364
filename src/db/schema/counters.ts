import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The exact count of a limit in one time window. Times are UTC milliseconds since 1970. */
export const counters = sqliteTable(
  'counters',
  {
    /** HMAC of the limit's name and of what it counts by, so that no address can be read here. */
    key: text('key').notNull(),
    windowStart: integer('window_start', { mode: 'timestamp_ms' }).notNull(),
    count: integer('count').notNull(),
    /** The end of the window, after which the row has no effect. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.windowStart] }),
    // For the clean-up.
    index('counters_expires_at_index').on(table.expiresAt),
  ],
);
