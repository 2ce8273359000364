import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { usableAccount } from '#db/prices.ts';
import { ask, db } from '#db/query.ts';
import type { CohortKind, PaymentMode } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { isPayable, payableLimits } from '#lib/payable-amounts.ts';
import { priceOf } from '#lib/price.ts';

/** How people are to pay in a cohort, and what for. */
type Payment = Prices & { paymentMode: PaymentMode; kind: CohortKind };
type Prices = {
  priceMinor: number | null;
  earlyPriceMinor: number | null;
  currency: string | null;
};

/**
 * Refuses prices that Stripe can't ask for.
 *
 * @throws AppError `price_not_payable`
 */
export function requirePayablePrices(
  ctx: Pick<Context, 'request'>,
  { priceMinor, earlyPriceMinor, currency }: Prices,
): void {
  const prices = [priceMinor, earlyPriceMinor].filter((price) => price !== null && price > 0);
  if (currency !== null && !prices.every((price) => isPayable(price ?? 0, currency))) {
    throw new AppError('price_not_payable', { values: payableWords(ctx, currency) });
  }
}

/** What Stripe takes in a currency, in the language of who asks. */
export function payableWords({ request }: Pick<Context, 'request'>, currency: string) {
  const { locale } = request;
  const { least, most } = payableLimits(currency);
  return { least: priceOf(least, currency, locale), most: priceOf(most, currency, locale) };
}

/**
 * Refuses to let people pay online without a price, or without an account that can be paid to. It may
 * be disconnected or paused right after this, as at any time.
 *
 * @throws AppError `price_required`, `price_not_payable`, `payment_account_required`
 */
export async function requirePayable(
  ctx: ViewerContext,
  { paymentMode, kind, ...prices }: Payment,
): Promise<void> {
  if (paymentMode === 'own') {
    return;
  }
  if (!prices.priceMinor) {
    throw new AppError('price_required', { values: { kind } });
  }
  requirePayablePrices(ctx, prices);
  const { rows } = await ask(ctx, {
    rows: db.all(sql`SELECT 1 FROM (SELECT ${ctx.ownerId} AS owner_id) c
      WHERE ${usableAccount(ctx)} IS NOT NULL`),
  });
  if (rows.length === 0) {
    throw new AppError('payment_account_required');
  }
}
