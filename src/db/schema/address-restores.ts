import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofUser } from '#db/owned.ts';

/**
 * A link, emailed to an account's former address, that restores that address. The token is never
 * stored, only its SHA-256. Times are UTC milliseconds since 1970.
 *
 * One row for each change of the last 7 days. Using one removes it and those of all later changes.
 */
export const addressRestores = sqliteTable(
  'address_restores',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: ofUser('user_id').notNull(),
    email: text('email').notNull(),
    emailCanonical: text('email_canonical').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // Finds the restores of one user, to remove those of later changes.
    index('address_restores_user_id_created_at_index').on(table.userId, table.createdAt),
    // For the clean-up.
    index('address_restores_expires_at_index').on(table.expiresAt),
  ],
);
