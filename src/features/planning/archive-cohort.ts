import 'server-only';
import { toCohort } from '#features/cohorts/get-cohort.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { changeStateOutsideTrash } from './change-state.ts';

/**
 * Archives one of the viewer's cohorts: everything in it stays readable.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function archiveCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  return toCohort(ctx, await changeStateOutsideTrash(ctx, id, 'archivedAt', true));
}

/**
 * Takes one of the viewer's cohorts out of the archive.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function unarchiveCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  return toCohort(ctx, await changeStateOutsideTrash(ctx, id, 'archivedAt', false));
}
