import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { refreshAccount } from '#features/payment-accounts/refresh-account.ts';
import { findSessionOf } from '#features/stripe/payments.ts';
import type { StripeEvent } from '#features/stripe/read-event.ts';
import { checkoutRows } from './checkout-rows.ts';
import { lookUp } from './look-up.ts';

/**
 * Takes an event of Stripe only as a hint: Stripe is then asked what happened. So it does not matter how
 * often it comes, in which order, or which version of the API it was written for.
 *
 * @throws AppError `payment_unavailable` if Stripe does not answer: it sends the event again
 */
export async function handleEvent(ctx: Context, { type, account, object }: StripeEvent) {
  if (/^(v2\.core\.)?account[.[]/.test(type)) {
    // Then the object is the platform's.
    const isGone = type === 'account.application.deauthorized';
    const id = isGone ? account : (textOf(object['id']) ?? account);
    if (id !== null) {
      await refreshAccount(ctx, id, { isGone });
    }
    return;
  }
  const row = await findRow(ctx, account, object);
  if (row === undefined) {
    ctx.observe.log('payment_unknown', { type: type.slice(0, 60) });
    return;
  }
  await lookUp(ctx, row);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 200 ? value : null;
}

/** The checkout that an event is about, if it is of that account. */
async function findRow(ctx: Context, account: string | null, object: StripeEvent['object']) {
  const isOfAccount = sql`o.stripe_account IS ${account}`;
  const find = async (id: string | null, payment: string | null) => {
    const { rows } = await ask(ctx, {
      rows: checkoutRows(
        ctx,
        sql`${isOfAccount}
        AND o.id = coalesce((SELECT x.id FROM checkouts x WHERE x.payment_intent = ${payment}), ${id})`,
      ),
    });
    return rows[0];
  };
  const isSession = object['object'] === 'checkout.session';
  const payment = isSession ? null : textOf(object['payment_intent']);
  const found = await find(isSession ? textOf(object['client_reference_id']) : null, payment);
  if (found !== undefined || payment === null || !(await isOurs(ctx, account))) {
    return found;
  }
  // A refund, say, of a payment of which we have not heard yet.
  const session = await findSessionOf(ctx, account, payment);
  const row = await find(session?.client_reference_id ?? null, null);
  if (row !== undefined) {
    await lookUp(ctx, row);
  }
  // As it is once its payment was written.
  return row && find(row.id, null);
}

/** Whether an account is that of an instructor, or the operator's own. */
async function isOurs(ctx: Context, account: string | null): Promise<boolean> {
  if (account === null) {
    return (ctx.config.stripe?.ownAccountFor.length ?? 0) > 0;
  }
  const { rows } = await ask(ctx, {
    rows: db.all(sql`SELECT 1 FROM payment_accounts WHERE stripe_account = ${account}`),
  });
  return rows.length > 0;
}
