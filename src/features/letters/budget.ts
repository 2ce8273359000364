import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, type Query, query } from '#db/query.ts';
import { type LimitUse, limitOn, refund, type Usage } from '#features/limits/limit-on.ts';
import { isAsked } from './sending-rules.ts';

/** The share of all emails about cohorts that a worker has counted for those that it holds. */
export type Budget = {
  /** How many could go out before they were counted; null for any number. */
  left: { all: number | null; unasked: number | null };
  all: Usage;
  unasked: Usage;
};

/** The limits that all of them share. */
export const uses = {
  all: { limit: 'cohort_mails', subject: 'all' },
  unasked: { limit: 'unasked_cohort_mails', subject: 'all' },
} as const satisfies Record<string, LimitUse>;

/**
 * Counts the emails that were just held, so that workers at the same time share what is left. What
 * of it is not sent is given back by `release`.
 *
 * @param held the condition of these emails `m`
 */
export async function budgetFor(ctx: Context, held: SQL): Promise<Query<Budget>> {
  const [all, unasked] = await Promise.all([
    limitOn(ctx, [uses.all], 'refuse'),
    limitOn(ctx, [uses.unasked], 'refuse'),
  ]);
  const count = sql`(SELECT count(*) FROM mails_due m WHERE ${held})`;
  const unaskedCount = sql`(SELECT count(*) FROM mails_due m WHERE ${held} AND NOT ${isAsked})`;
  return query(
    {
      left: db.all<Budget['left']>(sql`SELECT ${all.left} AS "all", ${unasked.left} AS unasked`),
      all: all.count(sql`${count} > 0`, count),
      unasked: unasked.count(sql`${unaskedCount} > 0`, unaskedCount),
    },
    ({ left: [left = { all: null, unasked: null }], ...usage }) => ({ left, ...usage }),
  );
}

/** Gives back what was counted for emails that were not sent. */
export function release({ all, unasked }: Budget, sent: { all: number; unasked: number }) {
  return {
    all: refundRest(all, sent.all),
    unasked: refundRest(unasked, sent.unasked),
  };
}

function refundRest({ counted, times }: Usage, sent: number) {
  return counted.length > 0 && times > sent ? refund(counted, times - sent) : undefined;
}
