import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import {
  type CountedCohort,
  cohortRows,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollmentDetails } from '#features/places/find-enrollments.ts';
import { hasOtherMoney, transfer, withPlaces } from '#features/places/places.ts';
import { cohortFull, refuseTransition, statusWords } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import type { TransferInput } from './schema.ts';

/**
 * Moves someone who is enrolled to another cohort of the viewer, with all that has happened. The
 * place that they leave is offered to the first who waits there. The same again changes nothing.
 *
 * @param from the enrollment, and the cohort that it is said to be in, as the request has read them
 * @throws AppError `not_found` without such a cohort; `cohort_in_trash`, `cohort_over`;
 *   `cohort_full` unless they are let in over the capacity; `person_in_target` for someone whom the
 *   other cohort knows; `money_in_other_currency`; `enrollment_transition` for someone who is not
 *   enrolled
 */
export async function transferPerson(
  ctx: ViewerContext,
  { cohort, enrollment }: { cohort: CountedCohort; enrollment: EnrollmentDetails },
  { cohort_id: targetId, over_capacity: isOver, notify }: TransferInput,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  const now = ctx.now().getTime();
  const { id: cohortId, ownerId } = cohort;
  const { id, person_id: personId } = enrollment;
  // Where they are by now, unless another request has moved them elsewhere.
  const currentCohort = sql`(SELECT x.cohort_id FROM enrollments x
    WHERE x.id = ${id} AND x.cohort_id IN (${cohortId}, ${targetId}))`;
  const {
    inTarget: [inTarget],
    placed,
    targets,
    details,
    money,
  } = await ask(ctx, {
    inTarget: db.all<
      Pick<EnrollmentDetails, 'id' | 'status'>
    >(sql`SELECT e.id, e.status FROM enrollments e
      WHERE e.cohort_id = ${targetId} AND e.owner_id = ${ownerId} AND e.person_id = ${personId}`),
    placed: withPlaces(
      ctx,
      { now, cohortId: [cohortId, targetId], ownerId },
      transfer(ctx, now, { id, from: cohortId, to: targetId }, isOver),
      notify ? {} : { silentFor: [id] },
    ),
    targets: cohortRows(ctx, ownerId, targetId),
    details: enrollmentDetails(ownerId, currentCohort, id),
    money: db.all(sql`SELECT 1 WHERE ${hasOtherMoney({ id, to: targetId })}`),
  });
  sendSoon(ctx, placed.mailIds);
  const target = requireFound(targets[0]);
  const person = requireFound(details);
  if (placed.changed !== null) {
    ctx.observe.log('enrollment_changed', { cohort: target.id, status: person.status });
  } else if (inTarget?.id !== id || targetId === cohortId) {
    refuseTransfer(ctx, target, person, { inTarget, hasOtherMoney: money.length > 0 });
  }
  // Otherwise another request has done the same, a moment or a day ago.
  return person;
}

function refuseTransfer(
  ctx: ViewerContext,
  target: CountedCohort,
  { name, status }: EnrollmentDetails,
  why: { inTarget: Pick<EnrollmentDetails, 'id' | 'status'> | undefined; hasOtherMoney: boolean },
): never {
  const { inTarget } = why;
  requireOutsideTrash(target);
  requireNotOver(ctx, target);
  if (inTarget !== undefined) {
    const there = ctx.request.i18n._(statusWords[inTarget.status]);
    throw new AppError('person_in_target', {
      values: { name, cohort: target.name, status: there },
    });
  }
  if (status !== 'enrolled') {
    refuseTransition(ctx, name, status);
  }
  if (why.hasOtherMoney) {
    throw new AppError('money_in_other_currency', { values: { name, cohort: target.name } });
  }
  throw cohortFull(target);
}
