import 'server-only';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, type Query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { findEnrollable } from '#features/places/enrollable-cohort.ts';
import {
  acceptInvitation,
  acceptOffer,
  type Changed,
  enroll,
  isStillValid,
  leave,
  withPlaces,
} from '#features/places/places.ts';
import { cohortFull, refuseTransition, refuseUnlessOpen } from '#features/places/refusals.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import {
  findParticipant,
  type OwnEnrollment,
  ownEnrollments,
  type Participant,
  toParticipation,
} from './find-participant.ts';
import type { ParticipantAction, Participation, ParticipationInput } from './schema.ts';

/** The status that each action leads to; someone who has it already gets the same answer. */
const results: Record<ParticipantAction, readonly EnrollmentStatus[]> = {
  accept: ['enrolled', 'waitlisted'],
  decline: ['declined'],
  leave: ['left'],
  rejoin: ['enrolled', 'waitlisted', 'applied'],
};

/** The statuses from which each is possible. */
const starts: Record<ParticipantAction, readonly EnrollmentStatus[]> = {
  accept: ['offered', 'invited'],
  decline: ['offered', 'invited'],
  leave: ['enrolled', 'waitlisted', 'applied'],
  rejoin: ['left', 'declined', 'expired'],
};

/**
 * Does what a person has chosen on their page. The same again changes nothing.
 *
 * @throws AppError `person_link_invalid`; `not_found` for an enrollment of someone else;
 *   `offer_expired`, `enrollment_removed`, `cohort_full`, `cohort_over`; why no one can enroll by
 *   now: see `refuseUnlessOpen`; `enrollment_transition` for anything else that is not there;
 *   `rate_limited`
 */
export async function participate(
  ctx: Context,
  action: ParticipantAction,
  { link, enrollment_id: enrollmentId }: ParticipationInput,
): Promise<Participation> {
  const { participant, enrollments } = await findParticipant(ctx, link);
  const before = requireFound(enrollments.find(({ id }) => id === enrollmentId));
  if (before.deletedAt !== null || before.endsAt <= ctx.now()) {
    throw new AppError('cohort_over');
  }
  if (results[action].includes(before.status)) {
    return toParticipation(ctx, before);
  }
  if (!starts[action].includes(before.status)) {
    refuseStatus(ctx, participant, before);
  }
  const now = ctx.now().getTime();
  const { placed, after } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId: before.cohortId, ownerId: before.ownerId },
      changeOf(now, action, participant, before),
    ),
    after: ownEnrollments(ctx, sql`e.id = ${before.id}`),
  });
  sendSoon(ctx, placed.mailIds);
  const row = requireFound(after[0]);
  if (placed.changed === null && !results[action].includes(row.status)) {
    await refuseNow(ctx, participant, row, before.status);
  }
  ctx.observe.log('enrollment_changed', { cohort: row.cohortId, status: row.status });
  return toParticipation(ctx, row);
}

function changeOf(
  now: number,
  action: ParticipantAction,
  participant: Participant,
  { id, cohortId, status }: OwnEnrollment,
): Query<Changed | null> {
  if (action === 'rejoin') {
    const newcomer = { id: crypto.randomUUID(), cohortId, personId: participant.id };
    return enroll(now, newcomer, isStillValid(participant));
  }
  if (action === 'accept') {
    const accept = status === 'offered' ? acceptOffer : acceptInvitation;
    return accept(now, id, participant);
  }
  return leave(now, id, participant, starts[action]);
}

function refuseStatus(ctx: Context, { name, instructor }: Participant, row: OwnEnrollment): never {
  if (row.status === 'removed' || row.status === 'refused') {
    throw new AppError('enrollment_removed', { values: { instructor: instructor.name } });
  }
  refuseTransition(ctx, name, row.status);
}

/** Says why the database has changed nothing. */
async function refuseNow(
  ctx: Context,
  participant: Participant,
  row: OwnEnrollment,
  before: EnrollmentStatus,
): Promise<never> {
  if (before === 'offered' && row.status === 'expired') {
    throw new AppError('offer_expired');
  }
  if (row.status === 'invited') {
    throw cohortFull(row);
  }
  if (starts.rejoin.includes(row.status) && starts.rejoin.includes(before)) {
    const open = await findEnrollable(ctx, eq(cohorts.id, row.cohortId));
    if (open !== undefined) {
      refuseUnlessOpen(ctx, open.cohort);
    }
  }
  // Also for a link that was replaced meanwhile: the next request says so.
  refuseStatus(ctx, participant, row);
}
