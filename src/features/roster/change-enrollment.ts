import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { ask, db, type Query } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import {
  type CountedCohort,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { detailsOrThrow, enrollmentDetails } from '#features/places/find-enrollments.ts';
import {
  add,
  approve,
  type Changed,
  offer,
  ofOne,
  refuse,
  remove,
  withdraw,
  withPlaces,
} from '#features/places/places.ts';
import { refuseTransition } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { whyNoOffer } from '#features/places/why-no-offer.ts';
import { insertLinkMail, linkUse, replaceLink } from '#features/rights/renew-link.ts';
import { AppError } from '#lib/app-error.ts';
import type { FoundPerson } from './change-person.ts';
import type {
  ApprovedPeople,
  ApprovePeopleInput,
  MovePersonInput,
  RemovePeopleInput,
} from './schema.ts';

/** What the owner does to someone on their lists. */
export type OwnerAction = 'offer' | 'accept' | 'approve' | 'refuse' | 'remove' | 'withdraw';

/** The status that each leads to; someone who has it already gets the same answer. */
const results: Record<OwnerAction, readonly EnrollmentStatus[]> = {
  offer: ['offered', 'enrolled'],
  accept: ['enrolled'],
  approve: ['enrolled', 'waitlisted', 'offered'],
  refuse: ['refused'],
  remove: ['removed'],
  withdraw: ['removed'],
};

/** What is possible after the cohort has ended or was archived, too. */
const endings: readonly OwnerAction[] = ['refuse', 'remove', 'withdraw'];

/** An enrollment and its cohort, as the request has read them. */
type Found = { cohort: CountedCohort; enrollment: EnrollmentDetails };

/**
 * Offers someone who waits a place by hand or takes the offer back, lets them in, decides whether
 * someone who asks comes in, or removes them. The same again changes nothing.
 *
 * @throws AppError `cohort_full` unless it is said to be over the capacity; `cohort_in_trash`,
 *   `cohort_over`; `offer_before_publishing`, `offer_too_late`; `enrollment_transition` for what is
 *   not possible from where they stand
 */
export async function changeEnrollment(
  ctx: ViewerContext,
  action: OwnerAction,
  { cohort, enrollment }: Found,
  { over_capacity: isOver, notify }: MovePersonInput,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  const { id, ownerId, capacity } = cohort;
  if (results[action].includes(enrollment.status)) {
    return enrollment;
  }
  if (!endings.includes(action)) {
    requireNotOver(ctx, cohort);
  }
  const now = ctx.now().getTime();
  const { placed, after } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId: id, ownerId },
      changeOf(now, action, { cohort, enrollment }, isOver),
      notify ? {} : { silentFor: [enrollment.id] },
    ),
    after: enrollmentDetails(ownerId, id, enrollment.id),
  });
  sendSoon(ctx, placed.mailIds);
  const details = detailsOrThrow(after);
  if (placed.changed === null && !results[action].includes(details.status)) {
    if (action === 'offer' && details.status === 'waitlisted') {
      refuseOffer(cohort, new Date(now));
    }
    const canBe =
      action === 'accept' || details.status === (action === 'approve' ? 'applied' : 'waitlisted');
    if (canBe && !endings.includes(action) && !isOver && capacity !== null) {
      throw new AppError('cohort_full', { values: { n: capacity } });
    }
    refuseTransition(ctx, details.name, details.status);
  }
  ctx.observe.log('enrollment_changed', { cohort: id, status: details.status });
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

function changeOf(
  now: number,
  action: OwnerAction,
  { cohort: { id: cohortId, ownerId }, enrollment }: Found,
  isOver: boolean,
): Query<Changed | null> {
  const one = { ids: [enrollment.id], cohortId, ownerId };
  switch (action) {
    case 'offer':
      return offer(now, enrollment.id, ownerId, isOver);
    case 'remove':
      return ofOne(remove(now, one));
    case 'withdraw':
      return ofOne(withdraw(now, one));
    case 'approve':
      return ofOne(approve(now, one, isOver));
    case 'refuse':
      return ofOne(refuse(now, one));
    case 'accept': {
      const personId = sql`${enrollment.person_id}`;
      return add(now, { id: crypto.randomUUID(), cohortId, personId, ownerId }, isOver);
    }
  }
}

/**
 * Removes several people at once. Those who are on none of the lists stay as they are.
 *
 * @returns how many were removed
 * @throws AppError `cohort_in_trash`
 */
