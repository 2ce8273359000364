import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { outboxKinds } from '#email/kinds.ts';
import { cohorts } from './cohorts.ts';
import { enrollments } from './people.ts';
import { users } from './users.ts';

/**
 * What emails to many people say alike, such as the facts of their cohort and a message: once, and
 * not in each of them. Deleted with the text of the last one.
 */
export const mailTexts = sqliteTable(
  'mail_texts',
  {
    id: text('id').primaryKey(),
    /** Null once the account is deleted; its last emails still go out. */
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** A part of the payload of each, as JSON. */
    facts: text('facts').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('mail_texts_owner_id_index').on(table.ownerId),
    // For the clean-up.
    index('mail_texts_created_at_index').on(table.createdAt),
  ],
);

/**
 * Emails about cohorts, written in the batch of their cause. Times are UTC milliseconds since
 * 1970. See docs/decisions/0046-places-in-one-statement.md.
 */
export const mailsDue = sqliteTable(
  'mails_due',
  {
    /** Also the key by which the provider sends an email only once. */
    id: text('id').primaryKey(),
    /** What the email is about, so that asking twice writes only one. */
    dedupeKey: text('dedupe_key').notNull().unique(),
    /** Null once the account is deleted; its last emails still go out. */
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for an email about no enrollment, or about one that is gone. */
    enrollmentId: text('enrollment_id').references(() => enrollments.id, { onDelete: 'set null' }),
    /** Null for news, and once the cohort is gone. */
    cohortId: text('cohort_id').references(() => cohorts.id, { onDelete: 'set null' }),
    toAddress: text('to_address').notNull(),
    toCanonical: text('to_canonical').notNull(),
    kind: oneOf('kind', outboxKinds).notNull(),
    /**
     * What the text needs, as JSON; never changed, because the provider refuses another text under
     * the same id. Empty a week after it was sent.
     */
    payload: text('payload').notNull(),
    /** What it says beside the payload, if many emails do; not once that is empty. */
    textId: text('text_id'),
    /**
     * Who sends it pushes this ahead, and so holds it for as long as a worker may take. Afterwards
     * when it was done.
     */
    dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: integer('sent_at', { mode: 'timestamp_ms' }),
    /**
     * The key of the call that handed it to the provider, alone or with others: its own id, or that
     * of a batch. Null before that.
     */
    batchKey: text('batch_key'),
    /** When it was given up, and why. */
    failedAt: integer('failed_at', { mode: 'timestamp_ms' }),
    failure: text('failure'),
    /** Whether it counts among what its owner sends to people who have not agreed to take part. */
    isToStranger: integer('is_to_stranger', { mode: 'boolean' }).notNull().default(false),
    /** The provider's name for it, by which its webhooks report it. */
    providerId: text('provider_id'),
    /** When its reader's mail server rejected it permanently. */
    bouncedAt: integer('bounced_at', { mode: 'timestamp_ms' }),
    /** When its reader has marked it as spam. */
    complainedAt: integer('complained_at', { mode: 'timestamp_ms' }),
  },
  // Each is written with every email, and again when one of its columns changes.
  (table) => [
    // What is due.
    index('mails_due_due_at_index')
      .on(table.dueAt)
      .where(sql`${table.sentAt} IS NULL AND ${table.failedAt} IS NULL`),
    // For the deletion of an enrollment, and the emails about it.
    index('mails_due_enrollment_id_kind_index').on(table.enrollmentId, table.kind),
    // For what a cohort has sent and will send, by kind.
    index('mails_due_cohort_id_kind_index').on(table.cohortId, table.kind),
    // For what has not arrived, or was not welcome: the condition of find-emails.ts.
    index('mails_due_returned_index')
      .on(table.cohortId, table.dueAt)
      .where(
        sql`${table.failure} <> 'not_needed' OR ${table.bouncedAt} IS NOT NULL OR ${table.complainedAt} IS NOT NULL`,
      ),
    // The last email of a kind of an owner, which spaces the next ones.
    index('mails_due_owner_id_kind_due_at_index').on(table.ownerId, table.kind, table.dueAt),
    // What an owner has sent last, how much of it to strangers or marked as spam.
    index('mails_due_owner_id_sent_at_index')
      .on(table.ownerId, table.sentAt, table.kind, table.complainedAt, table.isToStranger)
      .where(sql`${table.sentAt} IS NOT NULL`),
    // For the limit of an address.
    index('mails_due_to_canonical_index').on(table.toCanonical),
    // What a webhook is about.
    index('mails_due_provider_id_index')
      .on(table.providerId)
      .where(sql`${table.providerId} IS NOT NULL`),
    // Who has marked an owner's emails as spam.
    index('mails_due_complaints_index')
      .on(table.ownerId, table.toCanonical)
      .where(sql`${table.complainedAt} IS NOT NULL`),
    // Whether a text is still needed.
    index('mails_due_text_id_index').on(table.textId).where(sql`${table.textId} IS NOT NULL`),
    // For the clean-up: the texts go first, the rows later.
    index('mails_due_done_index')
      .on(sql`(${table.payload} = '')`, table.dueAt)
      .where(sql`${table.sentAt} IS NOT NULL OR ${table.failedAt} IS NOT NULL`),
  ],
);
