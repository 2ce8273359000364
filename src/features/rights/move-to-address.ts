import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { forgetRequests } from '#features/enrolling/forget-requests.ts';
import { blockHash } from '#features/suppression/blocked-addresses.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { withPresentLink } from './renew-link.ts';
import { interestsOf } from './rights-holder.ts';

type Move = { id: string; ownerId: string; before: string };

/** Whether person `p` has an address. */
export function isAt({ id, ownerId }: Omit<Move, 'before'>, canonical: string): SQL {
  return sql`p.id = ${id} AND p.owner_id = ${ownerId} AND p.email_canonical = ${canonical}`;
}

/**
 * What goes with a person to another address, in the batch after the change: what no one has tried
 * to send yet, and that they wish no invitations. What only the old address leads to is forgotten,
 * so that an erasure finds everything.
 */
export async function moveToAddress(
  ctx: Context,
  { id, ownerId, before }: Move,
  { address, canonical }: ParsedEmail,
) {
  const [oldHash, newHash] = await Promise.all(
    [before, canonical].map((emailCanonical) => blockHash(ctx, { ownerId, emailCanonical }, null)),
  );
  const hasMoved = sql`EXISTS (SELECT 1 FROM people p WHERE ${isAt({ id, ownerId }, canonical)})`;
  return query(
    {
      mails: db.run(
        withPresentLink(id, hasMoved, sql`to_address = ${address}, to_canonical = ${canonical},`),
      ),
      forgotten: db.run(sql`DELETE FROM mails_due WHERE owner_id = ${ownerId}
        AND to_canonical = ${before} AND enrollment_id IS NULL AND complained_at IS NULL
        AND (sent_at IS NOT NULL OR failed_at IS NOT NULL) AND ${hasMoved}`),
      requests: forgetRequests(sql`r.owner_id = ${ownerId}
        AND (r.person_id = ${id} OR r.email_canonical = ${before}) AND ${hasMoved}`),
      interests: db.run(sql`DELETE FROM course_interests
        WHERE ${interestsOf(before, ownerId)} AND ${hasMoved}`),
      blocks: db.run(sql`INSERT INTO blocked_addresses (owner_id, hash, reason, cohort_id,
          created_at)
        SELECT b.owner_id, ${newHash}, b.reason, NULL, b.created_at FROM blocked_addresses b
        WHERE b.owner_id = ${ownerId} AND b.hash = ${oldHash} AND ${hasMoved}
        ON CONFLICT (owner_id, hash) DO NOTHING`),
    },
    () => null,
  );
}
