import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { limitOn } from '#features/limits/limit-on.ts';

/**
 * How often an address is written to because someone has typed it: for the same thing, in all, and
 * from one network. Of the address, only an email counts, so that no one can use that up unnoticed.
 *
 * @param what the id of a cohort or a course, or the kind of the email
 * @param mailId of the email, which a statement before the counts may write
 */
export async function limitOnAddress(
  ctx: Context,
  canonical: string,
  what: string,
  mailId: string,
) {
  const [network, address] = await Promise.all([
    limitOn(ctx, [{ limit: 'requests_per_ip' }], 'refuse'),
    limitOn(
      ctx,
      [
        { limit: 'requests_per_address', subject: canonical },
        { limit: 'same_requests_per_address', subject: `${what}:${canonical}` },
      ],
      'refuse',
    ),
  ]);
  const isWritten = sql`EXISTS (SELECT 1 FROM mails_due WHERE id = ${mailId})`;
  return {
    isWritten,
    /** Also false for who has marked an email of the owner as spam: none would be sent. */
    mayWrite: (ownerId: SQL | string) => sql`(${network.hasRoom} AND ${address.hasRoom}
      AND NOT EXISTS (SELECT 1 FROM mails_due x
        WHERE x.owner_id = ${ownerId} AND x.to_canonical = ${canonical}
          AND x.complained_at IS NOT NULL))`,
    /** Only the network learns that it has asked too often, by `refuseFull` with `usage`. */
    counts: () => ({ ofAddress: address.count(isWritten), usage: network.count() }),
  };
}
