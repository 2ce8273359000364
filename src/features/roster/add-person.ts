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
import { refuseTransition } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { blockHash, isUnwilling, unblock } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/name-key.ts';
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
  cohort: CountedCohort,
  standing: Standing,
  input: PersonInput,
): Promise<{ enrollment: EnrollmentDetails; isNew: boolean }> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  requireRoom(cohort);
  refuseInvitationsIfPaused(standing);
  const now = ctx.now().getTime();
  const { id: cohortId, ownerId } = cohort;
  const personId = sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${input.email.canonical})`;
  const limit = await limitOn(ctx, [invitationUse(ctx, standing)], 'refuse');
  const id = crypto.randomUUID();
  const addressee = { ownerId, emailCanonical: input.email.canonical };
  const [removed, noInvitations] = await Promise.all([
    blockHash(ctx, addressee, cohortId),
    blockHash(ctx, addressee, null),
  ]);
  const { canonical } = input.email;
  const wantsNone = isUnwilling(ownerId, { hash: noInvitations, canonical });
  const isKnown = sql`EXISTS (SELECT 1 FROM people k
    WHERE k.owner_id = ${ownerId} AND k.email_canonical = ${input.email.canonical})`;
  // Who is on the lists can be added on request; a stranger is not written to again.
  const mayWrite =
    input.as === 'invited'
      ? sql`${limit.hasRoom} AND NOT ${wantsNone}`
      : sql`${limit.hasRoom} AND (NOT ${wantsNone} OR ${isKnown})`;
  const added = { id, cohortId, personId, ownerId, condition: mayWrite };
  const changes = {
    enrolled: () => add(now, added, input.over_capacity),
    invited: () => invite(now, added),
    waitlisted: () => putOnWaitlist(now, added),
  };
  const isChanged = sql`EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = ${cohortId}
    AND e.person_id = ${personId} AND e.status_changed_at = ${now} AND e.changed_by = 'owner')`;
  const first = writePerson(ctx, ownerId, cohort.language, input, mayWrite);
  const enrollmentId = sql`(SELECT id FROM enrollments
    WHERE cohort_id = ${cohortId} AND person_id = ${personId})`;
  const { placed, details, blocks, usage } = await ask(ctx, {
    placed: withPlaces(ctx, { now, cohortId, ownerId }, changes[input.as](), { first }),
    unblocked: unblock(addressee, removed, isChanged),
    details: enrollmentDetails(ownerId, cohortId, enrollmentId),
    blocks: db.all<{ isUnwilling: 0 | 1 }>(sql`SELECT ${wantsNone} AS isUnwilling`),
    usage: limit.count(isChanged),
  });
  sendSoon(ctx, placed.mailIds);
  if (placed.changed === null) {
    refuseFull(ctx, usage.full);
  }
  const isThere = details !== null && results[input.as].includes(details.status);
  if (placed.changed === null && !isThere && blocks[0]?.isUnwilling === 1) {
    if (details === null || input.as === 'invited') {
      throw new AppError('invitations_unwanted');
    }
  }
  if (details === null) {
    throw new AppError('cohort_full', { values: { n: cohort.capacity ?? 0 } });
  }
  if (placed.changed === null) {
    refuseUnlessThere(ctx, cohort, input, details);
  } else {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: details.status });
  }
  return { enrollment: details, isNew: placed.changed !== null };
}

/** What each way makes of someone; who is that already is answered as if it were just done. */
const results: Record<PersonInput['as'], readonly EnrollmentStatus[]> = {
  enrolled: ['enrolled'],
  invited: ['invited', 'enrolled'],
  waitlisted: ['waitlisted', 'offered', 'enrolled'],
};

function requireRoom(cohort: CountedCohort): void {
  const { enrolled, offered, waitlisted, applied, invited } = cohort;
  if (enrolled + offered + waitlisted + applied + invited >= maxPeople) {
    throw new AppError('too_many_people');
  }
}

function refuseUnlessThere(
  ctx: Context,
  cohort: CountedCohort,
  { as }: PersonInput,
  { name, status }: EnrollmentDetails,
): void {
  if (results[as].includes(status)) {
    return;
  }
  if (as === 'enrolled') {
    throw new AppError('cohort_full', { values: { n: cohort.capacity ?? 0 } });
  }
  refuseTransition(ctx, name, status);
}

function writePerson(
  ctx: Context,
  ownerId: string,
  cohortLanguage: string,
  { as, name, email, language = undefined }: PersonInput,
  condition: SQL,
) {
  const now = ctx.now().getTime();
  const source = as === 'invited' ? 'invited' : 'added';
  return db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, source, link_version, unlinked_at, created_at, updated_at)
    SELECT ${crypto.randomUUID()}, ${ownerId}, ${email.address}, ${email.canonical}, ${name},
      ${nameKeyOf(name)}, ${language ?? cohortLanguage}, ${source}, 1, ${now}, ${now}, ${now}
    WHERE ${condition}
    ON CONFLICT (owner_id, email_canonical) DO NOTHING`);
}
