import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { goesWith } from '#db/owned.ts';
import { messageAudiences } from '#db/values.ts';
import { cohorts } from './cohorts.ts';

/**
 * What instructors have written to people of a cohort: messages, and what has changed about
 * live sessions. The emails are in mails_due. Times are UTC milliseconds since 1970.
 */
export const groupMessages = sqliteTable(
  'group_messages',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    /** Null for changes of live sessions, which have no subject of their own. */
    subject: text('subject'),
    /** Plain text; null for changes without a note. */
    text: text('text'),
    /** Whom it was for. */
    audience: oneOf('audience', messageAudiences).notNull().default('enrolled'),
    /** How many people it went to. */
    recipients: integer('recipients').notNull(),
    /** How many were enrolled and wanted no messages. */
    leftOut: integer('left_out').notNull(),
    /** How many changes of live sessions it tells; null for a message. */
    changes: integer('changes'),
    /** Chosen by the client, so that a retry sends nothing again; null without one. */
    idempotencyKey: text('idempotency_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** Which user wrote it; null from before this was kept. Not a foreign key: see people.ts. */
    createdByUserId: text('created_by_user_id'),
  },
  (table) => [
    // A message has the owner of its cohort, and goes with either.
    goesWith('group_messages_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    unique('group_messages_owner_id_idempotency_key_unique').on(
      table.ownerId,
      table.idempotencyKey,
    ),
    // Those of a cohort, newest first.
    index('group_messages_cohort_index').on(table.ownerId, table.cohortId, table.createdAt),
  ],
);
