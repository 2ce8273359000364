import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { ask, db, query } from '#db/query.ts';
import type { CohortRow } from '#features/cohorts/get-cohort.ts';
import type { CanceledMoney } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { balanceOf, usedCurrency } from '#features/ledger/balances.ts';
import { insertEntries, reversalOf } from '#features/ledger/insert-entries.ts';
import { keptBy, payingEnrollments } from '#features/ledger/paid-online.ts';
import { settlement, waiveAfterRefunds } from '#features/ledger/settle.ts';
import { AppError } from '#lib/app-error.ts';
import { dayIn } from '#lib/time/words.ts';

/**
 * Whether money of a row of `cohorts` is undecided: of one in the trash, because people have paid for
 * what they do not get, and its owner has not said that they keep it; or because someone is paying.
 */
export const isMoneyOpen = sql`(cohorts.deleted_at IS NOT NULL AND cohorts.money_kept_at IS NULL
    AND EXISTS (SELECT 1 FROM balance_totals t
      WHERE t.cohort_id = cohorts.id AND t.paid > t.refunded)
  OR EXISTS (SELECT 1 FROM checkouts o
    WHERE o.cohort_id = cohorts.id AND o.status IN ('open', 'confirming')))`;

/** What goes back to the person of enrollment `e` in cohort `c`, for an email; null for nothing. */
export const refundFact = sql`CASE WHEN ${keptBy(sql`e.id`)} > 0 THEN json_object(
  'minor', ${keptBy(sql`e.id`)}, 'currency', ${usedCurrency(sql`c.id`)}) END`;

/**
 * Whether a course has such money, or of someone who has left, or a refund that failed, so that it cannot
 * be deleted.
 */
export function courseHasMoney(ownerId: string, courseId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM cohorts WHERE cohorts.owner_id = ${ownerId}
    AND cohorts.course_id = ${courseId} AND (${isMoneyOpen} OR (cohorts.deleted_at IS NULL
      AND EXISTS (SELECT 1 FROM balances b WHERE b.cohort_id = cohorts.id AND b.list = 'left'
        AND b.paid > b.refunded)) OR EXISTS (SELECT 1 FROM checkouts o
      WHERE o.owner_id = ${ownerId} AND o.cohort_id = cohorts.id AND o.problem = 'lost')))`;
}

/**
 * What becomes of the money of a cohort in the trash: all of it goes back as it came, and nothing is
 * owed any more; or the owner keeps it.
 *
 * @param isDue whether this request decides about cohort `c`
 */
export function moneyChanges(
  ctx: ViewerContext,
  { id, ownerId, timeZone }: Pick<CohortRow, 'id' | 'ownerId' | 'timeZone'>,
  money: CanceledMoney,
  isDue: SQL,
) {
  const now = ctx.now().getTime();
  const isOf = sql`EXISTS (SELECT 1 FROM cohorts c WHERE c.id = ${id} AND c.owner_id = ${ownerId}
    AND c.deleted_at IS NOT NULL AND ${isDue})`;
  if (money === 'keep') {
    const kept = db.run(
      sql`UPDATE cohorts SET money_kept_at = ${now} WHERE id = ${id} AND ${isOf}`,
    );
    return query({ kept }, () => null);
  }
  const account = {
    ...{ ownerId, authorId: ctx.viewer.id, now, today: dayIn(timeZone, ctx.now()) },
    which: sql`e.cohort_id = ${id}`,
    isDue: isOf,
  };
  const { wanted, refund } = settlement({ ...account, money: 'refund', key: crypto.randomUUID() });
  const { waiver } = settlement({
    ...{ ...account, money: 'waive', key: crypto.randomUUID() },
    which: sql`e.cohort_id = ${id} AND ${balanceOf} > 0`,
  });
  const waived = waiveAfterRefunds(
    sql`e.owner_id = ${ownerId} AND e.cohort_id = ${id} AND ${isOf}`,
    sql`, created_at = ${now}`,
  );
  return query({ waived, wanted, refund, waiver }, () => null);
}

/**
 * Decides about the money of one of the viewer's cohorts in the trash. The same again changes nothing.
 *
 * @throws AppError `cohort_not_in_trash`
 */
export async function decideMoney(ctx: ViewerContext, cohort: CohortRow, money: CanceledMoney) {
  if (cohort.deletedAt === null) {
    throw new AppError('cohort_not_in_trash');
  }
  await ask(ctx, { changes: moneyChanges(ctx, cohort, money, sql`true`) });
}

/**
 * Takes back what was decided about the money of a cohort in the trash, but for what Stripe has sent
 * back by now: that is owed again.
 *
 * @param isDue whether this request takes cohort `c` out of the trash
 */
export function undoMoney(ctx: ViewerContext, id: string, isDue: SQL) {
  const { ownerId } = ctx;
  const isOf = sql`c.id = ${id} AND c.owner_id = ${ownerId} AND c.deleted_at IS NOT NULL AND ${isDue}`;
  const wanted = sql`owner_id = ${ownerId} AND reason = 'owner' AND done_at IS NULL
    AND failed_at IS NULL AND EXISTS (SELECT 1 FROM cohorts c
      JOIN ${payingEnrollments} e ON e.owner_id = c.owner_id AND e.cohort_id = c.id
      JOIN checkouts o ON o.owner_id = c.owner_id AND o.enrollment_id = e.id
      WHERE ${isOf} AND o.id = refunds_wanted.checkout_id
        AND refunds_wanted.created_at >= c.deleted_at)`;
  return query(
    {
      unwanted: db.run(sql`DELETE FROM refunds_wanted WHERE ${wanted} AND attempts = 0`),
      owed: db.run(sql`UPDATE refunds_wanted SET waive_rest = 0 WHERE ${wanted}`),
      reversed: insertEntries({
        from: sql`cohorts c JOIN live_entries x ON x.owner_id = c.owner_id AND x.cohort_id = c.id
          WHERE ${isOf} AND x.source = 'leaving' AND x.created_at >= c.deleted_at
            AND NOT EXISTS (SELECT 1 FROM checkouts o CROSS JOIN refunds_wanted w ON w.checkout_id = o.id
              WHERE x.kind = 'waiver' AND o.enrollment_id = x.enrollment_id AND w.waive_rest = 1
                AND w.created_at < c.deleted_at AND w.done_at >= c.deleted_at)`,
        ...reversalOf,
        source: 'owner',
        by: 'owner',
        authorId: ctx.viewer.id,
        now: ctx.now().getTime(),
      }),
    },
    () => null,
  );
}
