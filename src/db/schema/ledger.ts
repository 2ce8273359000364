import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { ofUser } from '#db/owned.ts';
import { enrollmentActors, ledgerKinds, ledgerSources, paymentMethods } from '#db/values.ts';

/**
 * What people owe an instructor and what they have paid, by place in a cohort. Triggers of the
 * migration that adds it write the charges, and refuse every change: a mistake is reversed by
 * another entry, once. The balance is the sum, and is not stored. Only the owner is referenced,
 * because accounts outlive cohorts and people; see docs/decisions/0058-a-ledger-of-entries.md.
 * Times are UTC milliseconds since 1970.
 */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    id: text('id').primaryKey(),
    ownerId: ofUser('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    /** As it was called then. */
    courseName: text('course_name').notNull(),
    cohortId: text('cohort_id').notNull(),
    cohortName: text('cohort_name').notNull(),
    /** Who it is about; their name is in people, from which it can be erased. */
    personId: text('person_id').notNull(),
    enrollmentId: text('enrollment_id').notNull(),
    kind: oneOf('kind', ledgerKinds).notNull(),
    /**
     * In the smallest unit of the currency, by what it does to what is owed: charges and refunds
     * add to it, payments and waivers take from it, and a reversal has the opposite sign.
     */
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    /** How money changed hands; null where none did. */
    method: oneOf('method', paymentMethods),
    /** The owner's own word for `other`, such as the name of a service; null without one. */
    methodWord: text('method_word'),
    /** The day on which it did. */
    receivedOn: text('received_on'),
    /** The entry that this one reverses. */
    reversesId: text('reverses_id'),
    /** Where the entry comes from. */
    source: oneOf('source', ledgerSources).notNull(),
    /** The source's own name for it; null for all that is written here. */
    outsideId: text('outside_id'),
    createdBy: oneOf('created_by', enrollmentActors).notNull(),
    /**
     * Which user acted as the owner; null for all others, and from before this was kept. Not a
     * foreign key: see people.ts.
     */
    createdByUserId: text('created_by_user_id'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** Of the request that wrote it, so that a retry writes nothing; null for what followed. */
    idempotencyKey: text('idempotency_key'),
  },
  (table) => [
    check(
      'ledger_entries_amount_check',
      sql`${table.amountMinor} <> 0 AND (${table.amountMinor} > 0) =
        ((${table.kind} IN ('charge', 'refund')) = (${table.reversesId} IS NULL))`,
    ),
    check(
      'ledger_entries_method_check',
      sql`(${table.kind} IN ('payment', 'refund')) = (${table.method} IS NOT NULL)
        AND (${table.method} IS NULL) = (${table.receivedOn} IS NULL)`,
    ),
    check('ledger_entries_currency_check', sql`${table.currency} GLOB '[A-Z][A-Z][A-Z]'`),
    // An entry is reversed once.
    uniqueIndex('ledger_entries_reverses_id_unique')
      .on(table.reversesId)
      .where(sql`${table.reversesId} IS NOT NULL`),
    // A source delivers nothing twice.
    uniqueIndex('ledger_entries_source_outside_id_unique')
      .on(table.source, table.outsideId)
      .where(sql`${table.outsideId} IS NOT NULL`),
    // A request writes at most one entry of a kind to an account.
    uniqueIndex('ledger_entries_idempotency_key_unique')
      .on(table.ownerId, table.idempotencyKey, table.enrollmentId, table.kind)
      .where(sql`${table.idempotencyKey} IS NOT NULL`),
    // Adds up a cohort or a course, without reading a row of the table.
    index('ledger_entries_sums_index').on(
      table.ownerId,
      table.courseId,
      table.cohortId,
      table.enrollmentId,
      table.kind,
      table.amountMinor,
      table.currency,
      table.personId,
    ),
    // The latest of a cohort, and all of it as a file.
    index('ledger_entries_cohort_index').on(
      table.ownerId,
      table.cohortId,
      table.createdAt,
      table.id,
    ),
    // One account.
    index('ledger_entries_account_index').on(table.enrollmentId, table.cohortId),
    // For the erasure and the export of a person.
    index('ledger_entries_person_index').on(table.ownerId, table.personId),
  ],
);

/**
 * What the owner notes about an entry. Apart from it, because a note may name the person: it goes
 * with them, and the entry stays.
 */
export const ledgerNotes = sqliteTable(
  'ledger_notes',
  {
    entryId: text('entry_id')
      .primaryKey()
      .references(() => ledgerEntries.id, { onDelete: 'cascade' }),
    ownerId: ofUser('owner_id').notNull(),
    text: text('text').notNull(),
  },
  (table) => [
    // Those of an owner, for the export.
    index('ledger_notes_owner_id_index').on(table.ownerId),
  ],
);
