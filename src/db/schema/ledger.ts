import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { ofUser } from '#db/owned.ts';
import {
  balanceLists,
  enrollmentActors,
  enrollmentStatuses,
  ledgerKinds,
  ledgerSources,
  paymentMethods,
} from '#db/values.ts';

/**
 * What people owe an instructor and what they have paid, by place in a cohort. Triggers of the
 * migration that adds it write the charges, and refuse every change: a mistake is reversed by
 * another entry, once. Other triggers keep their sums in `balances`. Only the owner is referenced,
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
    // A course as a file.
    index('ledger_entries_course_index').on(
      table.ownerId,
      table.courseId,
      table.createdAt,
      table.id,
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

/**
 * What the entries of each account add up to. Only triggers write here, from the entries and from
 * where the person stands; amounts are in the smallest unit of the currency.
 */
export const balances = sqliteTable(
  'balances',
  {
    enrollmentId: text('enrollment_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    ownerId: ofUser('owner_id').notNull(),
    personId: text('person_id').notNull(),
    /** That of the person, for the order of the lists. */
    nameKey: text('name_key').notNull().default(''),
    /** Null if they are no longer in the cohort. */
    status: oneOf('status', enrollmentStatuses),
    /** Whether they take part by their own will: see `hasAgreed`. */
    hasAgreed: integer('has_agreed', { mode: 'boolean' }).notNull().default(false),
    charged: integer('charged').notNull().default(0),
    waived: integer('waived').notNull().default(0),
    paid: integer('paid').notNull().default(0),
    refunded: integer('refunded').notNull().default(0),
    /** What is open. Below 0 it is what was paid too much: what was waived can't be given back. */
    balance: integer('balance').notNull().default(0),
    /** Whether what is open is owed. */
    isOwed: integer('is_owed', { mode: 'boolean' }).notNull().default(true),
    list: oneOf('list', balanceLists),
    /** Setting it makes a trigger recompute the row. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.enrollmentId, table.cohortId] }),
    // A list by name.
    index('balances_list_index').on(table.cohortId, table.list, table.nameKey, table.enrollmentId),
    // Those who are in the cohort and do not take part, by name.
    index('balances_ended_index')
      .on(table.cohortId, table.nameKey, table.enrollmentId)
      .where(sql`${table.status} <> 'enrolled'`),
    // Who owes something and has not agreed to take part, by name.
    index('balances_strangers_index')
      .on(table.cohortId, table.nameKey, table.enrollmentId)
      .where(sql`${table.list} = 'owing' AND ${table.hasAgreed} = 0`),
    // Those of a person, and what goes with the owner.
    index('balances_person_index').on(table.ownerId, table.personId),
  ],
);

/**
 * What the accounts of a cohort add up to, so that thousands need not be read for a page. Only
 * triggers write here.
 */
export const balanceTotals = sqliteTable(
  'balance_totals',
  {
    cohortId: text('cohort_id').primaryKey(),
    ownerId: ofUser('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    currency: text('currency').notNull(),
    charged: integer('charged').notNull().default(0),
    waived: integer('waived').notNull().default(0),
    paid: integer('paid').notNull().default(0),
    refunded: integer('refunded').notNull().default(0),
    owed: integer('owed').notNull().default(0),
    overpaid: integer('overpaid').notNull().default(0),
    /** The number of accounts; the columns below count some of them, unless they say otherwise. */
    accounts: integer('accounts').notNull().default(0),
    owing: integer('owing').notNull().default(0),
    paidInFull: integer('paid_in_full').notNull().default(0),
    paidInPart: integer('paid_in_part').notNull().default(0),
    withRefund: integer('with_refund').notNull().default(0),
    toSettle: integer('to_settle').notNull().default(0),
    gone: integer('gone').notNull().default(0),
    /** Of people who are enrolled, as all that follows. */
    enrolled: integer('enrolled').notNull().default(0),
    enrolledCharged: integer('enrolled_charged').notNull().default(0),
    enrolledOwing: integer('enrolled_owing').notNull().default(0),
    /** An amount. */
    enrolledOwed: integer('enrolled_owed').notNull().default(0),
    enrolledPaid: integer('enrolled_paid').notNull().default(0),
    enrolledWaived: integer('enrolled_waived').notNull().default(0),
    /** Who owes and has not agreed to take part. */
    notAgreed: integer('not_agreed').notNull().default(0),
  },
  (table) => [
    // Those of a course, and what goes with the owner.
    index('balance_totals_course_index').on(table.ownerId, table.courseId),
  ],
);
