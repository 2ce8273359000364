import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask } from '#db/query.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { isStillValid } from '#features/places/places.ts';
import { insertLinkMail } from '#features/rights/renew-link.ts';
import { rightsLifetimeMs } from '#features/rights/rights-links.ts';
import { findParticipant } from './find-participant.ts';

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
  const { mails, usage } = await ask(ctx, {
    mails: insertLinkMail(
      ctx,
      sql`p.id = ${id} AND ${isStillValid(participant)} AND ${limit.hasRoom}`,
      { kind: 'data_link', request: sql`json_object('id', p.id, 'expires_at', ${expiresAt})` },
    ),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  sendSoon(ctx, mails);
}
