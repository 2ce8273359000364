import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import {
  type CountedCohort,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  invitationUse,
  refuseInvitationsIfPaused,
  type Standing,
} from '#features/outbox/standing.ts';
import { enrollmentDetails } from '#features/places/find-enrollments.ts';
import { add, invite, maxPeople, putOnWaitlist, withPlaces } from '#features/places/places.ts';
import { cohortFull, refuseTransition, tooManyPeople } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { blockHash, isUnwilling, unblock } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/text.ts';
import type { PersonInput } from './schema.ts';

/**
 * Enrolls or invites someone whom the viewer knows, or puts them on the waitlist. A person who is
 * known already keeps their name and language.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @returns the enrollment, and whether it is new; it is not for someone who was there already
 * @throws AppError `cohort_full` unless they are let in over the capacity, and for the waitlist
 *   where there is none; `cohort_over`;
 *   `cohort_in_trash`; `too_many_people`; `invitations_paused`; `invitations_unwanted`;
 *   `enrollment_transition`; `rate_limited`
 */
export async function addPerson(
  ctx: ViewerContext,
  { cohort, standing }: { cohort: CountedCohort; standing: Standing },
  input: PersonInput,
): Promise<{ enrollment: EnrollmentDetails; isNew: boolean }> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  const { enrolled, offered, waitlisted, applied, invited } = cohort;
  if (enrolled + offered + waitlisted + applied + invited >= maxPeople[cohort.kind]) {
    throw tooManyPeople(cohort);
  }
  refuseInvitationsIfPaused(standing);
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const limit = await limitOn(ctx, [invitationUse(ctx, standing)], 'refuse');
  const guest = await guestOf(ctx, cohort, input);
  const condition = sql`${limit.hasRoom} AND ${guest.mayCome}`;
  const newcomer = { id: crypto.randomUUID(), cohortId, personId: guest.personId, condition };
  const hasCome = sql`EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = ${cohortId}
    AND e.person_id = ${guest.personId} AND e.status_changed_at = ${now}
    AND e.changed_by = 'owner')`;
  const { placed, details, unwilling, usage } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      ways[input.as].come(ctx, now, newcomer, input.over_capacity),
      { first: insertPerson(now, cohort, input, condition) },
    ),
    unblocked: unblock(guest.addressee, guest.removalHash, hasCome),
    details: enrollmentDetails(ownerId, cohortId, guest.enrollmentId),
    unwilling: db.all<{ is: 0 | 1 }>(sql`SELECT ${guest.isUnwilling} AS "is"`),
    usage: limit.count(hasCome),
  });
  sendSoon(ctx, placed.mailIds);
  if (placed.changed !== null && details !== null) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: details.status });
    return { enrollment: details, isNew: true };
  }
  refuseFull(ctx, usage.full);
  if (details !== null && ways[input.as].results.includes(details.status)) {
    return { enrollment: details, isNew: false };
  }
  if (unwilling[0]?.is === 1 && (details === null || input.as === 'invited')) {
    throw new AppError('invitations_unwanted');
  }
  if (details === null || input.as === 'enrolled') {
    throw cohortFull(cohort);
  }
  refuseTransition(ctx, details.name, details.status);
}

/** How people come, and what each makes of them: who is that already need not come again. */
const ways: Record<PersonInput['as'], { come: typeof add; results: readonly EnrollmentStatus[] }> =
  {
    enrolled: { come: add, results: ['enrolled'] },
    invited: { come: invite, results: ['invited', 'enrolled'] },
    waitlisted: { come: putOnWaitlist, results: ['waitlisted', 'offered', 'enrolled'] },
  };

/** Someone by their address, in SQL: their ids, if they are known, and whether they may come. */
async function guestOf(
  ctx: Context,
  { id: cohortId, ownerId }: CountedCohort,
  { as, email: { canonical } }: PersonInput,
) {
  const addressee = { ownerId, emailCanonical: canonical };
  const [removalHash, hash] = await Promise.all([
    blockHash(ctx, addressee, cohortId),
    blockHash(ctx, addressee, null),
  ]);
  const personId = sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${canonical})`;
  const unwilling = isUnwilling(ownerId, { hash, canonical });
  return {
    addressee,
    removalHash,
    personId,
    enrollmentId: sql`(SELECT id FROM enrollments
      WHERE cohort_id = ${cohortId} AND person_id = ${personId})`,
    isUnwilling: unwilling,
    // Who is on the lists can be added on request; a stranger is not written to again.
    mayCome:
      as === 'invited' ? sql`NOT ${unwilling}` : sql`(NOT ${unwilling} OR ${personId} IS NOT NULL)`,
  };
}

function insertPerson(
  now: number,
  { ownerId, language: cohortLanguage }: CountedCohort,
  { as, name, email, language = cohortLanguage }: PersonInput,
  condition: SQL,
) {
  const source = as === 'invited' ? 'invited' : 'added';
  return db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, source, link_version, unlinked_at, created_at, updated_at)
    SELECT ${crypto.randomUUID()}, ${ownerId}, ${email.address}, ${email.canonical}, ${name},
      ${nameKeyOf(name)}, ${language}, ${source}, 1, ${now}, ${now}, ${now}
    WHERE ${condition}
    ON CONFLICT (owner_id, email_canonical) DO NOTHING`);
}
