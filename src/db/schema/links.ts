import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { linkPurposes } from '#db/values.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/**
 * A valid emailed link. The token is never stored, only its SHA-256. Times are UTC milliseconds
 * since 1970.
 *
 * One row for each user, purpose and subject: a new link replaces the previous one. Using a link
 * deletes its row.
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
    /** The subject of the link, for purposes of which a user can have several; otherwise empty. */
    subject: text('subject').notNull().default(''),
    /** The address that the link was emailed to, and the only one that it proves. */
    emailCanonical: text('email_canonical').notNull(),
    /** The new address as its owner spells it; null except for address changes. */
    newEmail: text('new_email'),
    /**
     * The session that requested an address change; the change is canceled when the session ends.
     * Null for every other purpose.
     */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /**
     * SHA-256 of the token, emailed to the current address, that cancels the change; null for every
     * other purpose.
     */
    stopTokenHash: text('stop_token_hash').unique(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    unique('links_user_id_purpose_subject_unique').on(table.userId, table.purpose, table.subject),
    // For the worker before `subject`, which names it in ON CONFLICT. To be dropped with the first
    // purpose that has subjects.
    unique('links_user_id_purpose_unique').on(table.userId, table.purpose),
    // Deletes a change with its session.
    index('links_session_id_index').on(table.sessionId),
    // For the clean-up.
    index('links_expires_at_index').on(table.expiresAt),
  ],
);
