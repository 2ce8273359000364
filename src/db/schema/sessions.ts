import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofUser } from '#db/owned.ts';

/** A signed-in browser. Its token is stored as a hash. Times are UTC milliseconds since 1970. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: ofUser('user_id').notNull(),
    /** Its User-Agent at sign-in, cut to 255 characters, for the list of sessions. */
    userAgent: text('user_agent').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // Finds the sessions of one user, to list or end them.
    index('sessions_user_id_index').on(table.userId),
    // For the clean-up, by idle time and by age.
    index('sessions_last_seen_at_index').on(table.lastSeenAt),
    index('sessions_created_at_index').on(table.createdAt),
  ],
);
