import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { isAccessOver, payableOf, priceAt, restOfPriceAt } from '#db/prices.ts';
import { balanceOf, isOwed } from '#features/ledger/balances.ts';

/** What the person of enrollment `e` in cohort `c` can pay online; 0 for nothing, and for too little. */
export function payableAt(now: number | SQL): SQL<number> {
  return payableOf(dueAt(now));
}

/**
 * What they have to pay at a moment, if its instructor takes payments online: the price of a place that
 * is held for them, less what is on their account; or what they owe.
 */
export function dueAt(now: number | SQL): SQL<number> {
  return sql<number>`CASE WHEN c.payment_mode = 'own' OR (e.status = 'offered'
    AND c.payment_mode <> 'online_first') THEN 0 ELSE ${wantedAt(now, priceAt(now))} END`;
}

/**
 * What is still to be paid of a price, on a page at Stripe that may have been opened when the cohort
 * took payments otherwise. Nothing for a place that is gone, nor for access that is over.
 */
export function wantedAt(now: number | SQL, price: SQL): SQL<number> {
  return sql<number>`CASE
    WHEN c.deleted_at IS NOT NULL THEN 0
    WHEN e.status = 'offered' THEN CASE
      WHEN e.expires_at > ${now} AND c.archived_at IS NULL AND c.ends_at > ${now}
      THEN ${restOfPriceAt(now, sql`e.id`, price)} ELSE 0 END
    WHEN ${isOwed('e')} AND NOT ${isAccessOver(now, sql`e.id`)} THEN max(0, ${balanceOf}) ELSE 0 END`;
}
