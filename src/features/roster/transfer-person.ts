import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import {
  type CountedCohort,
  cohortOrThrow,
  cohortRows,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { detailsOrThrow, enrollmentDetails } from '#features/places/find-enrollments.ts';
import { transfer, withPlaces } from '#features/places/places.ts';
import { refuseTransition } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { statusWords } from '#features/places/status-words.ts';
import { AppError } from '#lib/app-error.ts';
import type { TransferInput } from './schema.ts';

/**
 * Moves someone who is enrolled to another cohort of the viewer, with all that has happened. The
 * place that they leave is offered to the first who waits there. The same again changes nothing.
 *
 * @param from the enrollment, and the cohort that it is said to be in, as the request has read them
 * @throws AppError `not_found` without such a cohort; `cohort_in_trash`, `cohort_over`;
 *   `cohort_full` unless they are let in over the capacity; `person_in_target` for someone whom the
 *   other cohort knows; `enrollment_transition` for someone who is not enrolled
 */
export async function transferPerson(
  ctx: ViewerContext,
  { cohort, enrollment }: { cohort: CountedCohort; enrollment: EnrollmentDetails },
  { cohort_id: targetId, over_capacity: isOver, notify }: TransferInput,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  const now = ctx.now().getTime();
  const { ownerId } = cohort;
  const { id, person_id: personId } = enrollment;
  const there = db.all<{
    id: string;
    status: EnrollmentStatus;
  }>(sql`SELECT e.id, e.status FROM enrollments e
    WHERE e.cohort_id = ${targetId} AND e.owner_id = ${ownerId} AND e.person_id = ${personId}`);
  // Where they are by now, unless another request has moved them elsewhere.
  const currentCohort = sql`(SELECT x.cohort_id FROM enrollments x
    WHERE x.id = ${id} AND x.cohort_id IN (${cohort.id}, ${targetId}))`;
  const {
    there: before,
    placed,
    targets,
    details,
  } = await ask(ctx, {
    there,
    placed: withPlaces(
      ctx,
      { now, cohortId: cohort.id, ownerId },
      withPlaces(
        ctx,
        { now, cohortId: targetId, ownerId },
        transfer(now, { id, from: cohort.id, to: targetId, ownerId }, isOver),
        notify ? {} : { silentFor: [id] },
      ),
    ),
    targets: cohortRows(ctx, ownerId, targetId),
    details: enrollmentDetails(ownerId, currentCohort, id),
  });
  const { changed, mailIds } = placed.changed;
  sendSoon(ctx, [...placed.mailIds, ...mailIds]);
  const target = cohortOrThrow(targets);
  const found = detailsOrThrow(details);
  if (changed === null) {
    const [entry] = before;
    // Another request has done the same, a moment or a day ago.
    if (entry?.id === id && targetId !== cohort.id) {
      return found;
    }
    refuse(ctx, { target, found, statusThere: entry?.status ?? null });
  }
  ctx.observe.log('enrollment_changed', { cohort: target.id, status: found.status });
  return found;
}

type Refused = {
  target: CountedCohort;
  found: EnrollmentDetails;
  statusThere: EnrollmentStatus | null;
};

function refuse(ctx: ViewerContext, { target, found, statusThere }: Refused): never {
  requireOutsideTrash(target);
  requireNotOver(ctx, target);
  if (statusThere !== null) {
    const status = ctx.request.i18n._(statusWords[statusThere]);
    const values = { name: found.name, cohort: target.name, status };
    throw new AppError('person_in_target', { values });
  }
  if (found.status !== 'enrolled') {
    refuseTransition(ctx, found.name, found.status);
  }
  throw new AppError('cohort_full', { values: { n: target.capacity ?? 0 } });
}
