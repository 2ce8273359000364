import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { ofUser } from '#db/owned.ts';
import { checkoutProblems, checkoutStatuses, refundReasons } from '#db/values.ts';

/**
 * Payments at Stripe, from the moment at which someone goes there. Like the entries of accounts they
 * outlive cohorts and people, and reference only the owner. The address of a payment page is never
 * kept: who has it can pay. Times are UTC milliseconds since 1970, amounts in the smallest unit of
 * the currency; see docs/decisions/0092-paid-online.md.
 */
export const checkouts = sqliteTable(
  'checkouts',
  {
    /** Also Stripe's idempotency key, and its `client_reference_id`. */
    id: text('id').primaryKey(),
    ownerId: ofUser('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    /** As it was called then. */
    courseName: text('course_name').notNull(),
    cohortId: text('cohort_id').notNull(),
    cohortName: text('cohort_name').notNull(),
    enrollmentId: text('enrollment_id').notNull(),
    personId: text('person_id').notNull(),
    /** Whose account at Stripe; null: that of the operator. */
    stripeAccount: text('stripe_account'),
    /** Null until Stripe has answered. */
    sessionId: text('session_id'),
    paymentIntent: text('payment_intent'),
    /** The price of the place when it opened, if it pays for one; null for what is owed already. */
    priceMinor: integer('price_minor'),
    /** What Stripe asks for. */
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    status: oneOf('status', checkoutStatuses).notNull(),
    /** Why the owner has to look at it; null once that is settled. */
    problem: oneOf('problem', checkoutProblems),
    paidMinor: integer('paid_minor'),
    paidCurrency: text('paid_currency'),
    paidAt: integer('paid_at', { mode: 'timestamp_ms' }),
    /** What has gone back, also by a lost dispute. */
    refundedMinor: integer('refunded_minor').notNull().default(0),
    /** When a payment without a place is refunded by itself. */
    decideBy: integer('decide_by', { mode: 'timestamp_ms' }),
    /** When the clock asks Stripe next; null: not any more. */
    checkAt: integer('check_at', { mode: 'timestamp_ms' }),
    /** Written by workers before, which counted how often they asked. */
    attempts: integer('attempts').notNull().default(0),
    /** When the page at Stripe ends. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    check('checkouts_amount_check', sql`${table.amountMinor} > 0`),
    // A person pays for a place on one page at a time.
    uniqueIndex('checkouts_open_unique')
      .on(table.enrollmentId)
      .where(sql`${table.status} IN ('open', 'confirming')`),
    uniqueIndex('checkouts_session_id_unique')
      .on(table.sessionId)
      .where(sql`${table.sessionId} IS NOT NULL`),
    // Who is paying for a place in a cohort.
    index('checkouts_under_way_index')
      .on(table.cohortId)
      .where(sql`${table.status} IN ('open', 'confirming')`),
    // Finds the checkout of a refund or a dispute by its payment.
    uniqueIndex('checkouts_payment_intent_unique')
      .on(table.paymentIntent)
      .where(sql`${table.paymentIntent} IS NOT NULL`),
    // What the clock asks about, and what it decides.
    index('checkouts_check_at_index').on(table.checkAt).where(sql`${table.checkAt} IS NOT NULL`),
    index('checkouts_decide_by_index').on(table.decideBy).where(sql`${table.decideBy} IS NOT NULL`),
    // What an owner has to look at.
    index('checkouts_problem_index')
      .on(table.ownerId, table.problem)
      .where(sql`${table.problem} IS NOT NULL`),
    // Those of a cohort, the newest first, and what goes with the owner.
    index('checkouts_cohort_index').on(table.ownerId, table.cohortId, table.createdAt, table.id),
    // What someone has paid for a place: the triggers ask.
    index('checkouts_enrollment_index').on(table.enrollmentId, table.paidAt),
    // For the export of a person.
    index('checkouts_person_index').on(table.ownerId, table.personId),
  ],
);

/** The account at Stripe of an instructor; those who use the operator's have a row without one. */
export const paymentAccounts = sqliteTable(
  'payment_accounts',
  {
    ownerId: ofUser('owner_id').primaryKey(),
    stripeAccount: text('stripe_account').unique(),
    /** ISO 3166, two letters. */
    country: text('country'),
    chargesEnabled: integer('charges_enabled', { mode: 'boolean' }).notNull().default(false),
    /** What Stripe still wants, as a JSON list of its codes. */
    dueJson: text('due_json').notNull().default('[]'),
    /** Since when people can pay; null before that. */
    readyAt: integer('ready_at', { mode: 'timestamp_ms' }),
    connectedAt: integer('connected_at', { mode: 'timestamp_ms' }).notNull(),
    checkedAt: integer('checked_at', { mode: 'timestamp_ms' }).notNull(),
    disconnectedAt: integer('disconnected_at', { mode: 'timestamp_ms' }),
    /** When the clock has last asked how the account is, and what went back from it. */
    listedAt: integer('listed_at', { mode: 'timestamp_ms' }).notNull().default(sql`0`),
  },
  (table) => [
    // Which the clock reads next.
    index('payment_accounts_listed_at_index').on(table.listedAt),
  ],
);

/** Money that goes back: written first, then done at Stripe, so that no crash does it twice. */
export const refundsWanted = sqliteTable(
  'refunds_wanted',
  {
    /** Also Stripe's idempotency key. */
    id: text('id').primaryKey(),
    checkoutId: text('checkout_id')
      .notNull()
      .references(() => checkouts.id, { onDelete: 'cascade' }),
    ownerId: ofUser('owner_id').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** Whether what is then open is no longer owed. */
    waiveRest: integer('waive_rest', { mode: 'boolean' }).notNull().default(false),
    reason: oneOf('reason', refundReasons).notNull(),
    dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    doneAt: integer('done_at', { mode: 'timestamp_ms' }),
    failedAt: integer('failed_at', { mode: 'timestamp_ms' }),
    /** Stripe's code for why it was refused. */
    failure: text('failure'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    check('refunds_wanted_amount_check', sql`${table.amountMinor} > 0`),
    index('refunds_wanted_due_at_index')
      .on(table.dueAt)
      .where(sql`${table.doneAt} IS NULL AND ${table.failedAt} IS NULL`),
    index('refunds_wanted_checkout_id_index').on(table.checkoutId),
    // For the export, and what goes with the owner.
    index('refunds_wanted_owner_id_index').on(table.ownerId),
  ],
);
