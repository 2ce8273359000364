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

/** Longer than Resend tries to deliver an event, and than anybody would send one again by hand. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Marks addresses, so that no more mail goes there. A complaint takes the place of a bounce, nothing else of what stands there.
 * Accounts are left as they are.
 *
 * The id of the delivery is kept in the same batch: a second one with the same id of the provider changes nothing, also when an operator has taken
 * the mark back meanwhile, and one that failed can come again.
 *
 * @throws AppError `unavailable` when nothing was written
 */
export async function suppressAddresses(
  ctx: Context,
  delivery: { provider: WebhookProvider; id: string },
  { addresses, reason }: Verdict,
): Promise<void> {
  const now = ctx.now().getTime();
  // One list in the place of many values: a mail may have more recipients than a statement may have of these.
  const list = sql`json_each(${JSON.stringify(addresses)})`;
  try {
    const { marked, owners } = await ask(ctx, {
      delivery: db
        .insert(webhookDeliveries)
        .values({ ...delivery, expiresAt: new Date(now + rememberedMs) }),
      marked: db
        .insert(suppressedAddresses)
        // Without the WHERE, SQLite would take ON CONFLICT for a part of a join.
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
