import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { ofUser } from '#db/owned.ts';
import { linkPurposes } from '#db/values.ts';

// Times are UTC milliseconds since 1970.

/** A signed-in browser. Its token is stored as a hash. */
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

/**
 * A valid emailed link. Only the token's SHA-256 is stored.
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

/**
 * A link, emailed to an account's former address, that restores that address. The token is never
 * stored, only its SHA-256.
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

/**
 * A browser or a network that has signed in to an account. Some emails to the account's address are
 * reserved for these, so that strangers can't use up all.
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
