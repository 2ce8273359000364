import 'server-only';
import type { Locale } from '#db/values.ts';
import { type FieldError, refuseFields } from '#lib/app-error.ts';
import {
  addDays,
  dayOfWallTime,
  daysBetween,
  isDay,
  shiftWallTime,
  type WallTime,
  wallTimeOn,
} from '#lib/time/calendar.ts';
import { dayAt, endOf, firstInstantOf, instantOf, nextExisting } from '#lib/time/instants.ts';
import { clockTime, longDay } from '#lib/time/words.ts';
import { cityOf, isSameZone, isZone } from '#lib/time/zones.ts';
import {
  type CohortDates,
  type CohortDays,
  isEndOfDay,
  movedDates,
  wrongDates,
} from './cohort-dates.ts';

/**
 * What depends on the clock changes of a zone. Verbs import it when they run, because it brings the
 * time library, which other requests do not need.
 */

/** The instants that are stored beside the dates of a cohort, by the names of their columns. */
export type CohortInstants = ReturnType<typeof instantsOf>;

const clockFields = [
  'enrollment_opens_local',
  'enrollment_closes_local',
  'early_until_local',
] as const;
type ClockField = (typeof clockFields)[number];

/** When people are reminded of the first day, by the clocks of the cohort. */
const startReminder = { daysBefore: 3, clock: '09:00' };

/** The first year of the calendar, to compare with texts. */
const firstYear = '2000';

/**
 * The instants of stored dates, as this runtime knows the zone today. A time that was accepted, and
 * is skipped since the zone has changed its rules, means the next one that exists.
 *
 * @throws RangeError if this runtime does not know the zone
 */
export function instantsOf(dates: CohortDates) {
  const { time_zone: zone, enrollment_opens_local: opens, enrollment_closes_local: closes } = dates;
  const { early_until_local: earlyUntil } = dates;
  const ofClock = (wallTime: WallTime) => instantOfClock(existing(wallTime, zone), zone);
  const reminderDay = addDays(dates.starts_on, -startReminder.daysBefore);
  return {
    startsAt: firstInstantOf(dates.starts_on, zone),
    endsAt: endOf(dates.ends_on, zone),
    startReminderAt: ofClock(wallTimeOn(reminderDay, startReminder.clock)),
    enrollmentOpensAt: opens === null ? null : ofClock(opens),
    enrollmentClosesAt: closes === null ? null : ofClock(closes),
    earlyUntilAt: earlyUntil === null ? null : ofClock(earlyUntil),
  };
}

/**
 * The instants of dates that were typed.
 *
 * @throws AppError `validation_failed` for an unknown zone, and for a day or a time that its clocks
 *   skip
 */
export function instantsOfTyped(dates: CohortDates, locale: Locale): CohortInstants {
  requireZone(dates.time_zone);
  requireDays(dates);
  const skipped = clockFields.flatMap((field) => {
    const wallTime = dates[field];
    return wallTime === null || existing(wallTime, dates.time_zone) === wallTime
      ? []
      : [[field, [skippedTime(wallTime, dates.time_zone, locale)]]];
  });
  refuseFields(Object.fromEntries(skipped));
  return instantsOf(dates);
}

/**
 * Dates moved to other days or to another zone. Clock times stay, but one that is skipped there
 * moves forward, and enrollment closes with the last day at the latest.
 *
 * @returns the dates, and the times that did not simply keep their clock time
 * @throws AppError `validation_failed` for an unknown zone, for a day that its clocks skip, and if
 *   enrollment would close before it opens or a date would leave the calendar
 */
export function planMove(
  before: CohortDates,
  days: CohortDays,
): { after: CohortDates; adjusted: ClockField[] } {
  requireZone(days.time_zone);
  const after = movedDates(before, days);
  for (const field of clockFields) {
    const wallTime = after[field];
    after[field] = wallTime === null ? null : existing(wallTime, days.time_zone);
  }
  const isInCalendar =
    isDay(after.ends_on) && clockFields.every((field) => (after[field] ?? firstYear) >= firstYear);
  refuseFields(isInCalendar ? wrongDates(after) : { starts_on: ['date_invalid'] });
  requireDays(after);
  const shift = daysBetween(before.starts_on, after.starts_on);
  const adjusted = clockFields.filter((field) => {
    const wallTime = before[field];
    return wallTime !== null && shiftWallTime(wallTime, shift) !== after[field];
  });
  return { after, adjusted };
}

/** Whether two cohorts have the same days, in zones that mean the same. */
export function areSameDays(one: CohortDays, other: CohortDays): boolean {
  return (
    one.starts_on === other.starts_on &&
    one.ends_on === other.ends_on &&
    (one.time_zone === other.time_zone || isSameZone(one.time_zone, other.time_zone))
  );
}

/** A time, or the next one if clocks skip it. The beginning of a day is never skipped. */
function existing(wallTime: WallTime, zone: string): WallTime {
  return isEndOfDay(wallTime) ? wallTime : nextExisting(wallTime, zone);
}

/** The beginning of a day, which the one before ends at, is not midnight everywhere. */
function instantOfClock(wallTime: WallTime, zone: string): Date {
  return instantOf(wallTime, zone) ?? firstInstantOf(dayOfWallTime(wallTime), zone);
}

function requireZone(zone: string): void {
  refuseFields(isZone(zone) ? {} : { time_zone: ['time_zone_unknown'] });
}

/** A zone can skip a whole day: in Apia, 29 December 2011 was followed by the 31st. */
function requireDays({ starts_on, ends_on, time_zone: zone }: CohortDays): void {
  const days = Object.entries({ starts_on, ends_on });
  const skipped = days.filter(([, day]) => dayAt(firstInstantOf(day, zone), zone) !== day);
  refuseFields(Object.fromEntries(skipped.map(([field]) => [field, ['date_invalid']])));
}

/** That clocks skip a time, in words. */
export function skippedTime(wallTime: WallTime, timeZone: string, locale: Locale): FieldError {
  const values = {
    zone: cityOf(timeZone, locale),
    time: clockTime(wallTime, locale),
    date: longDay(dayOfWallTime(wallTime), locale),
  };
  return { code: 'time_skipped', values };
}
