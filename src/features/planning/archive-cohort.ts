import 'server-only';
import { isNotNull, isNull } from 'drizzle-orm';
import { cohorts } from '#db/schema/cohorts.ts';
import { requireOutsideTrash, toCohort } from '#features/cohorts/get-cohort.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { changeState } from './change-state.ts';

/**
 * Archives one of the viewer's cohorts: everything in it stays readable.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function archiveCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const current = [isNull(cohorts.archivedAt), isNull(cohorts.deletedAt)];
  const row = await changeState(ctx, id, ctx.now(), { archivedAt: true }, current);
  requireOutsideTrash(row);
  return toCohort(ctx, row);
}

/**
 * Takes one of the viewer's cohorts out of the archive.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function unarchiveCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const archived = [isNotNull(cohorts.archivedAt), isNull(cohorts.deletedAt)];
  const row = await changeState(ctx, id, ctx.now(), { archivedAt: false }, archived);
  requireOutsideTrash(row);
  return toCohort(ctx, row);
}
