import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireRecentLogin } from '#features/identity/require-viewer.ts';
import { consume } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  type Account,
  createAccount,
  createAccountLink,
  findAccount,
} from '#features/stripe/accounts.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { AppError } from '#lib/app-error.ts';
import { hourMs } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';
import { mailAboutAccount } from './account-mails.ts';
import { type AccountRow, accountRow } from './find-account.ts';
import { offerAgain, refreshAccount } from './refresh-account.ts';
import type { AccountInput, AccountLink } from './schema.ts';

/** Where Stripe leads back to. */
const returnPath = `${serverPaths.gettingPaid}?from=stripe`;

/**
 * Connects the viewer's account at Stripe, and says where Stripe asks for what it needs. Again, as long
 * as something is missing, it is the same account; so it is after it was disconnected here.
 *
 * @returns also whether an account was connected just now
 * @throws AppError `proof_required`; `not_found` for an owner whose payments go to the operator;
 *   `country_refused`, `payment_unavailable`, `rate_limited`
 */
export async function connectAccount(
  ctx: ViewerContext,
  { country }: AccountInput,
): Promise<AccountLink & { isNew: boolean }> {
  requireRecentLogin(ctx);
  await consume(ctx, [{ limit: 'onboarding_per_user', subject: ctx.viewer.id }], 'refuse');
  const { row } = await ask(ctx, { row: accountRow(ctx, ctx.ownerId) });
  if (row === null || row.isOperators === 1) {
    throw new AppError('not_found');
  }
  const isConnected = row.stripeAccount !== null && row.disconnectedAt === null;
  const account = isConnected ? row.stripeAccount : await writeAccount(ctx, row, country);
  const url = await createAccountLink(ctx, account ?? '', `${ctx.config.appOrigin}${returnPath}`);
  return { redirect_to: url, isNew: !isConnected };
}

/** Writes which account the viewer has from now on: the former one, if we may still use it. */
async function writeAccount(ctx: ViewerContext, row: AccountRow, country: string): Promise<string> {
  const { ownerId } = ctx;
  const former = row.stripeAccount === null ? null : await findAccount(ctx, row.stripeAccount);
  const account = former ?? (await newAccount(ctx, row, country));
  const now = ctx.now().getTime();
  const isReady = account.isReady ? 1 : 0;
  const { mails } = await ask(ctx, {
    written: db.run(sql`INSERT INTO payment_accounts (owner_id, stripe_account, country,
        charges_enabled, due_json, ready_at, connected_at, checked_at)
      VALUES (${ownerId}, ${account.id}, ${account.country ?? country}, ${isReady},
        ${JSON.stringify(account.due)}, ${account.isReady ? now : null}, ${now}, ${now})
      ON CONFLICT (owner_id) DO UPDATE SET stripe_account = excluded.stripe_account,
        country = excluded.country, charges_enabled = excluded.charges_enabled,
        due_json = excluded.due_json, ready_at = excluded.ready_at,
        connected_at = excluded.connected_at, checked_at = excluded.checked_at,
        disconnected_at = NULL`),
    mails: mailAboutAccount(ownerId, 'connected', now),
  });
  sendSoon(ctx, mails);
  if (account.isReady) {
    await offerAgain(ctx, ownerId);
  }
  ctx.observe.log('payment_account_connected', { userId: ctx.viewer.id });
  return account.id;
}

async function newAccount(ctx: ViewerContext, row: AccountRow, country: string): Promise<Account> {
  const { ownerId, viewer } = ctx;
  try {
    // A retry is the same account; an hour later, Stripe may not have kept an error for the key.
    const hour = Math.floor(ctx.now().getTime() / hourMs);
    const key = `account:${ownerId}:${country}:${row.connectedAt ?? 0}:${hour}`;
    return await createAccount(ctx, { key, email: viewer.email, country });
  } catch (error) {
    if (error instanceof StripeRefusal) {
      ctx.observe.log('payment_refused', { reason: error.reason });
      throw new AppError('country_refused', { cause: error });
    }
    throw error;
  }
}

/** Asks Stripe how the viewer's account is; nothing to ask without one. */
export async function checkAccount(ctx: ViewerContext): Promise<void> {
  await consume(ctx, [{ limit: 'account_checks_per_user', subject: ctx.viewer.id }], 'refuse');
  const { row } = await ask(ctx, { row: accountRow(ctx, ctx.ownerId) });
  if (row?.stripeAccount != null && row.disconnectedAt === null) {
    await refreshAccount(ctx, row.stripeAccount);
  }
}
