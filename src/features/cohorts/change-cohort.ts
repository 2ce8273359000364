import 'server-only';
import { and } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import { dateFields, wrongDates } from './cohort-dates.ts';
import { refuse, requireCurrency } from './cohort-rules.ts';
import {
  type CohortRow,
  cohortOrThrow,
  cohortRows,
  dateColumns,
  datesOf,
  isOwn,
  isStill,
  requireOutsideTrash,
  toCohort,
} from './get-cohort.ts';
import { type Cohort, type CohortPatch, wrongMinimum, wrongPrice } from './schema.ts';
import { cohorts } from './table.ts';

/** What the checks look at. */
const checkedColumns = [
  ...dateColumns,
  'publishedAt',
  'deletedAt',
  'capacity',
  'minimumPeople',
  'priceMinor',
  'currency',
] as const;

/** Each attempt fails only if someone else's change succeeds. */
const mostAttempts = 5;

/**
 * Changes the given fields of one of the viewer's cohorts.
 *
 * @param found the cohort, as the request has read it
 * @throws AppError `cohort_in_trash`; `use_move` for other days or another zone of a published
 *   cohort; `validation_failed` if what is given does not go with what is stored; `not_found` if
 *   the cohort was deleted meanwhile
 */
export async function changeCohort(
  ctx: ViewerContext,
  found: CohortRow,
  patch: CohortPatch,
): Promise<Cohort> {
  let row = found;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const columns = await changedColumns(ctx, row, patch);
    if (Object.keys(columns).length === 0) {
      return toCohort(ctx, row);
    }
    const { changed, rows } = await ask(ctx, {
      changed: db
        .update(cohorts)
        .set({ ...columns, updatedAt: ctx.now() })
        .where(and(isOwn(ctx.viewer.id, found.id), isStill(row, checkedColumns)))
        .returning({ id: cohorts.id }),
      rows: cohortRows(ctx.viewer.id, found.id),
    });
    row = cohortOrThrow(rows);
    if (changed.length > 0) {
      return toCohort(ctx, row);
    }
  }
  throw new AppError('unavailable');
}

/** What to write, after checking it together with what is stored. */
async function changedColumns(ctx: ViewerContext, row: CohortRow, patch: CohortPatch) {
  requireOutsideTrash(row);
  requireCurrency(patch.currency);
  const given = fromJson(patch);
  const changed = { ...row, ...given };
  const dates = datesOf(changed);
  const { capacity, minimumPeople: minimum_people, priceMinor: price_minor, currency } = changed;
  refuse({
    ...wrongDates(dates),
    ...wrongMinimum({ capacity, minimum_people }),
    ...wrongPrice({ price_minor, currency }),
  });
  if (!dateFields.some((field) => patch[field] !== undefined)) {
    return given;
  }
  const { areSameDays, instantsOfTyped } = await import('./cohort-times.ts');
  const instants = instantsOfTyped(dates, ctx.request.locale);
  if (row.publishedAt !== null && !areSameDays(dates, datesOf(row))) {
    throw new AppError('use_move');
  }
  return { ...given, ...instants };
}
