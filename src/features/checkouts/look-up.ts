import 'server-only';
import type { Context } from '#context.ts';
import type { CheckoutStatus } from '#db/values.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { expireSession, getSession } from '#features/stripe/payments.ts';
import { applySession, endCheckout, isWithoutPage } from './apply-session.ts';
import type { CheckoutRow } from './checkout-rows.ts';
import { recordReturns } from './record-returns.ts';

/**
 * Asks Stripe what has become of a checkout, and writes it. An open page that no one needs any more is
 * ended; of one that is paid, also what has gone back.
 *
 * @throws AppError `payment_unavailable` if Stripe does not answer, or no longer tells us: then a page
 *   whose time is over counts as ended
 */
export async function lookUp(ctx: Context, row: CheckoutRow): Promise<CheckoutStatus> {
  if (row.status === 'paid') {
    await recordReturns(ctx, row);
    return 'paid';
  }
  if (row.sessionId === null) {
    return closePage(ctx, row);
  }
  const session = await getSession(ctx, row.stripeAccount, row.sessionId).catch(async (error) => {
    if (error instanceof StripeRefusal && row.expiresAt <= ctx.now().getTime()) {
      await endCheckout(ctx, row.id);
    }
    throw error;
  });
  if (session.status === 'open' && row.isWanted === 0) {
    return closePage(ctx, row);
  }
  return applySession(ctx, row, session);
}

/** Ends the page of a checkout that asks for what is no longer wanted; it may have been paid just now. */
export async function closePage(ctx: Context, row: CheckoutRow): Promise<CheckoutStatus> {
  if (row.sessionId === null) {
    await endCheckout(ctx, row.id, isWithoutPage);
    return 'expired';
  }
  const { stripeAccount: account, sessionId } = row;
  const session = await expireSession(ctx, account, sessionId).catch((error: unknown) => {
    if (error instanceof StripeRefusal) {
      return getSession(ctx, account, sessionId);
    }
    throw error;
  });
  return applySession(ctx, row, session);
}
