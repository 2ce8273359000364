import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { newId } from '#features/ledger/insert-entries.ts';
import { refundable, underWay } from '#features/ledger/paid-online.ts';
import { refreshAccount } from '#features/payment-accounts/refresh-account.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { listReturnsSince } from '#features/stripe/payments.ts';
import { AppError } from '#lib/app-error.ts';
import { requestsLeft } from '#lib/requests-left.ts';
import { dayMs, hourMs, minuteMs } from '#lib/time/calendar.ts';
import { checkoutRows } from './checkout-rows.ts';
import { lookUp } from './look-up.ts';
import { recordReturns } from './record-returns.ts';
import { sendRefund, type Wanted, wantedColumns } from './refund-checkout.ts';

/** What one checkout or refund takes at most: what it asks Stripe, and what it then writes. */
const requestsForOne = 10;
/** What one run looks at. */
const chunkRows = 50;
/** How often an account is listed, and how far back: a refund may fail weeks later. */
const listedEveryMs = 22 * hourMs;
const listedMs = 30 * dayMs;
/** How long Stripe is left alone about a page that has just opened, or ended. */
const shortestWaitMs = 3 * minuteMs;
/** So that Stripe has ended it too. */
const afterEndMs = 30_000;

/**
 * What the clock does about payments: asks Stripe about those of which it has heard nothing, makes the
 * refunds that are due, and finds those that were made at Stripe. All of it is safe to do again.
 */
export async function settlePayments(context: Context): Promise<void> {
  if (context.config.stripe === null) {
    return;
  }
  // The clock sends the emails three minutes later, with requests of its own.
  const ctx = { ...context, drainOutbox: () => Promise.resolve() };
  // Money that goes back first: someone waits for it.
  await refundUndecided(ctx);
  await sendRefunds(ctx);
  await askAboutPayments(ctx);
  // Last, because it can wait for a run with requests left.
  await listReturns(ctx);
}

/**
 * Does one after another, as far as the requests of the run allow. One that fails is left for the next
 * run, and Stripe is not asked again when it does not answer.
 *
 * @returns whether all were done
 */
async function eachOf<One>(
  ctx: Context,
  ones: readonly One[],
  work: (one: One) => Promise<unknown>,
): Promise<boolean> {
  for (const one of ones) {
    if (requestsLeft(ctx) < requestsForOne) {
      return false;
    }
    try {
      await work(one);
    } catch (error) {
      if (error instanceof StripeRefusal) {
        // It no longer knows what we ask about, or we no longer have access to the account.
        ctx.observe.log('payment_refused', { reason: error.reason });
        continue;
      }
      if (error instanceof AppError && error.code === 'payment_unavailable') {
        ctx.observe.log('payment_refused', { reason: 'unavailable' });
        return false;
      }
      ctx.observe.fail(error);
    }
  }
  return true;
}

/** Asks Stripe about payments of which no event has come. */
async function askAboutPayments(ctx: Context): Promise<void> {
  const now = ctx.now().getTime();
  let isDone = false;
  while (!isDone) {
    // As many as the requests allow in any case.
    const count = Math.floor(requestsLeft(ctx) / requestsForOne);
    const due = sql`(SELECT x.id FROM checkouts x WHERE x.check_at <= ${now}
      ORDER BY x.check_at, x.rowid LIMIT ${count})`;
    const { rows } = await ask(ctx, {
      rows: checkoutRows(ctx, sql`o.id IN ${due}`, count),
      // First, so that one that always fails holds up no others: after as long again as it has been
      // open, or over, and at its end.
      planned: db.run(sql`UPDATE checkouts SET check_at = min(
          CASE WHEN expires_at < ${now} THEN ${now + dayMs} ELSE expires_at + ${afterEndMs} END,
          ${now} + max(${shortestWaitMs}, ${now} - CASE WHEN expires_at < ${now} THEN expires_at
            ELSE created_at END))
        WHERE id IN ${due}`),
    });
    isDone = rows.length === 0 || !(await eachOf(ctx, rows, (row) => lookUp(ctx, row)));
  }
}

