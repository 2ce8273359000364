import 'server-only';
import { type SQL, sql } from 'drizzle-orm';

/** What is under way back from checkout `o`: wanted, and not made at Stripe yet. */
export const underWay = sql<number>`coalesce((SELECT sum(w.amount_minor) FROM refunds_wanted w
  WHERE w.checkout_id = o.id AND w.done_at IS NULL AND w.failed_at IS NULL), 0)`;

/** What an enrollment has paid and was not given back, nor is about to be by Stripe. */
export function keptBy(enrollmentId: SQL): SQL<number> {
  return sql<number>`(${netPaidBy(enrollmentId)} - ${returningTo(enrollmentId)})`;
}

/** What an enrollment has paid and was not given back. */
export function netPaidBy(enrollmentId: SQL): SQL<number> {
  return sql<number>`(SELECT -coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
    WHERE l.enrollment_id = ${enrollmentId} AND l.kind IN ('payment', 'refund'))`;
}

/** What Stripe is about to send back to an enrollment. */
export function returningTo(enrollmentId: SQL): SQL<number> {
  // A cross join, because SQLite might begin with the refunds of everyone.
  return sql<number>`(SELECT coalesce(sum(w.amount_minor), 0) FROM checkouts v
    CROSS JOIN refunds_wanted w ON w.checkout_id = v.id AND w.done_at IS NULL AND w.failed_at IS NULL
    WHERE v.enrollment_id = ${enrollmentId})`;
}

/** What Stripe still has of checkout `o`. */
const atStripe = sql<number>`(o.paid_minor - o.refunded_minor - ${underWay})`;

/**
 * What can still go back of checkout `o`: what Stripe has of it, and no more than its payer has paid
 * in all, because some may have been given back by hand.
 */
export const refundable = sql<number>`max(0, min(${atStripe}, ${keptBy(sql`o.enrollment_id`)}))`;

/** What can still go back of all that an enrollment has paid online. */
export function refundableOf(enrollmentId: SQL): SQL<number> {
  return sql<number>`(SELECT max(0, min(coalesce(sum(${atStripe}), 0), ${keptBy(enrollmentId)}))
    FROM checkouts o WHERE o.enrollment_id = ${enrollmentId} AND o.status = 'paid')`;
}

/** The enrollments that have paid and were not given all of it back, also of people who are erased. */
export const payingEnrollments = sql`(SELECT b.enrollment_id AS id, b.owner_id, b.cohort_id,
    b.person_id, y.status, y.changed_by, y.status_changed_at, y.owes_after_leaving
  FROM balances b LEFT JOIN enrollments y ON y.id = b.enrollment_id
  WHERE b.paid > b.refunded AND coalesce(y.cohort_id, b.cohort_id) = b.cohort_id)`;

/**
 * The checkouts by which all goes back that enrollments have paid online, as `id`, `owner_id`,
 * `amount` and `no`; the last first, and no more than was paid and not given back.
 *
 * @param which a condition for `e` of `payingEnrollments`
 */
export function refundsOnline(which: SQL): SQL {
  return sql`(SELECT r.id, r.owner_id, r.no, min(r.part, r.kept - r.earlier) AS amount
    FROM (SELECT o.id, o.owner_id, ${atStripe} AS part, ${keptBy(sql`e.id`)} AS kept,
        row_number() OVER latest AS no, sum(${atStripe}) OVER latest - ${atStripe} AS earlier
      FROM ${payingEnrollments} e JOIN checkouts o ON o.enrollment_id = e.id AND o.owner_id = e.owner_id
        AND o.status = 'paid' AND ${atStripe} > 0 WHERE ${which}
      WINDOW latest AS (PARTITION BY e.id ORDER BY o.paid_at DESC, o.id)) r
    WHERE r.earlier < r.kept)`;
}

/** The entry of a payment of checkout `o`: where it was written, or where it was moved to since. */
export const paymentEntry = sql`coalesce((SELECT x.rowid FROM ledger_entries x
    WHERE x.source = 'stripe' AND x.outside_id = o.payment_intent
      AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.reverses_id = x.id)),
  (SELECT max(x.entry_no) FROM live_entries x WHERE x.enrollment_id = o.enrollment_id
    AND x.kind = 'payment' AND x.method = 'online' AND x.currency = o.paid_currency))`;
