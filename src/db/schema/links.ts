import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { ofUser } from '#db/owned.ts';
import { linkPurposes } from '#db/values.ts';
import { sessions } from './sessions.ts';

/**
 * A valid emailed link. Only the token's SHA-256 is stored. Times are UTC milliseconds since 1970.
 *
 * One row for each user, purpose and subject: a new link replaces the last. Using it deletes it.
 * The code in the same email is part of the row, so that one ends with the other.
 */
export const links = sqliteTable(
  'links',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userId: ofUser('user_id').notNull(),
    purpose: oneOf('purpose', linkPurposes).notNull(),
    /** The subject of the link, for purposes of which a user can have several; otherwise empty. */
    subject: text('subject').notNull().default(''),
    /** The address that the link was emailed to, and the only one that it proves. */
    emailCanonical: text('email_canonical').notNull(),
    /** The new address as its owner spells it; null except for address changes. */
    newEmail: text('new_email'),
    /** The session that requested an address change, which ends with it; null for the others. */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token that the current address gets to cancel the change; null for others. */
    stopTokenHash: text('stop_token_hash').unique(),
    /** SHA-256 of the attempt cookie of the browser that asked; null for links without a code. */
    attemptHash: text('attempt_hash').unique(),
    /** HMAC of the code, this link's id and the attempt; null for links without a code. */
    codeHash: text('code_hash'),
    /** How many wrong codes were entered. */
    codeTries: integer('code_tries').notNull().default(0),
    /** The name of the browser that asked; null if it is not a known one. */
    browser: text('browser'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    unique('links_user_id_purpose_subject_unique').on(table.userId, table.purpose, table.subject),
    // For the previous worker's ON CONFLICT. Drop it with the first purpose with subjects.
    unique('links_user_id_purpose_unique').on(table.userId, table.purpose),
    // Deletes a change with its session.
    index('links_session_id_index').on(table.sessionId),
    // For the clean-up.
    index('links_expires_at_index').on(table.expiresAt),
  ],
);
