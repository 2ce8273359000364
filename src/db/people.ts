import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { leastPayable } from '#lib/payable-amounts.ts';

/**
 * Whether person `p` takes part by their own will: they have enrolled by themselves, or accepted
 * what their instructor has sent, with the address that they have now. Until then the instructor
 * may have written to a stranger. A cross join, because SQLite would begin with all events of the
 * owner.
 */
export const hasAgreed = sql<0 | 1>`(coalesce(p.consented_at, -1) >= coalesce(p.corrected_at, 0)
  OR EXISTS (SELECT 1
  FROM enrollments y CROSS JOIN enrollment_events v
    ON v.owner_id = y.owner_id AND v.enrollment_id = y.id
  WHERE y.person_id = p.id AND y.owner_id = p.owner_id AND v.actor = 'person'
    AND v.at >= coalesce(p.corrected_at, 0)
    AND v.to_status IN ('applied', 'waitlisted', 'offered', 'enrolled')))`;

/** Whether enrollment `e` is that of someone who takes part, waits or is invited. */
export const isLive = sql`e.status IN ('invited', 'applied', 'waitlisted', 'offered', 'enrolled')`;

/** The price in cohort `c` at the moment when an enrollment got its status, as SQL. */
export function priceThen(enrollment: string): SQL {
  return sql.raw(`(CASE WHEN ${enrollment}.status_changed_at < c.early_until_at
    THEN c.early_price_minor ELSE c.price_minor END)`);
}

/** What cohort `c` costs at a moment; null without a price. */
export function priceAtMoment(now: number | SQL): SQL<number | null> {
  return sql`(CASE WHEN ${now} < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END)`;
}

/**
 * What can be paid online of an amount in cohort `c`: nothing of one that is too small. So no one has
 * to pay that before they are in; it stays owed.
 */
export function payableOf(minor: SQL): SQL<number> {
  return sql`(SELECT CASE WHEN x.minor >= ${sql.raw(leastPayable('c.currency'))} THEN x.minor ELSE 0 END
    FROM (SELECT ${minor} AS minor) x)`;
}

/** What is to be paid online for a place in cohort `c` before it is that of an enrollment. */
export function placePriceAt(now: number | SQL, enrollmentId: SQL): SQL<number> {
  return payableOf(restOfPriceAt(now, enrollmentId));
}

/**
 * What a place in cohort `c` costs an enrollment at a moment, less what is on its account: payments that
 * were not refunded and are not about to be, and waivers for other reasons than leaving.
 */
export function restOfPriceAt(now: number | SQL, enrollmentId: SQL): SQL<number> {
  return sql`max(0, coalesce(${priceAtMoment(now)}, 0) - (coalesce((SELECT -sum(x.amount_minor) FROM ledger_entries x
    WHERE x.enrollment_id = ${enrollmentId} AND x.cohort_id = c.id
      AND (x.kind IN ('payment', 'refund') OR (x.kind = 'waiver' AND x.source <> 'leaving'
        AND x.reverses_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id)))), 0)
    - coalesce((SELECT sum(w.amount_minor) FROM checkouts o JOIN refunds_wanted w ON w.checkout_id = o.id
      WHERE o.enrollment_id = ${enrollmentId} AND o.paid_currency = c.currency
        AND w.done_at IS NULL AND w.failed_at IS NULL), 0)))`;
}
