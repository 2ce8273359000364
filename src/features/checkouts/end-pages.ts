import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { query } from '#db/query.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { expireSession } from '#features/stripe/payments.ts';
import { checkoutRows } from './checkout-rows.ts';

/** More people do not pay one instructor at a time; Stripe ends the other pages within a day. */
const mostPages = 20;

/**
 * Reads the pages at Stripe on which people are about to pay an owner.
 *
 * @returns ends these pages
 */
export function openPagesOf(ctx: Context, ownerId: string) {
  return query(
    { rows: checkoutRows(sql`o.owner_id = ${ownerId} AND o.status = 'open'`, mostPages) },
    ({ rows }) =>
      async () => {
        for (const { sessionId, stripeAccount } of rows) {
          if (sessionId !== null && ctx.config.stripe !== null) {
            await expireSession(ctx, stripeAccount, sessionId).catch((error: unknown) => {
              // It was paid, or is over.
              if (!(error instanceof StripeRefusal)) {
                throw error;
              }
            });
          }
        }
      },
  );
}
