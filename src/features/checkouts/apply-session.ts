import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import type { CheckoutProblem, CheckoutStatus } from '#db/values.ts';
import { balanceOf, isOwed, newId, usedCurrency } from '#features/ledger/balances.ts';
import { insertReceipts } from '#features/ledger/email-receipt.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { type Changed, ofOne, takenAt, withPlaces } from '#features/places/places.ts';
import { fromStripeAmount } from '#features/stripe/amounts.ts';
import type { Session } from '#features/stripe/payments.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { dayAt } from '#lib/time/instants.ts';
import type { CheckoutRow } from './checkout-rows.ts';
import { mailToOwner, mailToPayer } from './payment-mails.ts';

/** How long an owner has to decide about a payment without a place, before it is refunded. */
const decisionMs = dayMs;
/** When the clock first asks Stripe about a page, after it has opened. */
export const firstCheckMs = 2 * minuteMs;

/**
 * Writes what Stripe says of the page of a checkout: the account, the place and the emails, in one
 * batch. The same again changes nothing.
 */
export async function applySession(
  ctx: Context,
  row: CheckoutRow,
  session: Session,
): Promise<CheckoutStatus> {
  if (session.status === 'complete') {
    if (session.payment_status === 'paid') {
      return applyPayment(ctx, row, session);
    }
    // A debit that takes days, or a voucher that is not paid yet.
    if (!hasFailed.has(session.payment_intent?.status ?? '')) {
      await ask(ctx, {
        confirming: db.run(sql`UPDATE checkouts
          SET status = 'confirming', check_at = ${ctx.now().getTime() + dayMs}
          WHERE id = ${row.id} AND status IN ('open', 'confirming')`),
      });
      return 'confirming';
    }
    await endCheckout(ctx, row.id);
    return 'expired';
  }
  if (session.status === 'expired') {
    await endCheckout(ctx, row.id);
    return 'expired';
  }
  return 'open';
}

/** What Stripe says of a payment that will not come. */
const hasFailed = new Set(['requires_payment_method', 'canceled', '']);

/** Ends a checkout that was not paid, if a condition holds. A payment of it still counts. */
export async function endCheckout(ctx: Context, id: string, where = sql`true`): Promise<void> {
  await ask(ctx, {
    ended: db.run(sql`UPDATE checkouts SET status = 'expired', check_at = NULL
      WHERE id = ${id} AND status IN ('open', 'confirming') AND ${where}`),
  });
}

/** Whether no one can have the address of a checkout's page: Stripe's answer to it was lost. */
export const isWithoutPage = sql`session_id IS NULL`;

/** What became of a payment, after its batch. */
type Applied = { problem: CheckoutProblem | null; isNew: 0 | 1 };

async function applyPayment(ctx: Context, row: CheckoutRow, session: Session) {
  const now = ctx.now().getTime();
  const currency = session.currency.toUpperCase();
  const paid = {
    minor: fromStripeAmount(session.amount_total, currency),
    currency,
    payment: session.payment_intent?.id ?? session.id,
    day: dayAt(ctx.now(), row.timeZone ?? 'UTC'),
  };
  const isOfNow = sql`o.id = ${row.id} AND o.status = 'paid' AND o.paid_at = ${now}`;
  const { placed, receipts, toPayer, toOwner, applied } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId: row.cohortId, ownerId: row.ownerId },
      query(
        {
          paid: markPaid(row, now, paid),
          enrolled: ofOne(query({ rows: enrollPayer(row, now, isOfNow) }, ({ rows }) => rows)),
          entry: insertPayment(now, paid, isOfNow),
          problem: markProblem(now, isOfNow),
        },
        ({ enrolled }) => enrolled,
      ),
    ),
    receipts: insertReceipts({
      key: sql`'receipt:' || l.id`,
      now,
      which: sql`l.source = 'stripe' AND l.outside_id = ${paid.payment}
        AND EXISTS (SELECT 1 FROM checkouts o WHERE ${isOfNow} AND o.problem IS NOT 'no_place')`,
    }),
    toPayer: mailToPayer({
      kind: 'paid_without_place',
      key: sql`o.problem || ':' || o.id`,
      minor: sql`o.paid_minor`,
      now,
      where: sql`${isOfNow} AND o.problem IN ('no_place', 'other_currency')`,
    }),
    toOwner: mailToOwner({
      key: sql`'problem:' || o.id || ':' || o.problem`,
      reason: sql`o.problem`,
      minor: sql`o.paid_minor`,
      now,
      where: sql`${isOfNow} AND o.problem IS NOT NULL`,
    }),
    applied: db.all<Applied>(sql`SELECT o.problem, o.paid_at = ${now} AS isNew
      FROM checkouts o WHERE o.id = ${row.id} AND o.status = 'paid'`),
  });
  sendSoon(ctx, [...placed.mailIds, ...[receipts, toPayer, toOwner].flat().map(({ id }) => id)]);
  const [result] = applied;
  if (result?.isNew === 1) {
    ctx.observe.log('payment_applied', { checkout: row.id, amount: paid.minor, currency });
    if (result.problem !== null) {
      ctx.observe.log('payment_problem', { checkout: row.id, problem: result.problem });
    }
  }
  return 'paid' as const;
}

