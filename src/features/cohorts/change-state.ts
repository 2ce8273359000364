import 'server-only';
import { and, type SQL } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { type CohortRow, cohortOrThrow, cohortRows, isOwn } from './get-cohort.ts';
import { cohorts } from './table.ts';

type StateColumn = 'publishedAt' | 'archivedAt' | 'deletedAt';

/**
 * Sets when something was decided about one of the viewer's cohorts, or null.
 *
 * @param where what must hold, such as that it was not decided before
 * @returns the cohort as it is now, changed or not
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export async function changeState(
  ctx: ViewerContext,
  id: string,
  state: Partial<Record<StateColumn, Date | null>>,
  where: (SQL | undefined)[],
): Promise<CohortRow> {
  const { rows } = await ask(ctx, {
    changed: db
      .update(cohorts)
      .set({ ...state, updatedAt: ctx.now() })
      .where(and(isOwn(ctx.viewer.id, id), ...where)),
    rows: cohortRows(ctx.viewer.id, id),
  });
  return cohortOrThrow(rows);
}
