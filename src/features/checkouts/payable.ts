import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { payableOf, restOfPriceAt } from '#db/people.ts';
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
  return sql<number>`CASE
    WHEN c.payment_mode = 'own' OR c.deleted_at IS NOT NULL THEN 0
    WHEN e.status = 'offered' THEN CASE
      WHEN c.payment_mode = 'online_first' AND e.expires_at > ${now} AND c.archived_at IS NULL
        AND c.ends_at > ${now}
      THEN ${restOfPriceAt(now, sql`e.id`)} ELSE 0 END
    WHEN ${isOwed('e')} THEN max(0, ${balanceOf}) ELSE 0 END`;
}