type Paid = { minor: number; currency: string; payment: string; day: string };

/**
 * The account that a payment of checkout `o` belongs to: that of the cohort to which its person was
 * moved meanwhile, if its currency allows.
 */
function accountOf(currency: SQL | string): SQL {
  return sql`coalesce((SELECT n.id FROM enrollments e JOIN cohorts n ON n.id = e.cohort_id
    WHERE e.id = o.enrollment_id AND coalesce(${usedCurrency(sql`o.owner_id`, sql`n.id`)}, n.currency)
      = ${currency}), o.cohort_id)`;
}

function markPaid(row: CheckoutRow, now: number, { minor, currency, payment }: Paid) {
  const account = accountOf(currency);
  return db.run(sql`UPDATE checkouts SET status = 'paid', paid_at = ${now}, paid_minor = ${minor},
      paid_currency = ${currency}, payment_intent = ${payment}, check_at = NULL, problem = (SELECT
        CASE WHEN coalesce(${usedCurrency(sql`o.owner_id`, account)},
          (SELECT n.currency FROM cohorts n WHERE n.id = ${account}), ${currency}) <> ${currency}
        THEN 'other_currency' END FROM checkouts o WHERE o.id = ${row.id})
    WHERE id = ${row.id} AND owner_id = ${row.ownerId} AND status IN ('open', 'confirming', 'expired')`);
}

/** Gives the payer the place that was held for them, or one that is free. */
function enrollPayer(row: CheckoutRow, now: number, isOfNow: SQL) {
  return db.all<Changed>(sql`UPDATE enrollments SET status = 'enrolled', queue_no = NULL,
      expires_at = NULL, completed_at = NULL, changed_by = 'person', status_changed_at = ${now},
      over_capacity = CASE status WHEN 'offered' THEN over_capacity ELSE 0 END
    WHERE id = ${row.enrollmentId} AND cohort_id = ${row.cohortId} AND owner_id = ${row.ownerId}
      AND EXISTS (SELECT 1 FROM checkouts o
        WHERE ${isOfNow} AND o.problem IS NULL AND o.price_minor IS NOT NULL)
      AND EXISTS (SELECT 1 FROM cohorts c WHERE c.id = enrollments.cohort_id
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}
        AND (enrollments.status = 'offered' OR (enrollments.status = 'expired'
          AND (c.capacity IS NULL OR ${takenAt(now)} < c.capacity))))
    RETURNING id, status`);
}

/** Writes the payment to the account, once. */
function insertPayment(now: number, paid: Paid, isOfNow: SQL) {
  return db.run(sql`INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id,
      cohort_name, person_id, enrollment_id, kind, amount_minor, currency, method, received_on,
      source, outside_id, created_by, created_at)
    SELECT ${newId}, o.owner_id, coalesce(n.course_id, o.course_id),
      coalesce(k.name, o.course_name), o.account_id, coalesce(n.name, o.cohort_name), o.person_id,
      o.enrollment_id, 'payment', -o.paid_minor, o.paid_currency, 'online', ${paid.day}, 'stripe',
      o.payment_intent, 'person', ${now}
    FROM (SELECT o.*, ${accountOf(paid.currency)} AS account_id FROM checkouts o) o
      LEFT JOIN cohorts n ON n.id = o.account_id LEFT JOIN courses k ON k.id = n.course_id
    WHERE ${isOfNow} AND o.problem IS NULL
    ON CONFLICT DO NOTHING`);
}

/** Notes why the owner has to look at a payment that is not what it was for. */
function markProblem(now: number, isOfNow: SQL) {
  return db.run(sql`UPDATE checkouts SET (problem, decide_by) = (SELECT
      CASE WHEN x.has_place = 0 THEN 'no_place' WHEN x.balance < 0 THEN 'overpaid' END,
      CASE WHEN x.has_place = 0 THEN ${now + decisionMs} END
    FROM (SELECT coalesce((SELECT CASE WHEN o.price_minor IS NULL THEN ${isOwed('e')}
          ELSE e.status = 'enrolled' END FROM enrollments e WHERE e.id = o.enrollment_id), 0)
        AS has_place,
      coalesce((SELECT ${balanceOf} FROM enrollments e WHERE e.id = o.enrollment_id), 0) AS balance
      FROM checkouts o WHERE o.id = checkouts.id) x)
    WHERE problem IS NULL AND id IN (SELECT o.id FROM checkouts o WHERE ${isOfNow})`);
}
