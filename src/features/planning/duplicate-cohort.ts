import 'server-only';
import { copiedDays } from '#features/cohorts/cohort-dates.ts';
import { datesOf, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { Cohort, DatesPreview, DuplicateInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { fromJson } from '#lib/to-json.ts';
import { insertCohort, requireRoomIn } from './create-cohort.ts';
import { type CohortWithMeetings, planDates } from './move-cohort.ts';

type Copy = Pick<DuplicateInput, 'name' | 'starts_on' | 'with_join_url'>;

/**
 * The dates of a copy that begins on another day, beside those of its original.
 *
 * @throws AppError `cohort_in_trash`; `validation_failed` if a date would leave the calendar; what
 *   `requireRoomIn` throws
 */
export async function previewDuplicate(
  ctx: ViewerContext,
  original: CohortWithMeetings,
  { starts_on }: Copy,
): Promise<DatesPreview> {
  const { preview } = await planCopy(ctx, original, starts_on);
  await requireRoomIn(ctx, original.cohort.courseId);
  return preview;
}

/**
 * Copies one of the viewer's cohorts to a draft in the same course that begins on another day.
 * Everything that the owner has set is copied, its sessions among it, and nothing that belongs to
 * the original alone: nor its days off, because holidays do not move with a cohort, nor when it
 * opens sections otherwise than the course, which may be with a session of its own.
 *
 * @param idempotencyKey a retry with the same key returns the copy as it is now
 * @throws AppError as `previewDuplicate` and `insertCohort`
 */
export async function duplicateCohort(
  ctx: ViewerContext,
  original: CohortWithMeetings & { courseName: string },
  { name, starts_on, with_join_url: withJoinUrl }: Copy,
  idempotencyKey: string | null,
): Promise<Cohort> {
  const { cohort } = original;
  const { preview, instants, shifts } = await planCopy(ctx, original, starts_on);
  const { copyMeetings } = await import('#features/meetings/shift-meetings.ts');
  const copy = {
    ...cohort,
    ...fromJson(preview.after),
    ...instants,
    name,
    joinUrl: withJoinUrl ? cohort.joinUrl : null,
    joinPasscode: withJoinUrl ? cohort.joinPasscode : null,
  };
  // Not all columns: the original may have changed before a retry.
  return insertCohort(
    ctx,
    copy,
    original.courseName,
    idempotencyKey,
    ['courseId', 'name', 'startsOn'],
    { insert: (cohortId, now) => copyMeetings(shifts, { cohortId, now, withJoinUrl }) },
  );
}

async function planCopy(ctx: ViewerContext, original: CohortWithMeetings, firstDay: string) {
  requireOutsideTrash(original.cohort);
  const plan = await planDates(ctx, original, copiedDays(datesOf(original.cohort), firstDay));
  return { ...plan, preview: { ...plan.preview, days_off: [] } };
}
