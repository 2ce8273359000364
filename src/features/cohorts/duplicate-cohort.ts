import 'server-only';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { fromJson } from '#lib/to-json.ts';
import { copiedDays } from './cohort-dates.ts';
import { type CohortRow, datesOf, requireOutsideTrash, warningsOf } from './get-cohort.ts';
import { insertCohort, requireRoomIn } from './insert-cohort.ts';
import type { Cohort, DatesPreview, DuplicateInput } from './schema.ts';

type Copy = Pick<DuplicateInput, 'name' | 'starts_on' | 'with_join_url'>;

/**
 * The dates of a copy that begins on another day, beside those of its original.
 *
 * @throws AppError `cohort_in_trash`; `validation_failed` if a date would leave the calendar; what
 *   `requireRoomIn` throws
 */
export async function previewDuplicate(
  ctx: ViewerContext,
  original: CohortRow,
  { starts_on }: Copy,
): Promise<DatesPreview> {
  const { preview } = await planCopy(ctx, original, starts_on);
  await requireRoomIn(ctx, original.courseId);
  return preview;
}

/**
 * Copies one of the viewer's cohorts to a draft in the same course that begins on another day.
 * Everything that the owner has set is copied, and nothing that belongs to the original alone.
 *
 * @param original the cohort, as the request has read it
 * @param idempotencyKey a retry with the same key returns the copy as it is now
 * @throws AppError as `previewDuplicate` and `insertCohort`
 */
export async function duplicateCohort(
  ctx: ViewerContext,
  original: CohortRow,
  { name, starts_on, with_join_url: withJoinUrl }: Copy,
  idempotencyKey: string | null,
): Promise<Cohort> {
  const { preview, instants } = await planCopy(ctx, original, starts_on);
  const copy = {
    ...original,
    ...fromJson(preview.after),
    ...instants,
    name,
    joinUrl: withJoinUrl ? original.joinUrl : null,
  };
  // Not all columns: the original may have changed before a retry.
  return insertCohort(ctx, copy, idempotencyKey, ['courseId', 'name', 'startsOn']);
}

async function planCopy(ctx: ViewerContext, original: CohortRow, firstDay: string) {
  requireOutsideTrash(original);
  const { instantsOf, planMove } = await import('./cohort-times.ts');
  const before = datesOf(original);
  const { after, adjusted } = planMove(before, copiedDays(before, firstDay));
  const instants = instantsOf(after);
  const warnings = warningsOf(after, ctx.now());
  return { preview: { before, after, adjusted, warnings }, instants };
}
