import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db, type Query } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { completionMails, requireCompletable } from '#features/attendance/complete-people.ts';
import type { CompleteInput } from '#features/attendance/schema.ts';
import {
  type CountedCohort,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollmentDetails } from '#features/places/find-enrollments.ts';
import {
  add,
  approve,
  type Changed,
  type Listed,
  offer,
  ofOne,
  remove,
  turnDown,
  withPlaces,
} from '#features/places/places.ts';
import { cohortFull, refuseTransition, refuseUnpayable } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { whyNoOffer } from '#features/places/why-no-offer.ts';
import { linkUse, replaceLink, sendLinkMail } from '#features/rights/renew-link.ts';
import type { RightsHolder } from '#features/rights/rights-holder.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import type { EnrollmentMove } from './roster-paths.ts';
import type {
  ApprovedPeople,
  ApprovePeopleInput,
  MovePersonInput,
  RemovePeopleInput,
} from './schema.ts';

/** An enrollment and its cohort, as the request has read them. */
type OwnEnrollment = { cohort: CountedCohort; enrollment: EnrollmentDetails };

type Move = {
  change: (
    ctx: ViewerContext,
    now: number,
    one: OwnEnrollment,
    isOver: boolean,
  ) => Query<Changed | null>;
  /** The statuses that it leads to; someone who has one of them already gets the same answer. */
  results: readonly EnrollmentStatus[];
  /** The status of those whom it gives a place. */
  from?: EnrollmentStatus | 'any';
};

const moves: Record<EnrollmentMove, Move> = {
  offer: {
    change: (ctx, now, { enrollment }, isOver) => offer(ctx, now, enrollment.id, isOver),
    results: ['offered', 'enrolled'],
    from: 'waitlisted',
  },
  add: {
    change(ctx, now, { enrollment, cohort: { id: cohortId } }, isOver) {
      const personId = sql`${enrollment.person_id}`;
      return add(ctx, now, { id: crypto.randomUUID(), cohortId, personId }, isOver);
    },
    results: ['enrolled'],
    from: 'any',
  },
  approve: {
    change: (ctx, now, one, isOver) => ofOne(approve(ctx, now, listed(one), isOver)),
    results: ['enrolled', 'waitlisted', 'offered'],
    from: 'applied',
  },
  refuse: {
    change: (ctx, now, one) => ofOne(turnDown(ctx, now, listed(one))),
    results: ['refused'],
  },
  remove: {
    change: (ctx, now, one) => ofOne(remove(ctx, now, listed(one))),
    results: ['removed'],
  },
  withdraw: {
    change: (ctx, now, one) => ofOne(remove(ctx, now, listed(one), ['offered'])),
    results: ['removed'],
  },
};

function listed({ cohort: { id: cohortId }, enrollment }: OwnEnrollment) {
  return { ids: [enrollment.id], cohortId };
}

/**
 * Offers someone who waits a place by hand or takes the offer back, lets them in, decides whether
 * someone who asks comes in, or removes them. The same again changes nothing. What gives no place
 * is possible after the cohort has ended or was archived, too.
 *
 * @throws AppError `cohort_full` unless it is said to be over the capacity; `cohort_in_trash`,
 *   `cohort_over`; `offer_before_publishing`, `offer_too_late`; `payments_paused`;
 *   `enrollment_transition` for what is not possible from where they stand
 */
export async function changeEnrollment(
  ctx: ViewerContext,
  name: EnrollmentMove,
  one: OwnEnrollment,
  { over_capacity: isOver, notify }: MovePersonInput,
): Promise<EnrollmentDetails> {
  const { cohort, enrollment } = one;
  const move = moves[name];
  requireOutsideTrash(cohort);
  if (move.results.includes(enrollment.status)) {
    return enrollment;
  }
  if (move.from !== undefined) {
    requireNotOver(ctx, cohort);
  }
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const { placed, after } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      move.change(ctx, now, one, isOver),
      notify ? {} : { silentFor: [enrollment.id] },
    ),
    after: enrollmentDetails(ownerId, cohortId, enrollment.id),
  });
  sendSoon(ctx, placed.mailIds);
  const details = requireFound(after);
  if (placed.changed === null && !move.results.includes(details.status)) {
    if (name === 'offer' || name === 'approve') {
      await refuseUnpayable(ctx, cohortId);
    }
    if (name === 'offer' && details.status === 'waitlisted') {
      refuseOffer(cohort, new Date(now));
    }
    const isFull = move.from === 'any' || move.from === details.status;
    if (isFull && !isOver && cohort.capacity !== null) {
      throw cohortFull(cohort);
    }
    refuseTransition(ctx, details.name, details.status);
  }
  ctx.observe.log('enrollment_changed', { cohort: cohortId, status: details.status });
  return details;
}

/** Says why no one can be offered a place, if it is not that all are taken. */
function refuseOffer(cohort: CountedCohort, now: Date): void {
  const reason = whyNoOffer(cohort, cohort, now);
  if (reason === 'cohort_not_published') {
    throw new AppError('offer_before_publishing');
  }
  if (reason === 'too_late') {
    throw new AppError('offer_too_late');
  }
}

