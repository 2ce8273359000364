import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { balanceOf, hasEnded, usedCurrency } from '#features/ledger/balances.ts';
import { insertEntries, ofEntry, reversalOf } from '#features/ledger/insert-entries.ts';
import { paymentEntry } from '#features/ledger/paid-online.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { fromStripeAmount } from '#features/stripe/amounts.ts';
import {
  type Dispute,
  listDisputesOf,
  listRefundsOf,
  type Refund,
} from '#features/stripe/payments.ts';
import { dayAt } from '#lib/time/instants.ts';
import type { CheckoutRow } from './checkout-rows.ts';
import { mailToOwner, mailToPayer } from './payment-mails.ts';

/**
 * What Stripe says of money that goes back. back: it goes, or has gone. failed: it did not after all.
 * The others are of disputes.
 */
type Return = {
  id: string;
  minor: number;
  state: 'back' | 'failed' | 'disputed' | 'won' | 'lost';
  /** Which of ours it is; null for one that was made at Stripe. */
  wanted: string | null;
};

function ofRefund({ id, amount, currency, status, metadata }: Refund): Return {
  const isBack = status !== 'failed' && status !== 'canceled';
  return {
    id,
    minor: fromStripeAmount(amount, currency.toUpperCase()),
    state: isBack ? 'back' : 'failed',
    wanted: metadata?.['refund'] ?? null,
  };
}

function ofDispute({ id, amount, currency, status }: Dispute): Return {
  const ended = status === 'lost' ? 'lost' : 'won';
  return {
    id,
    minor: fromStripeAmount(amount, currency.toUpperCase()),
    state: ['won', 'lost', 'warning_closed', 'prevented'].includes(status) ? ended : 'disputed',
    wanted: null,
  };
}

/**
 * Asks Stripe for all refunds and disputes of a payment, wherever they were made, and writes them to
 * the account, each once. A refund that fails later is reversed.
 *
 * @returns the ids of the refunds of ours that are made
 * @throws AppError `payment_unavailable` if Stripe does not answer
 */
export async function recordReturns(ctx: Context, row: CheckoutRow): Promise<string[]> {
  const { paymentIntent: payment, stripeAccount: account } = row;
  if (payment === null) {
    return [];
  }
  const refunds = await listRefundsOf(ctx, account, payment);
  const disputes = await listDisputesOf(ctx, account, payment);
  const returns = [...refunds.map(ofRefund), ...disputes.map(ofDispute)];
  const now = ctx.now().getTime();
  const day = dayAt(ctx.now(), row.timeZone ?? 'UTC');
  const list = sql`json_each(${JSON.stringify(returns)}) AS r`;
  const idOf = sql`(r.value ->> 'id')`;
  const stateOf = sql`(r.value ->> 'state')`;
  const isOwn = sql`o.id = ${row.id}`;
  const isEntered = sql`EXISTS (SELECT 1 FROM ledger_entries x
    WHERE x.source = 'stripe' AND x.outside_id = ${idOf} AND x.created_at = ${now})`;
  const isReversed = sql`EXISTS (SELECT 1 FROM ledger_entries x
    WHERE x.source = 'stripe' AND x.outside_id = ${idOf} || ':failed' AND x.created_at = ${now})`;
  const mails = { minor: sql`r.value ->> 'minor'`, now, join: sql`JOIN ${list}` };
  const { toPayer, toOwner, updated, done } = await ask(ctx, {
    entries: insertReturns(row, now, day, list),
    reversals: reverseFailed(row, now, day, list),
    done: db.all<{
      id: string;
    }>(sql`UPDATE refunds_wanted SET done_at = ${now} WHERE checkout_id = ${row.id}
        AND done_at IS NULL AND failed_at IS NULL AND id IN (SELECT r.value ->> 'wanted' FROM ${list}
          WHERE ${stateOf} = 'back') RETURNING id`),
    failed: db.run(sql`UPDATE refunds_wanted SET done_at = NULL, failed_at = ${now},
        failure = 'failed_later'
      WHERE checkout_id = ${row.id} AND failed_at IS NULL AND id IN
        (SELECT r.value ->> 'wanted' FROM ${list} WHERE ${stateOf} = 'failed')`),
    waived: waiveRest(row, now),
    toPayer: mailToPayer({
      kind: 'paid_back',
      key: sql`'paid_back:' || ${idOf}`,
      ...mails,
      where: sql`${isOwn} AND ${stateOf} = 'back' AND ${isEntered}`,
    }),
    toOwner: mailToOwner({
      key: sql`'problem:' || o.id || ':' || ${idOf} || ':' || ${stateOf}`,
      reason: sql`CASE ${stateOf} WHEN 'failed' THEN 'lost' WHEN 'disputed' THEN 'disputed'
        WHEN 'lost' THEN 'dispute_lost' ELSE 'refunded_by_itself' END`,
      ...mails,
      // Before the problem of the checkout is what it says.
      where: sql`${isOwn} AND CASE ${stateOf} WHEN 'failed' THEN ${isReversed}
        WHEN 'disputed' THEN o.problem IS NOT 'disputed' WHEN 'lost' THEN ${isEntered}
        WHEN 'back' THEN ${isEntered} AND EXISTS (SELECT 1 FROM refunds_wanted w
          WHERE w.id = r.value ->> 'wanted' AND w.reason = 'no_place') END`,
    }),
    updated: db.all<{ problem: string | null }>(sql`UPDATE checkouts SET
        refunded_minor = s.back, decide_by = CASE WHEN s.back >= paid_minor THEN NULL ELSE decide_by END,
        problem = CASE WHEN s.is_reversed THEN 'lost' WHEN s.is_lost THEN 'dispute_lost'
          WHEN problem = 'dispute_lost' THEN problem
          WHEN s.back >= paid_minor AND NOT s.is_disputed THEN NULL
          WHEN s.is_disputed THEN coalesce(problem, 'disputed')
          -- Stripe refuses refunds during a dispute: now its owner has to look.
          WHEN problem = 'disputed' THEN (SELECT 'lost' FROM refunds_wanted w
            WHERE w.checkout_id = checkouts.id AND w.failed_at IS NOT NULL LIMIT 1)
          WHEN problem = 'overpaid' AND s.is_new THEN NULL
          ELSE problem END
      FROM (SELECT coalesce(sum(CASE WHEN ${stateOf} IN ('back', 'lost') THEN r.value ->> 'minor' END), 0)
            AS back,
          coalesce(max(${stateOf} = 'disputed'), 0) AS is_disputed,
          coalesce(max(${stateOf} = 'lost' AND ${isEntered}), 0) AS is_lost,
          coalesce(max(${isReversed}), 0) AS is_reversed, coalesce(max(${isEntered}), 0) AS is_new
        FROM ${list}) s
      WHERE id = ${row.id} AND owner_id = ${row.ownerId} RETURNING problem`),
  });
  sendSoon(ctx, [...toPayer, ...toOwner]);
  for (const { id } of done) {
    ctx.observe.log('refund_done', { checkout: row.id, refund: id });
  }
  const problem = updated[0]?.problem ?? null;
  if (problem !== null && problem !== row.problem) {
    ctx.observe.log('payment_problem', { checkout: row.id, problem });
  }
  return returns.flatMap(({ state, wanted }) => (state === 'back' && wanted ? [wanted] : []));
}

