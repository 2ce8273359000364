import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { refundable } from '#features/ledger/paid-online.ts';
import { waiveAfterRefunds } from '#features/ledger/settle.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { toStripeAmount } from '#features/stripe/amounts.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { createRefund } from '#features/stripe/payments.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { hourMs, minuteMs } from '#lib/time/calendar.ts';
import { hashToken } from '#lib/tokens.ts';
import { type CheckoutRow, checkoutRows } from './checkout-rows.ts';
import { mailToOwner } from './payment-mails.ts';
import { recordReturns } from './record-returns.ts';
import type { RefundAnswer, RefundInput } from './schema.ts';

/** How long a worker may take for a refund that it has claimed. */
const claimMs = 2 * minuteMs;
/** After each try that failed; the last is repeated. */
const retryMs = [2 * minuteMs, 10 * minuteMs, hourMs, 4 * hourMs];

/**
 * Pays back what someone has paid online, or a part of it. It is written first and then done at
 * Stripe; if Stripe does not answer, the clock does it.
 *
 * @param idempotencyKey a retry with the same key pays back nothing more
 * @throws AppError `not_found` for a payment that does not exist or belongs to another user;
 *   `more_than_paid`, `nothing_paid`, `refund_refused`, `idempotency_key_reused`, `rate_limited`
 */
