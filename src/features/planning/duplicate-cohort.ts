import 'server-only';
import { copiedDays } from '#features/cohorts/cohort-dates.ts';
import { datesOf, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { Cohort, DatesPreview, DuplicateInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { addDays, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { fromJson } from '#lib/to-json.ts';
import { insertCohort, requireRoomIn } from './create-cohort.ts';
import { type CohortWithMeetings, planDates } from './move-cohort.ts';

type Copy = Pick<DuplicateInput, 'name' | 'starts_on' | 'with_join_url' | 'close_gaps'>;

/**
 * The dates of a copy that begins on another day, beside those of its original.
 *
 * @throws AppError `cohort_in_trash`; `validation_failed` if a date would leave the calendar; what
 *   `requireRoomIn` throws
 */
export async function previewDuplicate(
  ctx: ViewerContext,
  original: CohortWithMeetings,
  copy: Copy,
): Promise<DatesPreview> {
  const { preview } = await planCopy(ctx, original, copy);
  await requireRoomIn(ctx, original.cohort.courseId);
  return preview;
}

/**
 * Copies one of the viewer's cohorts to a draft in the same course that begins on another day.
 * Everything that the owner has set is copied, its sessions among it, and nothing that belongs to
 * the original alone: nor its days off, unless their gaps stay, nor when it opens sections otherwise
 * than the course, which may be with a session of its own.
 *
 * @param idempotencyKey a retry with the same key returns the copy as it is now
 * @throws AppError as `previewDuplicate` and `insertCohort`
 */
export async function duplicateCohort(
  ctx: ViewerContext,
  original: CohortWithMeetings & { courseName: string },
  input: Copy,
  idempotencyKey: string | null,
): Promise<Cohort> {
  const { name, with_join_url: withJoinUrl } = input;
  const { cohort } = original;
  const plan = await planCopy(ctx, original, input);
  const { copyMeetings } = await import('#features/meetings/shift-meetings.ts');
  const copy = {
    ...cohort,
    ...fromJson(plan.preview.after),
    ...plan.instants,
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
    { insert: (cohortId, now) => copyMeetings(plan, { cohortId, now, withJoinUrl }) },
  );
}

/** Closes the gaps left by days off, if requested, so the copy ends sooner and has none. */
async function planCopy(
  ctx: ViewerContext,
  { cohort, meetings }: CohortWithMeetings,
  { starts_on: firstDay, close_gaps: areClosed }: Copy,
) {
  requireOutsideTrash(cohort);
  const { closeGaps } = await import('#features/meetings/shift-meetings.ts');
  const rows = areClosed ? closeGaps(meetings) : meetings.rows;
  const [last = '', closed = ''] = [meetings.rows, rows].map((all) =>
    all.reduce((latest, { startsLocal: one }) => (one > latest ? one : latest), ''),
  );
  const { ends_on, ...days } = copiedDays(datesOf(cohort), firstDay);
  const sooner = last === '' ? 0 : daysBetween(dayOfWallTime(last), dayOfWallTime(closed));
  const end = addDays(ends_on, sooner);
  const plan = await planDates(
    ctx,
    { cohort, meetings: areClosed ? { ...meetings, rows, daysOff: [] } : meetings },
    { ...days, ends_on: end < firstDay ? firstDay : end },
  );
  const shown = plan.preview.meetings.map((one, index) => ({
    ...one,
    before: meetings.rows[index]?.startsLocal ?? one.before,
  }));
  return { ...plan, preview: { ...plan.preview, meetings: shown } };
}
