import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { limitOnAddress } from '#features/enrolling/limit-on-address.ts';
import { limitOn } from '#features/limits/limit-on.ts';
import { isStillValid } from '#features/places/places.ts';
import { sendLinkMail } from '#features/rights/renew-link.ts';
import { rightsLifetimeMs } from '#features/rights/rights-links.ts';
import { readLink } from '#lib/signed-links.ts';
import { findParticipant } from './find-participant.ts';
import type { NewLinkInput } from './schema.ts';

/**
 * Emails the present link to the person of a dead one, if the address is theirs. The answer and the
 * work are the same whether it is or not.
 *
 * @throws AppError `rate_limited` for the client's network
 */
export async function requestNewLink(ctx: Context, { link, email }: NewLinkInput): Promise<void> {
  const { canonical } = email;
  const id = readLink('person', link)?.id ?? '';
  const newMailId = crypto.randomUUID();
  const limit = await limitOnAddress(ctx, canonical, 'new_link', newMailId);
  const isTheirs = sql`p.id = ${id} AND p.email_canonical = ${canonical}`;
  await sendLinkMail(ctx, limit.counts(), sql`${isTheirs} AND ${limit.mayWrite(sql`p.owner_id`)}`, {
    kind: 'new_link',
    id: newMailId,
  });
}

/**
 * Emails the person of a link another one, to what is kept of them: the link to their page stands
 * in every email, and may have been passed on.
 *
 * @throws AppError `person_link_invalid`, `rate_limited`
 */
export async function requestDataLink(ctx: Context, link: unknown): Promise<void> {
  const { participant } = await findParticipant(ctx, link);
  const { id } = participant;
  const limit = await limitOn(ctx, [{ limit: 'data_links_per_person', subject: id }], 'refuse');
  const expiresAt = ctx.now().getTime() + rightsLifetimeMs.data;
  await sendLinkMail(
    ctx,
    { usage: limit.count() },
    sql`p.id = ${id} AND ${isStillValid(participant)} AND ${limit.hasRoom}`,
    { kind: 'data_link', request: sql`json_object('id', p.id, 'expires_at', ${expiresAt})` },
  );
}