/** Wants the refund of payments without a place about which no one has decided. */
async function refundUndecided(ctx: Context): Promise<void> {
  const now = ctx.now().getTime();
  const isDue = sql`o.decide_by <= ${now} AND o.problem = 'no_place'`;
  // They got in while a part was being refunded.
  const isIn = sql`EXISTS (SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
    WHERE e.id = o.enrollment_id AND e.owner_id = o.owner_id AND e.status = 'enrolled'
      AND c.deleted_at IS NULL)`;
  await ask(ctx, {
    wanted: db.run(sql`INSERT INTO refunds_wanted (id, checkout_id, owner_id, amount_minor, reason,
        due_at, created_at)
      SELECT ${newId}, o.id, o.owner_id, ${refundable}, 'no_place', ${now}, ${now}
      FROM checkouts o WHERE ${isDue} AND NOT ${isIn} AND ${refundable} > 0
      ORDER BY o.decide_by LIMIT ${chunkRows}`),
    // What is wanted is due until it is back or has failed.
    settled:
      db.run(sql`UPDATE checkouts SET problem = NULL, decide_by = NULL WHERE id IN (SELECT o.id
      FROM checkouts o WHERE ${isDue} AND (${isIn} OR ${refundable} <= 0)
        AND ${underWay} = 0)`),
  });
}

/** Makes the refunds that are due. */
async function sendRefunds(ctx: Context): Promise<void> {
  const now = ctx.now().getTime();
  const due = sql`FROM refunds_wanted w
    WHERE w.due_at <= ${now} AND w.done_at IS NULL AND w.failed_at IS NULL
    ORDER BY w.due_at, w.rowid LIMIT ${chunkRows}`;
  const { wanted, rows } = await ask(ctx, {
    wanted: db.all<Wanted>(sql`SELECT ${wantedColumns} ${due}`),
    rows: checkoutRows(ctx, sql`o.id IN (SELECT w.checkout_id ${due})`, chunkRows),
  });
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  await eachOf(ctx, wanted, async (one) => {
    const row = rowOf.get(one.checkoutId);
    return row && sendRefund(ctx, row, one);
  });
}

/**
 * Once a day, asks how each account is, reads its refunds and disputes of the last days, and writes
 * what no event has told.
 */
async function listReturns(ctx: Context): Promise<void> {
  const now = ctx.now().getTime();
  const { rows } = await ask(ctx, {
    rows: db.all<{ account: string | null }>(sql`SELECT stripe_account AS account
      FROM payment_accounts WHERE listed_at <= ${now - listedEveryMs}
      ORDER BY listed_at LIMIT ${chunkRows}`),
  });
  // Many may use that of the operator.
  await eachOf(ctx, [...new Set(rows.map(({ account }) => account))], async (account) => {
    await ask(ctx, {
      listed: db.run(sql`UPDATE payment_accounts SET listed_at = ${now}
        WHERE stripe_account IS ${account}`),
    });
    if (account !== null) {
      await refreshAccount(ctx, account);
    }
    const since = new Date(now - listedMs);
    const returns = await listReturnsSince(ctx, account, since);
    const { found } = await ask(ctx, {
      // Only those of which something is new: the requests of a run are few.
      found: checkoutRows(
        ctx,
        sql`o.stripe_account IS ${account} AND o.id IN (SELECT x.id
            FROM json_each(${JSON.stringify(returns)}) AS r
              JOIN checkouts x ON x.payment_intent = r.value ->> 'payment'
            WHERE x.refunded_minor <> r.value ->> 'minor' OR x.paid_at < ${since.getTime()}
              OR r.value ->> 'isDisputed'
          UNION ALL SELECT d.id FROM payment_accounts a
            JOIN checkouts d ON d.owner_id = a.owner_id AND d.problem = 'disputed'
            WHERE a.stripe_account IS ${account})`,
        chunkRows,
      ),
    });
    await eachOf(ctx, found, (row) => recordReturns(ctx, row));
  });
}