export async function refundCheckout(
  ctx: ViewerContext,
  checkoutId: string,
  { amount_minor: amount, waive_rest: waiveRest }: RefundInput,
  idempotencyKey: string | null,
): Promise<RefundAnswer> {
  const { ownerId } = ctx;
  const now = ctx.now().getTime();
  const key = idempotencyKey ?? crypto.randomUUID();
  // By the owner too, because anyone may choose the same key.
  const id = (await hashToken(`${ownerId}:${checkoutId}:${key}`)).slice(0, 32);
  const isOwn = sql`o.id = ${checkoutId} AND o.owner_id = ${ownerId}`;
  const use = { limit: 'refunds_per_user', subject: ctx.viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const { rows, wanted, usage } = await ask(ctx, {
    made: db.run(sql`INSERT INTO refunds_wanted (id, checkout_id, owner_id, amount_minor, waive_rest,
        reason, due_at, created_at)
      SELECT ${id}, o.id, o.owner_id, coalesce(${amount}, ${refundable}), ${waiveRest ? 1 : 0},
        'owner', ${now}, ${now}
      FROM checkouts o WHERE ${isOwn} AND o.status = 'paid' AND ${refundable} > 0
        AND coalesce(${amount}, ${refundable}) <= ${refundable} AND ${limit.hasRoom}
      ON CONFLICT DO NOTHING`),
    waived: waiveAfterRefunds(
      sql`e.id = (SELECT o.enrollment_id FROM checkouts o
        JOIN refunds_wanted w ON w.checkout_id = o.id WHERE w.id = ${id} AND w.waive_rest = 1)`,
      sql`, created_at = ${now}`,
    ),
    rows: checkoutRows(ctx, isOwn),
    wanted: db.all<Wanted>(sql`SELECT ${wantedColumns} FROM refunds_wanted w WHERE w.id = ${id}`),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM refunds_wanted w
      WHERE w.id = ${id} AND w.created_at = ${now})`),
  });
  const row = requireFound(rows[0]);
  const [one] = wanted;
  if (one === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError(amount === null ? 'nothing_paid' : 'more_than_paid');
  }
  if (amount !== null && one.amountMinor !== amount) {
    throw new AppError('idempotency_key_reused');
  }
  const state = await sendRefund(ctx, row, one, true);
  if (state === 'failed') {
    throw new AppError('refund_refused');
  }
  return { amount_minor: one.amountMinor, state };
}

/** A refund that is to be made. */
export type Wanted = {
  id: string;
  checkoutId: string;
  amountMinor: number;
  attempts: number;
  doneAt: number | null;
  failedAt: number | null;
};

/** The columns of `refunds_wanted w`. */
export const wantedColumns = sql`w.id, w.checkout_id AS checkoutId, w.amount_minor AS amountMinor,
  w.attempts, w.done_at AS doneAt, w.failed_at AS failedAt`;

/**
 * Makes a refund at Stripe, and writes to the account what Stripe then says. If the worker dies in between,
 * the clock continues: it looks first whether it was made, because Stripe forgets a key after a day.
 *
 * @param isAwaited whether its owner waits for the answer; otherwise they get an email if it is refused
 * @throws AppError `payment_unavailable` if no one waits and Stripe does not answer
 */
export async function sendRefund(
  ctx: Context,
  row: CheckoutRow,
  wanted: Wanted,
  isAwaited = false,
): Promise<RefundAnswer['state'] | 'failed'> {
  const { id, amountMinor, attempts } = wanted;
  if (wanted.doneAt !== null || wanted.failedAt !== null) {
    return wanted.failedAt === null ? 'done' : 'failed';
  }
  const now = ctx.now().getTime();
  const isWaiting = sql`id = ${id} AND done_at IS NULL AND failed_at IS NULL`;
  const { claimed } = await ask(ctx, {
    claimed: db.all(sql`UPDATE refunds_wanted SET due_at = ${now + claimMs}, attempts = attempts + 1
      WHERE ${isWaiting} AND due_at <= ${now} RETURNING id`),
  });
  if (claimed.length === 0) {
    return 'wanted';
  }
  try {
    if (attempts > 0 && (await recordReturns(ctx, row)).includes(id)) {
      return 'done';
    }
    const amount = toStripeAmount(amountMinor, row.currency);
    const payment = row.paymentIntent ?? '';
    // Stripe may repeat an error for a key; we have just seen that no refund exists.
    const key = attempts < 2 ? id : `${id}:${attempts}`;
    const refusal = await refusalOf(
      createRefund(ctx, row.stripeAccount, { id, key, payment, amount }),
    );
    if (refusal !== null) {
      return await noteRefusal(ctx, row, { id, reason: refusal.reason, isAwaited });
    }
    return (await recordReturns(ctx, row)).includes(id) ? 'done' : 'wanted';
  } catch (error) {
    // Only a look-up was refused, so it may have been made; after some hours the owner has to look.
    if (error instanceof StripeRefusal && attempts >= retryMs.length) {
      return noteRefusal(ctx, row, { id, reason: error.reason, isAwaited });
    }
    await ask(ctx, {
      later: db.run(sql`UPDATE refunds_wanted
        SET due_at = ${now + (retryMs[attempts] ?? 4 * hourMs)} WHERE ${isWaiting}`),
    });
    if (isAwaited && error instanceof AppError && error.code === 'payment_unavailable') {
      return 'wanted';
    }
    throw error;
  }
}

/** What Stripe refuses; null if it does as it is asked. */
async function refusalOf(call: Promise<unknown>): Promise<StripeRefusal | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof StripeRefusal) {
      return error;
    }
    throw error;
  }
}

type Refused = { id: string; reason: string; isAwaited: boolean };

/** Notes that Stripe does not make a refund. Its owner has to look at one that they do not wait for. */
async function noteRefusal(ctx: Context, row: CheckoutRow, { id, reason, isAwaited }: Refused) {
  const now = ctx.now().getTime();
  // It may have been made at Stripe meanwhile.
  await recordReturns(ctx, row).catch(() => undefined);
  const isOpen = sql`refunded_minor < paid_minor`;
  const { mails } = await ask(ctx, {
    ...(!isAwaited && {
      mails: mailToOwner({
        key: sql`'refund_refused:' || w.id`,
        reason: sql`'refund_refused'`,
        minor: sql`w.amount_minor`,
        now,
        join: sql`JOIN refunds_wanted w ON w.checkout_id = o.id`,
        where: sql`w.id = ${id} AND o.${isOpen}`,
      }),
      problem: db.run(sql`UPDATE checkouts SET problem = 'lost', decide_by = NULL
        WHERE id = ${row.id} AND coalesce(problem, 'no_place') = 'no_place' AND ${isOpen}`),
    }),
    failed: db.run(sql`UPDATE refunds_wanted SET failed_at = ${now}, failure = ${reason}
      WHERE id = ${id} AND done_at IS NULL`),
  });
  sendSoon(ctx, mails ?? []);
  ctx.observe.log('payment_refused', { checkout: row.id, reason });
  return 'failed' as const;
}
