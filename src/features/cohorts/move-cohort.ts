import 'server-only';
import { and, isNull } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import { areSameDates } from './cohort-dates.ts';
import {
  type CohortRow,
  cohortOrThrow,
  cohortRows,
  dateColumns,
  datesOf,
  isOwn,
  isStill,
  requireOutsideTrash,
  warningsOf,
} from './get-cohort.ts';
import type { DatesPreview, MoveInput } from './schema.ts';
import { cohorts } from './table.ts';

/**
 * Moves one of the viewer's cohorts to other days, makes it longer or shorter, or changes its zone.
 * The same move again changes nothing.
 *
 * @param found the cohort, as the request has read it
 * @returns all its dates before and after
 * @throws AppError `dates_changed` if the dates are not those that the caller has seen;
 *   `cohort_in_trash`; `validation_failed` for an unknown zone, and for days with which enrollment
 *   would close before it opens; `not_found` if the cohort was deleted meanwhile
 */
export async function moveCohort(
  ctx: ViewerContext,
  found: CohortRow,
  { expected, dry_run: isPreview, ...days }: MoveInput,
): Promise<DatesPreview> {
  requireOutsideTrash(found);
  const before = datesOf(found);
  if (!areSameDates(before, { ...before, ...days }) && !areSameDates(before, expected)) {
    throw new AppError('dates_changed');
  }
  const { instantsOf, planMove } = await import('./cohort-times.ts');
  const { after, adjusted } = planMove(before, days);
  const instants = instantsOf(after);
  const preview = { before, after, adjusted, warnings: warningsOf(after, ctx.now()) };
  if (isPreview || areSameDates(before, after)) {
    return preview;
  }
  const { rows } = await ask(ctx, {
    moved: db
      .update(cohorts)
      .set({ ...fromJson(after), ...instants, updatedAt: ctx.now() })
      .where(
        and(isOwn(ctx.viewer.id, found.id), isNull(cohorts.deletedAt), isStill(found, dateColumns)),
      ),
    rows: cohortRows(ctx.viewer.id, found.id),
  });
  const row = cohortOrThrow(rows);
  requireOutsideTrash(row);
  // Another request has changed them since this one has read them.
  if (!areSameDates(datesOf(row), after)) {
    throw new AppError('dates_changed');
  }
  return preview;
}
