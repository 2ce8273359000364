import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { refreshAccount } from '#features/payment-accounts/refresh-account.ts';
import { findSessionOf } from '#features/stripe/payments.ts';
import type { StripeEvent } from '#features/stripe/read-event.ts';
import { applySession } from './apply-session.ts';
import { checkoutRows } from './checkout-rows.ts';
import { lookUp } from './look-up.ts';
import { recordReturns } from './record-returns.ts';

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
  const isSession = object['object'] === 'checkout.session';
  const payment = isSession ? null : textOf(object['payment_intent']);
  const { row, isOurs } = await findRow(
    ctx,
    account,
    payment === null
      ? sql`o.id = ${isSession ? textOf(object['client_reference_id']) : null}`
      : sql`o.payment_intent = ${payment}`,
  );
  if (row !== undefined) {
    await lookUp(ctx, row);
    return;
  }
  // A refund, say, of a payment of which we have not heard yet.
  const session = payment !== null && isOurs ? await findSessionOf(ctx, account, payment) : null;
  const late =
    session && (await findRow(ctx, account, sql`o.id = ${session.client_reference_id}`)).row;
  if (!late) {
    ctx.observe.log('payment_unknown', { type: type.slice(0, 60) });
    return;
  }
  if ((await applySession(ctx, late, session)) === 'paid') {
    await recordReturns(ctx, { ...late, paymentIntent: payment });
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 200 ? value : null;
}

/** The checkout that an event is about; and whether an account is an instructor's, or our own. */
async function findRow(ctx: Context, account: string | null, where: SQL) {
  const { rows, accounts } = await ask(ctx, {
    rows: checkoutRows(ctx, sql`o.stripe_account IS ${account} AND ${where}`),
    accounts: db.all(sql`SELECT 1 FROM payment_accounts WHERE stripe_account = ${account}`),
  });
  const known = account === null ? ctx.config.stripe?.ownAccountFor : accounts;
  return { row: rows[0], isOurs: known !== undefined && known.length > 0 };
}
