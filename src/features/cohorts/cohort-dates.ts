import type * as z from 'zod/mini';
import {
  addDays,
  type Day,
  dayOfWallTime,
  daysBetween,
  shiftWallTime,
  type WallTime,
  wallTimeOn,
} from '#lib/time/calendar.ts';
import type { ValidationCode } from '#vocabulary.ts';
import type { Dates } from './schema.ts';

/** The dates and wall times of a cohort, by their names in the API. */
export type CohortDates = z.infer<typeof Dates>;

export const dateFields = [
  'starts_on',
  'ends_on',
  'time_zone',
  'enrollment_opens_local',
  'enrollment_closes_local',
  'early_until_local',
] as const satisfies (keyof CohortDates)[];

/** What is wrong with fields, by their names. */
export type WrongFields = Record<string, [ValidationCode]>;

/** The days and the zone of a cohort: what moving it changes. */
export type CohortDays = Pick<CohortDates, 'starts_on' | 'ends_on' | 'time_zone'>;

/** Two years, of which one may be a leap year. */
const longestDays = 730;

/** The wall time of the first moment after a day. It is never skipped: clocks show the next one. */
export function endOfDay(day: Day): WallTime {
  return wallTimeOn(addDays(day, 1), '00:00');
}

/** Whether a wall time is the end of the day before. */
export function isEndOfDay(wallTime: WallTime): boolean {
  return wallTime.endsWith('T00:00');
}

/** The last day of what ends at a wall time. */
export function lastDayOf(wallTime: WallTime): Day {
  return addDays(dayOfWallTime(wallTime), isEndOfDay(wallTime) ? -1 : 0);
}

/** What is wrong with dates, each of which exists, by comparing them. Zones do not matter here. */
export function wrongDates(dates: CohortDates): WrongFields {
  return { ...wrongDays(dates), ...wrongWindow(dates), ...wrongEarlyEnd(dates) };
}

export function wrongDays({ starts_on, ends_on }: CohortDays): WrongFields {
  if (ends_on < starts_on) {
    return { ends_on: ['ends_before_start'] };
  }
  return daysBetween(starts_on, ends_on) > longestDays ? { ends_on: ['cohort_too_long'] } : {};
}

function wrongWindow({
  starts_on,
  ends_on,
  enrollment_opens_local: opens,
  enrollment_closes_local: closes,
}: CohortDates): WrongFields {
  if (opens !== null && (closes ?? wallTimeOn(starts_on, '00:00')) <= opens) {
    return { enrollment_closes_local: ['closes_before_opens'] };
  }
  return closes !== null && closes > endOfDay(ends_on)
    ? { enrollment_closes_local: ['closes_after_end'] }
    : {};
}

function wrongEarlyEnd({ ends_on, early_until_local: until }: CohortDates): WrongFields {
  return until !== null && until > endOfDay(ends_on)
    ? { early_until_local: ['early_after_end'] }
    : {};
}

/**
 * Dates moved to other days. Enrollment and the early price move by as many days as the first day;
 * clock times stay, except that both end with the last day at the latest.
 */
export function movedDates(dates: CohortDates, days: CohortDays): CohortDates {
  const shift = daysBetween(dates.starts_on, days.starts_on);
  const { enrollment_opens_local: opens, enrollment_closes_local: closes } = dates;
  const latest = endOfDay(days.ends_on);
  const shiftedEnd = (wallTime: WallTime | null) => {
    const shifted = wallTime === null ? null : shiftWallTime(wallTime, shift);
    return shifted !== null && shifted > latest ? latest : shifted;
  };
  return {
    starts_on: days.starts_on,
    ends_on: days.ends_on,
    time_zone: days.time_zone,
    enrollment_opens_local: opens === null ? null : shiftWallTime(opens, shift),
    enrollment_closes_local: shiftedEnd(closes),
    early_until_local: shiftedEnd(dates.early_until_local),
  };
}

/** The days of a copy that begins on another day: as many as those of the original. */
export function copiedDays({ starts_on, ends_on, time_zone }: CohortDays, first: Day): CohortDays {
  return {
    starts_on: first,
    ends_on: addDays(first, daysBetween(starts_on, ends_on)),
    time_zone,
  };
}

export function areSameDates(one: CohortDates, other: CohortDates): boolean {
  return dateFields.every((name) => one[name] === other[name]);
}
