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
import {
  cohortFull,
  refuseHolds,
  refuseTransition,
  refuseUnlessOpen,
} from '#features/places/refusals.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import {
  findParticipant,
  type OwnEnrollment,
  ownEnrollments,
  type Participant,
  toParticipation,
} from './find-participant.ts';
import type { ParticipantAction, Participation, ParticipationInput } from './schema.ts';

/**
 * Where someone must stand for each action, and where it leads them; who is there already gets the
 * same answer.
 */
const moves: Record<ParticipantAction, Record<'from' | 'to', readonly EnrollmentStatus[]>> = {
  accept: { from: ['offered', 'invited'], to: ['enrolled', 'waitlisted'] },
  decline: { from: ['offered', 'invited'], to: ['declined'] },
  leave: { from: ['enrolled', 'waitlisted', 'applied'], to: ['left'] },
  rejoin: {
    from: ['left', 'declined', 'expired'],
    to: ['enrolled', 'waitlisted', 'applied', 'offered'],
  },
};

/**
 * Does what a person has chosen on their page. The same again changes nothing.
 *
 * @throws AppError `person_link_invalid`; `not_found` for an enrollment of someone else;
 *   `offer_expired`, `enrollment_removed`, `cohort_full`, `cohort_over`; `payment_required` for an
 *   offer that is accepted by paying; `payment_off`, `too_many_holds`; why no one can enroll by now: see
 *   `refuseUnlessOpen`; `enrollment_transition` for anything else that is not there; `rate_limited`
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
  if (moves[action].to.includes(before.status)) {
    return toParticipation(ctx, before);
  }
  if (!moves[action].from.includes(before.status)) {
    refuseStatus(ctx, participant, before);
  }
  const now = ctx.now().getTime();
  const { placed, after } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId: before.cohortId, ownerId: before.ownerId },
      changeOf(ctx, now, action, participant, before),
    ),
    after: ownEnrollments(ctx, sql`e.id = ${before.id}`),
  });
  sendSoon(ctx, placed.mailIds);
  const row = requireFound(after[0]);
  if (placed.changed === null && !moves[action].to.includes(row.status)) {
    await refuseNow(ctx, participant, row, before.status);
  }
  ctx.observe.log('enrollment_changed', { cohort: row.cohortId, status: row.status });
  return toParticipation(ctx, row);
}

function changeOf(
  ctx: Context,
  now: number,
  action: ParticipantAction,
  participant: Participant,
  { id, cohortId, status }: OwnEnrollment,
): Query<Changed | null> {
  if (action === 'rejoin') {
    const newcomer = { id: crypto.randomUUID(), cohortId, personId: participant.id };
    return enroll(ctx, now, newcomer, isStillValid(participant));
  }
  if (action === 'accept') {
    const accept = status === 'offered' ? acceptOffer : acceptInvitation;
    return accept(ctx, now, id, participant);
  }
  return leave(now, id, participant, moves[action].from);
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
  if (row.status === 'offered' && row.payable > 0) {
    throw new AppError('payment_required');
  }
  const { id, instructor } = participant;
  const hold = { cohortId: row.cohortId, personId: sql`${id}`, instructor: instructor.name };
  if (row.status === 'invited') {
    await refuseHolds(ctx, hold);
    throw cohortFull(row);
  }
  if ([row.status, before].every((status) => moves.rejoin.from.includes(status))) {
    const open = await findEnrollable(ctx, eq(cohorts.id, row.cohortId));
    if (open !== undefined) {
      refuseUnlessOpen(ctx, open.cohort);
      await refuseHolds(ctx, hold);
    }
  }
  // Also for a link that was replaced meanwhile: the next request says so.
  refuseStatus(ctx, participant, row);
}