const ends = { removed: remove, refused: turnDown };

/**
 * Removes several people at once, or turns down those of them who have asked for a place. All
 * others stay as they are.
 *
 * @returns of how many that was the end
 * @throws AppError `cohort_in_trash`
 */
export async function endPlaces(
  ctx: ViewerContext,
  cohort: CountedCohort,
  end: keyof typeof ends,
  { enrollments: ids, notify }: RemovePeopleInput,
): Promise<number> {
  const options = notify ? {} : { silentFor: ids };
  const countOf = await changePeople(ctx, cohort, ids, ends[end], options);
  return countOf(end);
}

/**
 * Lets in several people at once who have asked for a place, in the order in which they asked.
 * Who has to pay first is offered the place. Where none is free they wait, unless they come in over
 * the capacity; without a waitlist they keep asking.
 *
 * @throws AppError `cohort_in_trash`, `cohort_over`, `payments_paused`
 */
export async function approvePeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  { enrollments: ids, over_capacity: isOver }: ApprovePeopleInput,
): Promise<ApprovedPeople> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  const change: ChangeOfMany = (...of) => approve(...of, isOver);
  const countOf = await changePeople(ctx, cohort, ids, change, { isMany: true });
  const [enrolled, offered] = [countOf('enrolled'), countOf('offered')];
  const waitlisted = countOf('waitlisted');
  if (enrolled + offered + waitlisted === 0) {
    await refuseUnpayable(ctx, cohort.id);
  }
  return { enrolled, offered, waitlisted };
}

type ChangeOfMany = (ctx: ViewerContext, now: number, people: Listed) => Query<Changed[]>;

/** @returns says how many have got a status */
async function changePeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  ids: readonly string[],
  change: ChangeOfMany,
  options: { silentFor?: readonly string[]; isMany?: boolean },
): Promise<(status: EnrollmentStatus) => number> {
  requireOutsideTrash(cohort);
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const { placed } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      change(ctx, now, { ids, cohortId }),
      options,
    ),
  });
  sendSoon(ctx, placed.mailIds);
  const countOf = (status: EnrollmentStatus) =>
    placed.changed.filter((one) => one.status === status).length;
  for (const status of new Set(placed.changed.map((one) => one.status))) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status, count: countOf(status) });
  }
  return countOf;
}

/**
 * Marks that someone has completed the cohort, who gets an email about it, or takes the mark back.
 *
 * @param completion null to take it back
 * @throws AppError `cohort_in_trash`, `cohort_not_begun`; `cohort_not_over` unless it is said to be
 *   before the end; `enrollment_transition` for someone who is not enrolled
 */
export async function markCompleted(
  ctx: ViewerContext,
  { cohort, enrollment }: OwnEnrollment,
  completion: CompleteInput | null,
): Promise<EnrollmentDetails> {
  const isCompleted = completion !== null;
  const now = ctx.now();
  if (isCompleted) {
    requireCompletable(cohort, now, completion.before_end);
  } else {
    requireOutsideTrash(cohort);
  }
  const { id, ownerId } = cohort;
  const completedAt = isCompleted ? sql`coalesce(completed_at, ${now.getTime()})` : sql`NULL`;
  const { changed, after } = await ask(ctx, {
    changed: db.all<{ id: string }>(sql`UPDATE enrollments SET completed_at = ${completedAt}
      WHERE id = ${enrollment.id} AND owner_id = ${ownerId} AND status = 'enrolled' RETURNING id`),
    ...(isCompleted && completionMails(ctx, cohort, now, sql`e.id = ${enrollment.id}`)),
    after: enrollmentDetails(ownerId, id, enrollment.id),
  });
  const details = requireFound(after);
  if (changed.length === 0) {
    refuseTransition(ctx, details.name, details.status);
  }
  return details;
}

/**
 * Sends someone the link to their page again.
 *
 * @throws AppError `cohort_in_trash`, `rate_limited`
 */
export async function resendLink(
  ctx: ViewerContext,
  { cohort, enrollment }: OwnEnrollment,
): Promise<void> {
  requireOutsideTrash(cohort);
  const { ownerId } = ctx;
  const use = linkUse(ownerId, enrollment.email.toLowerCase());
  const limit = await limitOn(ctx, [use], 'refuse');
  const isTheirs = sql`p.id = ${enrollment.person_id} AND p.owner_id = ${ownerId}`;
  await sendLinkMail(ctx, { usage: limit.count() }, sql`${isTheirs} AND ${limit.hasRoom}`, {
    kind: 'new_link',
    isByOwner: true,
  });
}

/**
 * Ends all links of one of the viewer's people, and emails them a new one.
 *
 * @throws AppError `not_found`, `rate_limited`
 */
export async function renewLink(
  ctx: ViewerContext,
  { id, ownerId, emailCanonical }: RightsHolder,
): Promise<void> {
  if (!(await replaceLink(ctx, { id, ownerId }, [linkUse(ownerId, emailCanonical)]))) {
    throw new AppError('not_found');
  }
}
