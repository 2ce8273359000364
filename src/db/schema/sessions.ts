import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './users.ts';

/** A browser that is signed in. The cookie's token is never kept, only its SHA-256. Times are UTC milliseconds since 1970. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the browser called itself at sign-in, so that people recognise their sessions; cut to 255 characters. */
    userAgent: text('user_agent').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // The sessions of one user: to list them, and to end them.
    index('sessions_user_id_index').on(table.userId),
    // Removing what has expired, by idleness and by age.
    index('sessions_last_seen_at_index').on(table.lastSeenAt),
    index('sessions_created_at_index').on(table.createdAt),
  ],
);
