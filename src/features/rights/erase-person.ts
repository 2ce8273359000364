import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { hasMoney } from '#features/ledger/balances.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { passOn } from '#features/places/places.ts';
import { block, blockHash } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import {
  interestsOf,
  isUnchanged,
  mailsOf,
  type RightsHolder,
  requireRights,
} from './rights-holder.ts';

/**
 * Erases a person of an instructor: from the lists, the history, the requests, the courses they
 * wait for and the outbox. What they had goes on to the waitlist in the same batch. Of what
 * remains, nothing names them: that someone was erased, keyed hashes that keep who was removed from
 * coming back by being erased and, if they have entries in an account, a number for their name.
 *
 * @param blocksInvitations whether the address is not to be invited again
 * @returns whether there was someone to erase
 */
export async function erasePerson(
  ctx: Context,
  holder: RightsHolder,
  { by, blocksInvitations = false }: { by: 'owner' | 'person'; blocksInvitations?: boolean },
): Promise<boolean> {
  const { id, ownerId, emailCanonical, cohortIds, placeIds } = holder;
  const now = ctx.now().getTime();
  const [noInvitations, ...ofCohorts] = await Promise.all([
    blockHash(ctx, holder, null),
    ...cohortIds.map(async (cohort) => ({ cohort, hash: await blockHash(ctx, holder, cohort) })),
  ]);
  const isSame = isUnchanged(holder);
  const theirs = mailsOf(id, ownerId);
  const isPayer = hasMoney(id, ownerId);
  const { people, anonymized, mailIds } = await ask(ctx, {
    erasures: db.run(sql`INSERT INTO cohort_erasures (owner_id, cohort_id, at, actor)
      SELECT e.owner_id, e.cohort_id, ${now}, ${by} FROM enrollments e
      WHERE e.person_id = ${id} AND ${isSame}`),
    removals: block(sql`SELECT e.owner_id, hashes.value ->> 'hash', 'removed', e.cohort_id, ${now}
      FROM json_each(${JSON.stringify(ofCohorts)}) AS hashes
        JOIN enrollments e ON e.cohort_id = hashes.value ->> 'cohort' AND e.person_id = ${id}
      WHERE e.status IN ('removed', 'refused') AND ${isSame}`),
    // A complaint about spam counts as a wish for no more invitations.
    unwilling: block(sql`SELECT ${ownerId}, ${noInvitations}, 'no_invitations', NULL, ${now}
      WHERE ${isSame} AND (${blocksInvitations ? 1 : 0} OR EXISTS (SELECT 1 FROM mails_due
        WHERE ${theirs} AND mails_due.complained_at IS NOT NULL))`),
    // Without whom it was to, because erasing must not improve an instructor's standing.
    complaints: db.run(sql`UPDATE mails_due SET to_address = '', to_canonical = '', payload = '',
        enrollment_id = NULL, provider_id = NULL, dedupe_key = 'erased:' || mails_due.id
      WHERE ${theirs} AND mails_due.complained_at IS NOT NULL AND ${isSame}`),
    mails: db.run(sql`DELETE FROM mails_due WHERE ${theirs} AND ${isSame}`),
    requests: db.run(sql`DELETE FROM enrollment_requests WHERE owner_id = ${ownerId}
      AND (person_id = ${id} OR email_canonical = ${emailCanonical}) AND ${isSame}`),
    interests: db.run(sql`DELETE FROM course_interests
      WHERE ${interestsOf(emailCanonical, ownerId)} AND ${isSame}`),
    people: db.all<{ id: string }>(sql`DELETE FROM people
      WHERE id = ${id} AND ${isSame} AND NOT ${isPayer} RETURNING id`),
    // Accounts are kept, without the person's name.
    places: db.run(sql`DELETE FROM enrollments WHERE person_id = ${id} AND ${isSame}`),
    anonymized: db.all<{ id: string }>(sql`UPDATE people SET email = '',
        email_canonical = 'erased:' || id, name = '', name_key = '', language = 'en', note = NULL,
        source = 'self', agreed_at = NULL, consented_at = NULL, consent_version = NULL, no_invitations_at = NULL,
        no_reminders_at = NULL, link_version = link_version + 1, unlinked_at = ${now}, erased_at = ${now},
        erased_no = 1 + coalesce((SELECT max(x.erased_no) FROM people x
          WHERE x.owner_id = ${ownerId} AND x.erased_no IS NOT NULL), 0),
        created_at = ${now}, updated_at = ${now}
      WHERE id = ${id} AND ${isSame} RETURNING id`),
    notes: db.run(sql`DELETE FROM ledger_notes WHERE entry_id IN
        (SELECT l.id FROM ledger_entries l WHERE l.owner_id = ${ownerId} AND l.person_id = ${id})
      AND EXISTS (SELECT 1 FROM people p WHERE p.id = ${id} AND p.erased_at IS NOT NULL)`),
    words: db.run(sql`UPDATE ledger_entries SET method_word = NULL
      WHERE owner_id = ${ownerId} AND person_id = ${id} AND method_word IS NOT NULL
        AND EXISTS (SELECT 1 FROM people p WHERE p.id = ${id} AND p.erased_at IS NOT NULL)`),
    mailIds: passOn(ctx, { now, ownerId }, placeIds),
  });
  sendSoon(ctx, mailIds);
  const isErased = people.length + anonymized.length > 0;
  if (isErased) {
    ctx.observe.log('person_erased', { by });
  }
  return isErased;
}

/**
 * Erases the person of an emailed link. One that removes also ends invitations: its email came
 * unasked.
 *
 * @throws AppError `rights_link_invalid`, `rate_limited`
 */
export async function eraseOwnData(
  ctx: Context,
  purpose: 'data' | 'remove',
  token: unknown,
): Promise<void> {
  const holder = await requireRights(ctx, purpose, token);
  const options = { by: 'person', blocksInvitations: purpose === 'remove' } as const;
  if (!(await erasePerson(ctx, holder, options))) {
    throw new AppError('rights_link_invalid');
  }
}
