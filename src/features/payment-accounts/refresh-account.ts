import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { sweepPlaces } from '#features/places/places.ts';
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
    owners: db.all<{ ownerId: string; isReady: 0 | 1 }>(sql`SELECT owner_id AS ownerId,
        charges_enabled AS isReady FROM payment_accounts
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
  sendSoon(ctx, mails);
  if (isReady === 1 && owner.isReady === 0) {
    await offerAgain(ctx, owner.ownerId);
  }
  ctx.observe.log('payment_account_changed', { userId: owner.ownerId, is_ready: isReady === 1 });
}

/** Offers the places that were kept back while no one could be paid. */
export async function offerAgain(ctx: Context, ownerId: string): Promise<void> {
  const { rows } = await ask(ctx, {
    rows: db.all<{ id: string }>(sql`SELECT c.id FROM cohorts c
      WHERE c.owner_id = ${ownerId} AND c.payment_mode = 'online_first' AND c.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status = 'waitlisted')`),
  });
  if (rows.length > 0) {
    await ask(ctx, {
      swept: sweepPlaces(
        ctx,
        rows.map(({ id }) => id),
      ),
    });
  }
}
