import 'server-only';
import type { Context } from '#context.ts';
import type { CohortDays } from '#features/cohorts/cohort-dates.ts';
import { type CohortRow, datesOf, warningsOfDates } from '#features/cohorts/get-cohort.ts';
import type { MovableMeetings } from '#features/meetings/movable-meetings.ts';
import { daysBetween } from '#lib/time/calendar.ts';

/** A cohort and its sessions, as the request has read them. */
export type CohortWithMeetings = { cohort: CohortRow; meetings: MovableMeetings };

/**
 * What other days or another zone do to the dates of a cohort and to its sessions.
 *
 * @throws AppError `validation_failed` for an unknown zone, and if a date would leave the calendar
 *   or enrollment would close before it opens
 */
export async function planDates(
  ctx: Context,
  { cohort, meetings }: CohortWithMeetings,
  days: CohortDays,
) {
  const { instantsOf, planMove } = await import('#features/cohorts/cohort-times.ts');
  const { planShifts, toShifted } = await import('#features/meetings/shift-meetings.ts');
  const before = datesOf(cohort);
  const { after, adjusted } = planMove(before, days);
  const shift = daysBetween(before.starts_on, after.starts_on);
  const shifts = planShifts(meetings, shift, after.time_zone);
  return {
    shifts,
    instants: instantsOf(after),
    preview: {
      before,
      after,
      adjusted,
      meetings: shifts.map(toShifted),
      meetings_mark: meetings.mark,
      warnings: warningsOfDates(after, ctx.now()),
    },
  };
}
