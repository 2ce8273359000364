import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireRecentLogin } from '#features/identity/require-viewer.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { mailAboutAccount } from '#features/payment-accounts/account-mails.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { expireSession } from '#features/stripe/payments.ts';
import { AppError } from '#lib/app-error.ts';
import { checkoutRows } from './checkout-rows.ts';

/** How many pages one request ends; the clock or Stripe ends the others. */
const mostEnded = 20;

/**
 * Whether an owner has promised money back: refunds that are under way, and payments without a place.
 * The account outlives them.
 */
export function owesRefunds(ownerId: string): SQL {
  return sql`(EXISTS (SELECT 1 FROM refunds_wanted w
      WHERE w.owner_id = ${ownerId} AND w.done_at IS NULL AND w.failed_at IS NULL)
    OR EXISTS (SELECT 1 FROM checkouts o WHERE o.owner_id = ${ownerId} AND o.problem = 'no_place'))`;
}

/**
 * Reads an owner's open pages at Stripe.
 *
 * @returns what ends them
 */
export function openPagesOf(ctx: Context, ownerId: string) {
  const rows = checkoutRows(ctx, sql`o.owner_id = ${ownerId} AND o.status = 'open'`, mostEnded);
  return query({ rows }, (found) => async () => {
    for (const { sessionId, stripeAccount } of found.rows) {
      if (sessionId !== null && ctx.config.stripe !== null) {
        await expireSession(ctx, stripeAccount, sessionId).catch((error: unknown) => {
          // It was paid meanwhile or is over: it stands in the instructor's own Stripe.
          if (error instanceof StripeRefusal) {
            ctx.observe.log('payment_refused', { reason: error.reason });
          } else {
            ctx.observe.fail(error);
          }
        });
      }
    }
  });
}

/**
 * Takes no more payments by the viewer's account, and ends the pages on which people are about to pay
 * by it. It stays theirs at Stripe, where debits still arrive that a bank is confirming.
 *
 * @throws AppError `proof_required`; `not_found` without one
 */
export async function disconnectAccount(ctx: ViewerContext): Promise<void> {
  requireRecentLogin(ctx);
  const { ownerId } = ctx;
  const now = ctx.now().getTime();
  const isConnected = sql`owner_id = ${ownerId} AND stripe_account IS NOT NULL
    AND disconnected_at IS NULL`;
  const { connected, mails, endPages } = await ask(ctx, {
    connected: db.all(sql`SELECT 1 FROM payment_accounts WHERE ${isConnected}`),
    mails: mailAboutAccount(
      ownerId,
      'disconnected',
      now,
      sql`EXISTS (SELECT 1 FROM payment_accounts WHERE ${isConnected})`,
    ),
    disconnected: db.run(sql`UPDATE payment_accounts
      SET disconnected_at = ${now}, charges_enabled = 0 WHERE ${isConnected}`),
    // The clock then writes that they have ended, and ends those that are left.
    looked: db.run(sql`UPDATE checkouts SET check_at = ${now}
      WHERE owner_id = ${ownerId} AND status = 'open'`),
    endPages: openPagesOf(ctx, ownerId),
  });
  if (connected.length === 0) {
    throw new AppError('not_found');
  }
  ctx.waitUntil(endPages());
  sendSoon(ctx, mails);
  ctx.observe.log('payment_account_disconnected', { userId: ctx.viewer.id });
}
