import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { findAccount } from '#features/stripe/accounts.ts';
import { mailAboutAccount } from './account-mails.ts';

/**
 * Asks Stripe how an account is, and writes it. Its owner hears once when people can no longer pay.
 * Nothing happens for an account that no one here has.
 *
 * @param isGone whether its owner has taken back our access
 * @throws AppError `payment_unavailable` if Stripe does not answer
 */
export async function refreshAccount(
  ctx: Context,
  account: string,
  { isGone = false }: { isGone?: boolean } = {},
): Promise<void> {
  const { owners } = await ask(ctx, {
    owners: db.all<{ ownerId: string }>(sql`SELECT owner_id AS ownerId FROM payment_accounts
      WHERE stripe_account = ${account} AND disconnected_at IS NULL`),
  });
  const [owner] = owners;
  if (owner === undefined) {
    return;
  }
  const found = isGone ? null : await findAccount(ctx, account);
  const now = ctx.now().getTime();
  const isReady = found?.isReady === true ? 1 : 0;
  const isThis = sql`owner_id = ${owner.ownerId} AND stripe_account = ${account}`;
  const { mails } = await ask(ctx, {
    mails: mailAboutAccount(
      owner.ownerId,
      'paused',
      now,
      sql`${isReady} = 0 AND EXISTS (SELECT 1 FROM payment_accounts
        WHERE ${isThis} AND charges_enabled = 1 AND disconnected_at IS NULL)`,
    ),
    changed:
      db.run(sql`UPDATE payment_accounts SET charges_enabled = ${isReady}, checked_at = ${now},
        due_json = ${JSON.stringify(found?.due ?? [])}, country = coalesce(${found?.country ?? null}, country),
        ready_at = coalesce(ready_at, CASE WHEN ${isReady} THEN ${now} END),
        disconnected_at = CASE WHEN ${found === null ? 1 : 0} THEN ${now} END
      WHERE ${isThis} AND disconnected_at IS NULL`),
  });
  sendSoon(
    ctx,
    mails.map(({ id }) => id),
  );
  ctx.observe.log('payment_account_changed', { userId: owner.ownerId, is_ready: isReady === 1 });
}
