import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { newId } from '#features/ledger/balances.ts';
import { refundableInAccount } from '#features/ledger/paid-online.ts';
import { toStripeAmount } from '#features/stripe/amounts.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { createRefund, expireSession, listRefundsOf } from '#features/stripe/payments.ts';
import { checkoutRows } from './checkout-rows.ts';

/** More do not happen to one instructor at a time; Stripe ends the other pages within a day. */
const mostEnded = 20;

type Refund = {
  id: string;
  amountMinor: number;
  attempts: number;
  currency: string;
  payment: string;
  stripeAccount: string | null;
};

/**
 * Reads, before an account is deleted, on which pages at Stripe people are about to pay its owner, and
 * what is promised back to others: refunds under way, and payments without a place.
 *
 * @returns ends these pages, and makes these refunds
 */
export function openPaymentsOf(ctx: Context, ownerId: string) {
  return query(
    {
      pages: checkoutRows(sql`o.owner_id = ${ownerId} AND o.status = 'open'`, mostEnded),
      refunds: db.all<Refund>(sql`SELECT p.id, p.amount AS amountMinor, p.attempts, o.currency,
          o.payment_intent AS payment, o.stripe_account AS stripeAccount
        FROM (SELECT w.id, w.checkout_id, w.amount_minor AS amount, w.attempts
            FROM refunds_wanted w
            WHERE w.owner_id = ${ownerId} AND w.done_at IS NULL AND w.failed_at IS NULL
          UNION ALL SELECT ${newId}, o.id, ${refundableInAccount}, 0 FROM checkouts o
            WHERE o.owner_id = ${ownerId} AND o.problem = 'no_place' AND ${refundableInAccount} > 0) p
          JOIN checkouts o ON o.id = p.checkout_id LIMIT ${mostEnded}`),
    },
    ({ pages, refunds }) =>
      async () => {
        if (ctx.config.stripe === null) {
          return;
        }
        // Money first, because the requests of an invocation are few.
        const ends = [
          ...refunds.map((refund) => () => makeRefund(ctx, refund)),
          ...pages.map(
            ({ sessionId, stripeAccount }) =>
              async () =>
                sessionId !== null && (await expireSession(ctx, stripeAccount, sessionId)),
          ),
        ];
        for (const end of ends) {
          await end().catch((error: unknown) => {
            // It was paid meanwhile or is over: it stands in the instructor's own Stripe.
            if (error instanceof StripeRefusal) {
              ctx.observe.log('payment_refused', { reason: error.reason });
            } else {
              ctx.observe.fail(error);
            }
          });
        }
      },
  );
}

/** Makes a refund that may have been made already. */
async function makeRefund(
  ctx: Context,
  { id, amountMinor, attempts, currency, payment, stripeAccount }: Refund,
): Promise<void> {
  const made = attempts > 0 ? await listRefundsOf(ctx, stripeAccount, payment) : [];
  if (!made.some(({ metadata }) => metadata?.refund === id)) {
    const amount = toStripeAmount(amountMinor, currency);
    await createRefund(ctx, stripeAccount, { id, key: id, payment, amount });
  }
}
