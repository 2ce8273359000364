import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './users.ts';

/**
 * A link in the mailbox of an account's former address that takes the account back to it. The token
 * is never kept, only its SHA-256. Times are UTC milliseconds since 1970.
 *
 * One row for each change of the last 7 days. Using one removes it and those of every later change.
 */
export const addressRestores = sqliteTable(
  'address_restores',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    emailCanonical: text('email_canonical').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // The restores of one user, to remove those of later changes.
    index('address_restores_user_id_created_at_index').on(table.userId, table.createdAt),
    // Removing what has expired.
    index('address_restores_expires_at_index').on(table.expiresAt),
  ],
);
