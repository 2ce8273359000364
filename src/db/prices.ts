import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { leastPayable, stepPayable } from '#lib/payable-amounts.ts';
import { fragment, type Given } from './prepared.ts';

/** What cohort `c` costs at a moment; null without a price. */
export function priceAt(moment: number | SQL): SQL<number | null> {
  return sql`(CASE WHEN ${moment} < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END)`;
}

/** The price in cohort `c` at the moment when an enrollment got its status. */
export function priceThen(enrollment: string): SQL<number | null> {
  return priceAt(sql.raw(`${enrollment}.status_changed_at`));
}

/**
 * What can be paid online of an amount in cohort `c`, rounded down to what Stripe takes; 0 if it is
 * too small. The rest keeps no one out: it stays owed.
 */
export function payableOf(minor: SQL): SQL<number> {
  return sql`(SELECT CASE WHEN x.minor >= ${sql.raw(leastPayable('c.currency'))}
      THEN x.minor - x.minor % ${sql.raw(stepPayable('c.currency'))} ELSE 0 END
    FROM (SELECT ${minor} AS minor) x)`;
}

/** What is to be paid online for a place in cohort `c` before it is that of an enrollment. */
export function placePriceAt(
  now: number | SQL,
  enrollmentId: SQL,
  price: SQL = priceAt(now),
): SQL<number> {
  return payableOf(restOfPriceAt(now, enrollmentId, price));
}

/**
 * What a place in cohort `c` costs an enrollment at a moment, less the credit on its account: payments
 * and waivers, except those on leaving, as far as they are not used up by earlier access, and not
 * refunded or about to be.
 *
 * @param price another than that of the moment, such as one that was agreed
 */
export function restOfPriceAt(
  now: number | SQL,
  enrollmentId: SQL,
  price: SQL = priceAt(now),
): SQL<number> {
  // Names of its own, because the id may be that of any table around it.
  return sql`max(0, coalesce(${price}, 0) - max(0, CASE WHEN ${isAccessOver(now, enrollmentId)} THEN 0
      ELSE coalesce((SELECT sum(entry.amount_minor) FROM last_charges entry
        WHERE entry.enrollment_id = ${enrollmentId} AND entry.cohort_id = c.id), 0) END
    - coalesce((SELECT account.charged - account.waived - account.paid + account.refunded
      FROM balances account WHERE account.enrollment_id = ${enrollmentId} AND account.cohort_id = c.id), 0)
    - coalesce((SELECT sum(back.amount_minor) FROM checkouts page
      CROSS JOIN refunds_wanted back ON back.checkout_id = page.id
      WHERE page.enrollment_id = ${enrollmentId} AND page.paid_currency = c.currency
        AND back.done_at IS NULL AND back.failed_at IS NULL), 0)))`;
}

/** Whether someone can no longer read in an open run, until they are enrolled or charged again. */
export function isAccessOver(now: number | SQL, enrollmentId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM access_ends access
    WHERE access.enrollment_id = ${enrollmentId} AND access.kind = 'open' AND access.ends_at <= ${now})`;
}

/** Until when the person of enrollment `e` can read, in milliseconds; null without an end. */
export const accessEndsAt = sql<number | null>`(SELECT s.ends_at FROM access_ends s
  WHERE s.enrollment_id = e.id)`;

/** The operator's settings of Stripe; null without any. */
type WithStripe = { config: { stripe: { ownAccountFor: readonly string[] } | null } };

/**
 * The account at Stripe that payments for the owner of cohort `c` go to: empty for the
 * operator's own, for owners whom the operator has named; null if there is none that can be paid to.
 */
export function usableAccount({ config }: WithStripe): SQL {
  const { stripe } = config;
  return stripe === null ? none({}) : account({ named: JSON.stringify(stripe.ownAccountFor) });
}

const none = fragment(() => sql`NULL`);
const account = fragment(
  ({ named }: Given<'named'>) => sql`(SELECT
      CASE WHEN lower(u.email) IN (SELECT value FROM json_each(${named})) THEN ''
      ELSE (SELECT a.stripe_account FROM payment_accounts a WHERE a.owner_id = u.id
        AND a.charges_enabled = 1 AND a.disconnected_at IS NULL) END
    FROM users u WHERE u.id = c.owner_id)`,
);
