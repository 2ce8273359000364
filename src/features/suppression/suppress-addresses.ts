import 'server-only';
import { inArray, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import { suppressedAddresses, webhookDeliveries } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import type { WebhookProvider } from '#db/values.ts';
import { isPaused } from '#features/outbox/standing.ts';
import { AppError } from '#lib/app-error.ts';
import type { SuppressionEvent } from './read-webhook.ts';

/** Longer than Resend retries an event, or an operator would replay one by hand. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Adds addresses to the suppression list. A complaint replaces a bounce; other entries stay.
 *
 * A complaint about an email of the outbox is only noted there: it ends what this instructor sends
 * to the address, and never a login. Too many of them pause the instructor's invitations.
 *
 * The id of the delivery is stored in the same batch, so that a failed delivery can be retried and
 * a repeated one changes nothing, even if an operator has removed the entry meanwhile.
 *
 * @throws AppError `unavailable` if nothing was written
 */
export async function suppressAddresses(
  ctx: Context,
  delivery: { provider: WebhookProvider; id: string },
  { addresses, reason, emailId }: SuppressionEvent,
): Promise<void> {
  const now = ctx.now().getTime();
  // One JSON parameter, because there may be more recipients than D1 allows parameters.
  const list = sql`json_each(${JSON.stringify(addresses)})`;
  const isOfOutbox = sql`(${reason} = 'complained' AND ${emailId} <> ''
    AND EXISTS (SELECT 1 FROM mails_due m WHERE m.provider_id = ${emailId}))`;
  // Whose email it is, and whether their invitations pause.
  const standing = db.all<{ ownerId: string; isPaused: 0 | 1 }>(sql`SELECT m.owner_id AS ownerId,
      ${isPaused(sql`m.owner_id`)} AS isPaused
    FROM mails_due m WHERE m.provider_id = ${emailId} AND ${isOfOutbox} AND m.owner_id IS NOT NULL`);
  try {
    const { before, marked, owners, paused } = await ask(ctx, {
      delivery: db
        .insert(webhookDeliveries)
        .values({ ...delivery, expiresAt: new Date(now + rememberedMs) }),
      before: standing,
      returned: db.run(sql`UPDATE mails_due SET bounced_at = coalesce(bounced_at, ${now})
        WHERE provider_id = ${emailId} AND ${emailId} <> '' AND ${reason} = 'bounced'`),
      unwelcome: db.run(sql`UPDATE mails_due SET complained_at = coalesce(complained_at, ${now})
        WHERE provider_id = ${emailId} AND ${isOfOutbox}`),
      paused: standing,
      marked: db
        .insert(suppressedAddresses)
        // Without a WHERE, SQLite would parse ON CONFLICT as part of a join.
        .select(
          sql`SELECT value, ${sql.param(reason, suppressedAddresses.reason)}, ${now} FROM ${list} WHERE NOT ${isOfOutbox}`,
        )
        .onConflictDoUpdate({
          target: suppressedAddresses.emailCanonical,
          set: { reason, since: new Date(now) },
          setWhere: sql`${reason} = 'complained' AND ${suppressedAddresses.reason} = 'bounced'`,
        })
        .returning({ address: suppressedAddresses.emailCanonical }),
      owners: db
        .select({ id: users.id, address: users.emailCanonical })
        .from(users)
        .where(inArray(users.emailCanonical, sql`(SELECT value FROM ${list})`)),
    });
    const ownerOf = new Map(owners.map(({ id, address }) => [address, id]));
    for (const { address } of marked) {
      const userId = ownerOf.get(address);
      ctx.observe.log('address_undeliverable', { reason, ...(userId !== undefined && { userId }) });
    }
    for (const { ownerId: userId, isPaused: isNow } of paused) {
      if (isNow === 1 && before.every(({ isPaused: was }) => was === 0)) {
        ctx.observe.log('invitations_paused', { userId });
      }
    }
  } catch (cause) {
    if (!isUniqueViolation(cause, 'webhook_deliveries.id')) {
      throw new AppError('unavailable', { cause });
    }
    ctx.observe.log('webhook_repeated');
  }
}
