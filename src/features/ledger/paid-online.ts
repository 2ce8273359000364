import 'server-only';
import { type SQL, sql } from 'drizzle-orm';

/** What is under way back from checkout `o`: wanted, and not made at Stripe yet. */
export const underWay = sql`coalesce((SELECT sum(w.amount_minor) FROM refunds_wanted w
  WHERE w.checkout_id = o.id AND w.done_at IS NULL AND w.failed_at IS NULL), 0)`;

/** What can still be refunded of checkout `o`, not counting refunds under way. */
export const refundable = sql<number>`(o.paid_minor - o.refunded_minor - ${underWay})`;

/** The same, limited to what is in the account: some may have been paid back by hand. */
export const refundableInAccount = sql<number>`min(${refundable},
  (SELECT -coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
    WHERE l.enrollment_id = o.enrollment_id AND l.kind IN ('payment', 'refund')) - ${underWay})`;

/** Whether checkout `o` was paid and is in the account of enrollment `e`. */
const isInAccount = sql`(o.enrollment_id = e.id AND o.owner_id = e.owner_id AND o.status = 'paid'
  AND o.paid_currency = (SELECT y.currency FROM ledger_entries y
    WHERE y.enrollment_id = e.id AND y.cohort_id = e.cohort_id LIMIT 1))`;

/** What enrollment `e` has paid and was not given back. */
export const netPaid = sql<number>`(SELECT -coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
  WHERE l.enrollment_id = e.id AND l.cohort_id = e.cohort_id AND l.kind IN ('payment', 'refund'))`;

/** What Stripe is about to send back to enrollment `e`. */
export const returningTo = sql<number>`(SELECT coalesce(sum(${underWay}), 0) FROM checkouts o
  WHERE ${isInAccount})`;

/** What Stripe could still send back of what enrollment `e` has paid. */
export const refundableOnline = sql<number>`(SELECT max(0, min(coalesce(sum(${refundable}), 0),
  ${netPaid} - ${returningTo})) FROM checkouts o WHERE ${isInAccount} AND ${refundable} > 0)`;

/**
 * The checkouts by which all goes back that an enrollment has paid online, as `id`, `owner_id`,
 * `amount` and `no`; the last first, and no more than was paid and not given back.
 *
 * @param which a condition for enrollment `e`
 */
export function refundsOnline(which: SQL): SQL {
  return sql`(SELECT r.id, r.owner_id, r.no, min(r.part, r.paid - r.earlier) AS amount
    FROM (SELECT o.id, o.owner_id, ${refundable} AS part, ${netPaid} - ${returningTo} AS paid,
        row_number() OVER latest AS no, sum(${refundable}) OVER latest - ${refundable} AS earlier
      FROM enrollments e JOIN checkouts o ON ${isInAccount} AND ${refundable} > 0 WHERE ${which}
      WINDOW latest AS (ORDER BY o.paid_at DESC, o.id)) r
    WHERE r.earlier < r.paid)`;
}

/** The entry of a payment of checkout `o`: where it was written, or where it was moved to since. */
export const paymentEntry = sql`coalesce((SELECT x.rowid FROM ledger_entries x
    WHERE x.source = 'stripe' AND x.outside_id = o.payment_intent
      AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.reverses_id = x.id)),
  (SELECT max(x.rowid) FROM ledger_entries x WHERE x.enrollment_id = o.enrollment_id
    AND x.kind = 'payment' AND x.method = 'online' AND x.currency = o.paid_currency
    AND x.reverses_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.reverses_id = x.id)))`;
