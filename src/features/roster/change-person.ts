import 'server-only';
import { sql } from 'drizzle-orm';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import { people } from '#db/schema/people.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  invitationUse,
  refuseInvitationsIfPaused,
  type Standing,
} from '#features/outbox/standing.ts';
import { renameEnrollments } from '#features/participant/change-participant.ts';
import { Person, type PersonPatch } from '#features/places/schema.ts';
import { isAt, moveToAddress } from '#features/rights/change-address.ts';
import { insertLinkMail, linkUse } from '#features/rights/renew-link.ts';
import type { RightsHolder } from '#features/rights/rights-holder.ts';
import { blockHash, isUnwilling } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { nameKeyOf } from '#lib/text.ts';
import { toJson } from '#lib/to-json.ts';

/**
 * Changes what the viewer keeps about one of their people. Another address ends all links that went
 * to the old one, and gets a new one; it counts as an invitation, because it may be a stranger's.
 *
 * @throws AppError `not_found`; `validation_failed` for the address of another of their people;
 *   for another address also `invitations_paused`, `invitations_unwanted` and `rate_limited`
 */
export async function changePerson(
  ctx: ViewerContext,
  { holder: { id, emailCanonical }, standing }: { holder: RightsHolder; standing: Standing },
  { name, email, language, note }: PersonPatch,
): Promise<Person> {
  const isNewAddress = email !== undefined && email.canonical !== emailCanonical;
  const now = ctx.now();
  const moving = isNewAddress ? await moveTo(ctx, { id, emailCanonical }, standing, email) : null;
  const mayBeAnimated = moving?.mayBeAnimated ?? sql`true`;
  const { rows, mails, usage } = await ask(ctx, {
    rows: db
      .update(people)
      .set({
        name,
        nameKey: name && nameKeyOf(name),
        language,
        note,
        ...(email && {
          email: email.address,
          emailCanonical: email.canonical,
          linkVersion: sql`link_version + (email_canonical <> ${email.canonical})`,
          correctedAt: sql`CASE WHEN email_canonical <> ${email.canonical} THEN ${now.getTime()}
            ELSE corrected_at END`,
        }),
        updatedAt: now,
      })
      .where(
        sql`id = ${id} AND owner_id = ${ctx.ownerId} AND erased_at IS NULL AND ${mayBeAnimated}`,
      )
      .returning(),
    renamed: name === undefined ? undefined : renameEnrollments(id),
    ...moving?.queries,
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'people.owner_id')) {
      throw new AppError('validation_failed', { fields: { email: ['person_email_taken'] } });
    }
    throw error;
  });
  const [row] = rows;
  if (row === undefined) {
    refuseFull(ctx, usage?.full ?? []);
    // They were there a moment ago.
    throw new AppError(isNewAddress ? 'invitations_unwanted' : 'not_found');
  }
  sendSoon(ctx, mails ?? []);
  return toJson(Person, row);
}

/** What comes with another address, in the batch of the change, and whether it may be. */
async function moveTo(
  ctx: ViewerContext,
  { id, emailCanonical: before }: Pick<RightsHolder, 'id' | 'emailCanonical'>,
  standing: Standing,
  email: ParsedEmail,
) {
  refuseInvitationsIfPaused(standing);
  const { canonical } = email;
  const ownerId = ctx.ownerId;
  const [limit, hash, moved] = await Promise.all([
    limitOn(ctx, [invitationUse(ctx, standing), linkUse(ownerId, canonical)], 'refuse'),
    blockHash(ctx, { ownerId, emailCanonical: canonical }, null),
    moveToAddress(ctx, { id, ownerId, before }, email),
  ]);
  const hasMoved = isAt({ id, ownerId }, canonical);
  return {
    mayBeAnimated: sql`${limit.hasRoom} AND NOT ${isUnwilling(ownerId, { hash, canonical })}`,
    queries: {
      moved,
      mails: insertLinkMail(ctx, hasMoved, { kind: 'new_link', isByOwner: true }),
      usage: limit.count(sql`EXISTS (SELECT 1 FROM people p WHERE ${hasMoved})`),
    },
  };
}
