import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofUser } from '#db/owned.ts';

/**
 * A browser or a network that has signed in to an account. Some emails to the account's address are
 * reserved for these, so that strangers can't use up all. Times are UTC milliseconds since 1970.
 */
export const knownSignIns = sqliteTable(
  'known_sign_ins',
  {
    userId: ofUser('user_id').notNull(),
    /** `browser:` or `network:`, and an HMAC: neither token nor network can be read here. */
    origin: text('origin').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.origin] }),
    // For the clean-up.
    index('known_sign_ins_expires_at_index').on(table.expiresAt),
  ],
);
