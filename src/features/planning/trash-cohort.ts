import 'server-only';
import { and, isNotNull, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { hasRoomForCohort } from '#features/cohorts/cohort-limit.ts';
import { cohortOrThrow, cohortRows, isOwn, toCohort } from '#features/cohorts/get-cohort.ts';
import type { Cohort, TrashInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireRecentLogin } from '#features/identity/get-account.ts';
import { countNotice, queueNotices } from '#features/outbox/notices.ts';
import { AppError } from '#lib/app-error.ts';
import { changeState } from './change-state.ts';

/**
 * Moves one of the viewer's cohorts to the trash, which is emptied after 30 days. Its people get
 * an email that it is canceled, unless it is over or a draft, or the viewer chooses otherwise.
 *
 * @throws AppError `not_found`, `too_many_notices`
 */
export async function trashCohort(
  ctx: ViewerContext,
  id: string,
  { notify, note }: TrashInput,
): Promise<void> {
  if (notify) {
    await countNotice(ctx, id);
  }
  // Only if it is not in the trash yet, so that a repeated request emails no one.
  const isOurs = sql`c.id = ${id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL`;
  const first = notify ? queueNotices(ctx, 'cohort_cancelled', isOurs, { note }) : undefined;
  await changeState(ctx, id, 'deletedAt', true, { first });
}

/**
 * Takes one of the viewer's cohorts out of the trash, in the state that it had before.
 *
 * @throws AppError `not_found`; `too_many_cohorts` if the course is full by now
 */
export async function restoreCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const course = db.select({ id: cohorts.courseId }).from(cohorts).where(isOwn(ctx.ownerId, id));
  const where = hasRoomForCohort(ctx.ownerId, sql`(${course})`);
  const row = await changeState(ctx, id, 'deletedAt', false, { where });
  if (row.deletedAt !== null) {
    throw new AppError('too_many_cohorts');
  }
  return toCohort(ctx, row);
}

/**
 * Permanently deletes one of the viewer's cohorts that is in the trash.
 *
 * @throws AppError `not_found`, `cohort_not_in_trash`, `proof_required`
 */
export async function purgeCohort(ctx: ViewerContext, id: string): Promise<void> {
  requireRecentLogin(ctx);
  const { rows, purged } = await ask(ctx, {
    rows: cohortRows(ctx, ctx.ownerId, id),
    purged: db
      .delete(cohorts)
      .where(and(isOwn(ctx.ownerId, id), isNotNull(cohorts.deletedAt)))
      .returning({ id: cohorts.id }),
  });
  cohortOrThrow(rows);
  if (purged.length === 0) {
    throw new AppError('cohort_not_in_trash');
  }
}
