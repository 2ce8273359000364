import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { CohortKind, PaymentMode } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { isPayable, payableLimits } from '#lib/payable-amounts.ts';
import { priceOf } from '#lib/price.ts';

/**
 * The account at Stripe that payments for the owner of cohort `c` go to, as SQL: empty for the
 * operator's own, for owners whom the operator has named; null if there is none that can be paid to.
 */
export function usableAccount({ config }: Pick<Context, 'config'>): SQL {
  const { stripe } = config;
  return stripe === null ? none({}) : account({ named: JSON.stringify(stripe.ownAccountFor) });
}

const none = fragment(() => sql`NULL`);
const account = fragment(
  ({ named }: Given<'named'>) => sql`(SELECT
      CASE WHEN lower(u.email) IN (SELECT value FROM json_each(${named})) THEN ''
      ELSE (SELECT a.stripe_account FROM payment_accounts a WHERE a.owner_id = u.id
        AND a.charges_enabled = 1 AND a.disconnected_at IS NULL) END
    FROM users u WHERE u.id = c.owner_id)`,
);

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