export function removePeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  input: RemovePeopleInput,
): Promise<number> {
  return endPeople(ctx, cohort, input, { end: remove, status: 'removed' });
}

/**
 * Turns down several people at once who have asked for a place. All others stay as they are.
 *
 * @returns how many were turned down
 * @throws AppError `cohort_in_trash`
 */
export function refusePeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  input: RemovePeopleInput,
): Promise<number> {
  return endPeople(ctx, cohort, input, { end: refuse, status: 'refused' });
}

async function endPeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  { enrollments: ids, notify }: RemovePeopleInput,
  { end, status }: { end: typeof remove; status: EnrollmentStatus },
): Promise<number> {
  requireOutsideTrash(cohort);
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const { placed } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      end(now, { ids, cohortId, ownerId }),
      notify ? {} : { silentFor: ids },
    ),
  });
  sendSoon(ctx, placed.mailIds);
  const count = placed.changed.length;
  ctx.observe.log('enrollment_changed', { cohort: cohortId, status, count });
  return count;
}

/**
 * Lets in several people at once who have asked for a place, in the order in which they asked.
 * Where no place is free they wait, unless they come in over the capacity; without a waitlist they
 * keep asking.
 *
 * @throws AppError `cohort_in_trash`, `cohort_over`
 */
export async function approvePeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  { enrollments: ids, over_capacity: isOver }: ApprovePeopleInput,
): Promise<ApprovedPeople> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const { placed } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      approve(now, { ids, cohortId, ownerId }, isOver),
      {
        isMany: true,
      },
    ),
  });
  sendSoon(ctx, placed.mailIds);
  const countOf = (status: EnrollmentStatus) =>
    placed.changed.filter((one) => one.status === status).length;
  const counts = { enrolled: countOf('enrolled'), waitlisted: countOf('waitlisted') };
  for (const [status, count] of Object.entries(counts)) {
    if (count > 0) {
      ctx.observe.log('enrollment_changed', { cohort: cohortId, status, count });
    }
  }
  return counts;
}

/**
 * Marks that someone has completed the cohort, or takes the mark back.
 *
 * @throws AppError `cohort_not_begun`; `enrollment_transition` for someone who is not enrolled
 */
export async function markCompleted(
  ctx: ViewerContext,
  { cohort, enrollment }: Found,
  isCompleted: boolean,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  if (isCompleted && cohort.startsAt > ctx.now()) {
    throw new AppError('cohort_not_begun');
  }
  const { id, ownerId } = cohort;
  const completedAt = isCompleted ? sql`coalesce(completed_at, ${ctx.now().getTime()})` : sql`NULL`;
  const { changed, after } = await ask(ctx, {
    changed: db.all<{ id: string }>(sql`UPDATE enrollments SET completed_at = ${completedAt}
      WHERE id = ${enrollment.id} AND owner_id = ${ownerId} AND status = 'enrolled' RETURNING id`),
    after: enrollmentDetails(ownerId, id, enrollment.id),
  });
  const details = detailsOrThrow(after);
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
export async function resendLink(ctx: ViewerContext, { cohort, enrollment }: Found): Promise<void> {
  requireOutsideTrash(cohort);
  const { id: ownerId } = ctx.viewer;
  const use = linkUse(ownerId, enrollment.email.toLowerCase());
  const limit = await limitOn(ctx, [use], 'refuse');
  const { mails, usage } = await ask(ctx, {
    mails: insertLinkMail(
      ctx,
      sql`${isPersonOf(enrollment.person_id, ownerId)} AND ${limit.hasRoom}`,
      { kind: 'new_link', isByOwner: true },
    ),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  sendSoon(
    ctx,
    mails.map(({ id }) => id),
  );
}

/**
 * Ends all links of one of the viewer's people, and emails them a new one.
 *
 * @throws AppError `not_found`, `rate_limited`
 */
export async function renewLink(
  ctx: ViewerContext,
  { id, emailCanonical }: FoundPerson,
): Promise<void> {
  const ownerId = ctx.ownerId;
  if (!(await replaceLink(ctx, { id, ownerId }, [linkUse(ownerId, emailCanonical)]))) {
    throw new AppError('not_found');
  }
}

function isPersonOf(personId: string, ownerId: string): SQL {
  return sql`p.id = ${personId} AND p.owner_id = ${ownerId}`;
}
