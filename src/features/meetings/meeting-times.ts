import 'server-only';
import type { Locale } from '#db/values.ts';
import { skippedTime } from '#features/cohorts/cohort-times.ts';
import { refuseFields } from '#lib/app-error.ts';
import { isWallTime, shiftWallTime, type WallTime } from '#lib/time/calendar.ts';
import { instantOf, nextExisting } from '#lib/time/instants.ts';

/** When a session begins. Imported when it is needed, because it brings the time library. */
export type MeetingStart = {
  startsLocal: WallTime;
  startsAt: Date;
  /** Whether clocks skip the time that it would have, so that it is later. */
  isAdjusted: boolean;
};

/**
 * The time of one session, as it was typed.
 *
 * @throws AppError `validation_failed` for a time that clocks skip
 */
export function timeOf(typed: WallTime, zone: string, locale: Locale): MeetingStart {
  const startsAt = instantOf(typed, zone);
  if (startsAt === null) {
    refuseFields({ starts_local: [skippedTime(typed, zone, locale)] });
  }
  return timeOn(typed, zone);
}

/**
 * Times a week apart: clock times stay, but one that is skipped on its day moves forward.
 *
 * @throws AppError `validation_failed` if the last one would leave the calendar
 */
export function weeklyTimes(first: WallTime, count: number, zone: string): MeetingStart[] {
  const times = Array.from({ length: count }, (_, week) => shiftWallTime(first, week * 7));
  refuseFields(times.every(isWallTime) ? {} : { starts_local: ['date_invalid'] });
  return times.map((wallTime) => timeOn(wallTime, zone));
}

/** A wall time on its day, or the next one that clocks show. */
export function timeOn(wallTime: WallTime, zone: string): MeetingStart {
  const existing = nextExisting(wallTime, zone);
  const startsAt = instantOf(existing, zone);
  if (startsAt === null) {
    throw new RangeError('A time that exists has no instant');
  }
  return { startsLocal: existing, startsAt, isAdjusted: existing !== wallTime };
}
