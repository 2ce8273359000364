import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { sign } from '#lib/tokens.ts';

type Signed = Pick<Context, 'config'>;

/** Whose address it is to whom. */
export type OwnersAddress = { ownerId: string; emailCanonical: string };

/**
 * The hash by which an address of an owner is blocked: from coming back to a cohort by itself, or,
 * without a cohort, from being invited. Each is another one, so that equal addresses do not show.
 */
export function blockHash(
  { config }: Signed,
  { ownerId, emailCanonical }: OwnersAddress,
  cohortId: string | null,
): Promise<string> {
  const scope = cohortId === null ? 'no_invitations' : `removed:${cohortId}`;
  return sign(
    `${scope}:${ownerId}:${emailCanonical}`,
    config.appSecret,
    'blocked addresses, version 1',
  );
}

/**
 * Whether an address is blocked for the reason that its hash is made for.
 *
 * @param hash also an expression, such as a value of `json_each` for many addresses at once
 */
export function isBlocked(ownerId: string | SQL, hash: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM blocked_addresses b
    WHERE b.owner_id = ${ownerId} AND b.hash = ${hash})`;
}

/**
 * Whether an address wishes no invitations of an owner, or has marked their emails as spam.
 *
 * @param hash as for `isBlocked`, of the first
 */
export function isUnwilling(
  ownerId: string,
  { hash, canonical }: Record<'hash' | 'canonical', string | SQL>,
): SQL {
  return sql`(${isBlocked(ownerId, hash)} OR EXISTS (SELECT 1 FROM mails_due x
    WHERE x.owner_id = ${ownerId} AND x.to_canonical = ${canonical}
      AND x.complained_at IS NOT NULL))`;
}

/** Forgets that an address was removed from a cohort, whose owner has let it in again. */
export function unblock({ ownerId }: OwnersAddress, hash: string, where: SQL) {
  return db.run(sql`DELETE FROM blocked_addresses
    WHERE owner_id = ${ownerId} AND hash = ${hash} AND ${where}`);
}

/** Forgets the wish of an address for no more invitations of an owner. */
export async function allowInvitations(ctx: Signed, addressee: OwnersAddress) {
  const hash = await blockHash(ctx, addressee, null);
  // Not the statement itself, which would run as soon as it is awaited.
  return query({ forgotten: unblock(addressee, hash, sql`true`) }, () => null);
}

/** Writes that an address wants no more invitations of an owner. Again, it changes nothing. */
export async function blockInvitations(ctx: Context, addressee: OwnersAddress) {
  const hash = await blockHash(ctx, addressee, null);
  const { ownerId } = addressee;
  const row = sql`VALUES (${ownerId}, ${hash}, 'no_invitations', NULL, ${ctx.now().getTime()})`;
  // Not the statement itself, which would run as soon as it is awaited.
  return query({ written: block(row) }, () => null);
}

/** Blocks addresses by rows of their owner, hash, reason, cohort and time. Again, nothing changes. */
export function block(rows: SQL) {
  return db.run(sql`INSERT INTO blocked_addresses (owner_id, hash, reason, cohort_id, created_at)
    ${rows} ON CONFLICT (owner_id, hash) DO NOTHING`);
}
