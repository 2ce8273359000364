import 'server-only';
import { isNotNull, isNull } from 'drizzle-orm';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { changeState } from './change-state.ts';
import { requireOutsideTrash, toCohort } from './get-cohort.ts';
import type { Cohort } from './schema.ts';
import { cohorts } from './table.ts';

/**
 * Publishes one of the viewer's cohorts; a published one stays as it is.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function publishCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const draft = [isNull(cohorts.publishedAt), isNull(cohorts.deletedAt)];
  const row = await changeState(ctx, id, { publishedAt: ctx.now() }, draft);
  requireOutsideTrash(row);
  return toCohort(ctx, row);
}

/**
 * Makes a published cohort of the viewer a draft again. Its address stays.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function unpublishCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const published = [isNotNull(cohorts.publishedAt), isNull(cohorts.deletedAt)];
  const row = await changeState(ctx, id, { publishedAt: null }, published);
  requireOutsideTrash(row);
  return toCohort(ctx, row);
}
