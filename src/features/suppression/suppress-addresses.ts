import 'server-only';
import { inArray, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import type { WebhookProvider } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import type { Verdict } from './read-webhook.ts';

/** Longer than Resend retries an event, or an operator would replay one by hand. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Adds addresses to the suppression list. A complaint replaces a bounce; other entries stay.
 *
 * The id of the delivery is stored in the same batch, so that a failed delivery can be retried and
 * a repeated one changes nothing, even if an operator has removed the entry meanwhile.
 *
 * @throws AppError `unavailable` if nothing was written
 */
export async function suppressAddresses(
  ctx: Context,
  delivery: { provider: WebhookProvider; id: string },
  { addresses, reason }: Verdict,
): Promise<void> {
  const now = ctx.now().getTime();
  // One JSON parameter, because there may be more recipients than D1 allows parameters.
  const list = sql`json_each(${JSON.stringify(addresses)})`;
  try {
    const { marked, owners } = await ask(ctx, {
      delivery: db
        .insert(webhookDeliveries)
        .values({ ...delivery, expiresAt: new Date(now + rememberedMs) }),
      marked: db
        .insert(suppressedAddresses)
        // Without the WHERE, SQLite would parse ON CONFLICT as part of a join.
        .select(
          sql`SELECT value, ${sql.param(reason, suppressedAddresses.reason)}, ${now} FROM ${list} WHERE true`,
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
  } catch (cause) {
    if (!isUniqueViolation(cause, 'webhook_deliveries.id')) {
      throw new AppError('unavailable', { cause });
    }
    ctx.observe.log('webhook_repeated');
  }
}
