import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * How often something has happened in one window of time: the exact side of every limit. Times are UTC milliseconds since 1970.
 */
export const counters = sqliteTable(
  'counters',
  {
    /** HMAC of the limit's name and of what is limited, so that nobody's address can be read here. */
    key: text('key').notNull(),
    windowStart: integer('window_start', { mode: 'timestamp_ms' }).notNull(),
    count: integer('count').notNull(),
    /** The end of the window, after which the row means nothing. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.windowStart] }),
    // Removing what has expired.
    index('counters_expires_at_index').on(table.expiresAt),
  ],
);