/** What has gone back, or was lost by a dispute: where the payment stands. */
function insertReturns(row: CheckoutRow, now: number, day: string, list: SQL) {
  return insertEntries({
    from: sql`checkouts o JOIN ${list} JOIN ledger_entries x ON x.rowid = ${paymentEntry}
      WHERE o.id = ${row.id} AND o.owner_id = ${row.ownerId}
        AND r.value ->> 'state' IN ('back', 'lost') AND r.value ->> 'minor' > 0`,
    account: ofEntry,
    kind: 'refund',
    amount: sql`r.value ->> 'minor'`,
    currency: sql`x.currency`,
    money: { method: 'online', day },
    source: 'stripe',
    outsideId: sql`r.value ->> 'id'`,
    by: 'clock',
    now,
  });
}

function reverseFailed(row: CheckoutRow, now: number, day: string, list: SQL) {
  return insertEntries({
    from: sql`${list} CROSS JOIN ledger_entries x ON x.rowid = coalesce(
        (SELECT y.entry_no FROM live_entries y WHERE y.source = 'stripe'
          AND y.outside_id = r.value ->> 'id'),
        -- Of someone who was moved since, it is a copy.
        (SELECT max(y.entry_no) FROM live_entries y WHERE y.enrollment_id = ${row.enrollmentId}
          AND y.source = 'move' AND y.kind = 'refund' AND y.method = 'online'
          AND y.amount_minor = r.value ->> 'minor' AND EXISTS (SELECT 1 FROM ledger_entries z
            WHERE z.source = 'stripe' AND z.outside_id = r.value ->> 'id')))
      WHERE r.value ->> 'state' = 'failed'`,
    ...reversalOf,
    money: { method: sql`x.method`, day },
    source: 'stripe',
    outsideId: sql`(r.value ->> 'id') || ':failed'`,
    by: 'clock',
    now,
  });
}

/**
 * What is open once the money has gone back, if the owner wants nothing more for it. It is owed again
 * if someone comes back who has left.
 */
function waiveRest(row: CheckoutRow, now: number) {
  return insertEntries({
    from: sql`enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
      WHERE e.id = ${row.enrollmentId} AND e.owner_id = ${row.ownerId} AND ${balanceOf} > 0
        AND EXISTS (SELECT 1 FROM refunds_wanted w WHERE w.checkout_id = ${row.id}
          AND w.done_at = ${now} AND w.waive_rest = 1
          -- Not of who has come back since.
          AND (e.status <> 'enrolled' OR e.status_changed_at < w.created_at))`,
    kind: 'waiver',
    amount: sql`-${balanceOf}`,
    currency: usedCurrency(sql`c.id`),
    source: sql`CASE WHEN ${hasEnded('e')} OR c.deleted_at IS NOT NULL THEN 'leaving' ELSE 'owner' END`,
    by: 'owner',
    now,
  });
}
