import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { linkPurposes } from '#db/values.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/**
 * A live link in somebody's mailbox. The token is never kept, only its SHA-256. Times are UTC milliseconds since 1970.
 *
 * One row for each user, purpose and subject: a newer link replaces the older. A spent link is a
 * deleted row.
 */
export const links = sqliteTable(
  'links',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: oneOf('purpose', linkPurposes).notNull(),
    /**
     * What the link is about, where a user can have several of one purpose; empty where the purpose
     * says it all.
     */
    subject: text('subject').notNull().default(''),
    /** The address the link was mailed to: the link proves this one and no other. */
    emailCanonical: text('email_canonical').notNull(),
    /** The same as its owner spells it; only with an address change, where the user's row does not have it yet. */
    newEmail: text('new_email'),
    /**
     * The session that asked for an address change, which ends with it; null for every other
     * purpose.
     */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /**
     * SHA-256 of the token that was emailed to the present address and stops the change; null for
     * every other purpose.
     */
    stopTokenHash: text('stop_token_hash').unique(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    unique('links_user_id_purpose_subject_unique').on(table.userId, table.purpose, table.subject),
    // For the worker before `subject`, which names it in ON CONFLICT. The first purpose with several
    // subjects drops it.
    unique('links_user_id_purpose_unique').on(table.userId, table.purpose),
    // Removing the change with its session.
    index('links_session_id_index').on(table.sessionId),
    // Removing what has expired.
    index('links_expires_at_index').on(table.expiresAt),
  ],
);
