import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import type { Payload } from '#email/payload.ts';
import type { DatesPreview, ShiftedMeeting } from '#features/cohorts/schema.ts';
import { refuseFields } from '#lib/app-error.ts';
import {
  addDays,
  type Day,
  dayOfWallTime,
  daysBetween,
  isWallTime,
  shiftWallTime,
} from '#lib/time/calendar.ts';
import { announcedFacts, announceIfNobody } from './announcements.ts';
import { insertSchedule } from './insert-schedule.ts';
import { type MeetingStart, timeOn } from './meeting-times.ts';
import type { MovableMeetings } from './movable-meetings.ts';
import { weekdayNumber } from './session-rows.ts';

/** A session and when it is after a move. */
type Shift = MeetingStart & { row: MovableMeetings['rows'][number] };

/**
 * The sessions so many days later, in a zone that may be another. Clock times stay, but one that is
 * skipped there moves forward.
 *
 * @throws AppError `validation_failed` if one would leave the calendar
 */
export function planShifts({ rows }: MovableMeetings, days: number, zone: string): Shift[] {
  const times = rows.map((row) => ({ row, wallTime: shiftWallTime(row.startsLocal, days) }));
  refuseFields(
    times.every(({ wallTime }) => isWallTime(wallTime)) ? {} : { starts_on: ['date_invalid'] },
  );
  return times.map(({ row, wallTime }) => ({ row, ...timeOn(wallTime, zone) }));
}

/**
 * The sessions as they would follow each other without the days off. Those on weekdays that recur
 * take the first of these days, each at the time of its place on this weekday; others go along by
 * whole weeks.
 */
export function closeGaps({ rows, daysOff }: MovableMeetings) {
  const byDay = Map.groupBy(rows, ({ startsLocal }) => dayOfWallTime(startsLocal));
  const all = [...byDay.keys()];
  const byWeekday = Map.groupBy(byDay, ([day]) => weekdayNumber(day));
  const isRegular = (day: Day) => (byWeekday.get(weekdayNumber(day))?.length ?? 0) > 1;
  const off = daysOff.map(({ on_date }) => on_date);
  const free = [...new Set([...all, ...off])].filter(isRegular).sort();
  const moved = new Map(all.filter(isRegular).map((day, index) => [day, free[index] ?? day]));
  let weeks = 0;
  return [...byDay].flatMap(([day, sessions]) => {
    const next = moved.get(day) ?? addDays(day, weeks * 7);
    weeks = Math.ceil(daysBetween(day, next) / 7);
    const isSame = weekdayNumber(day) === weekdayNumber(next);
    const others = byWeekday.get(weekdayNumber(next)) ?? [];
    const like = others.findLast(([, { length }]) => length >= sessions.length)?.[1];
    const timed = (isSame ? null : like) ?? sessions;
    return sessions.map((row, index) => {
      const { startsLocal } = timed[index] ?? row;
      return { ...row, startsLocal: `${next}${startsLocal.slice(10)}` };
    });
  });
}

/** A move for a preview: the wall times before and after. */
export function toShifted({ row, startsLocal, isAdjusted }: Shift): ShiftedMeeting {
  return {
    id: row.id,
    title: row.title,
    before: row.startsLocal,
    after: startsLocal,
    is_adjusted: isAdjusted,
  };
}

/** The first session to come after a move, for the email about it. */
export function nextOf(shifts: Shift[], now: Date): Payload['next_meeting'] {
  const [next] = shifts
    .filter(({ startsAt }) => startsAt > now)
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
  return next && { title: next.row.title, starts_local: next.startsLocal };
}

/** A change of a cohort, and whether the batch has made it of the cohort `c`. */
export type CohortMove = { cohortId: string; now: Date; hasMoved: SQL };

type Move = CohortMove & {
  /** By how many days. */
  days: number;
  /** The zone before it. */
  fromZone: string;
  /** Whether people get the new dates: then they know the sessions as well as before. */
  notify: boolean;
};

/** Moves the sessions of a cohort, in the batch that moves it and after that. */
export function shiftMeetings(
  shifts: Shift[],
  { cohortId, now, hasMoved, fromZone, notify, days }: Move,
) {
  const sessions = JSON.stringify(
    shifts.map(({ row, startsLocal, startsAt }) => [row.id, startsLocal, startsAt.getTime()]),
  );
  const startsLocal = sql`w.value ->> 1`;
  const before = announcedFacts({ cohort: 'c' }, { timeZone: sql`${fromZone}` });
  const announced = notify
    ? sql`CASE WHEN announced = ${before}
        THEN ${announcedFacts({ cohort: 'c' }, { startsLocal })} ELSE announced END`
    : sql`announced`;
  return query(
    {
      moved: db.run(sql`UPDATE meetings SET announced = ${announced}, starts_local = ${startsLocal},
          starts_at = w.value ->> 2, reminded_day_for = NULL, reminded_hour_for = NULL,
          sequence = sequence + 1, updated_at = ${now.getTime()}
        FROM json_each(${sessions}) w JOIN cohorts c ON c.id = ${cohortId}
        WHERE meetings.id = w.value ->> 0 AND meetings.cohort_id = c.id AND ${hasMoved}`),
      announced: announceIfNobody(cohortId, now),
      // In two steps, because one day may move to where another one is.
      daysOff: db.run(sql`UPDATE days_off SET on_date = '~' || date(on_date, ${`${days} days`})
        FROM cohorts c WHERE days_off.cohort_id = ${cohortId} AND c.id = days_off.cohort_id
          AND ${hasMoved}`),
      daysOffMoved: db.run(sql`UPDATE days_off SET on_date = substr(on_date, 2)
        WHERE cohort_id = ${cohortId} AND on_date LIKE '~%'`),
    },
    () => null,
  );
}

/** Copies sessions and days off into a new cohort of the same owner, in the batch that inserts it. */
export function copyMeetings(
  { shifts, preview }: { shifts: Shift[]; preview: DatesPreview },
  { cohortId, now, withJoinUrl }: { cohortId: string; now: Date; withJoinUrl: boolean },
) {
  const meetings = shifts.map(({ row, startsLocal, startsAt }) => ({
    ...row,
    startsLocal,
    startsAt,
    joinUrl: withJoinUrl ? row.joinUrl : null,
  }));
  const daysOff = preview.days_off.map((one) => ({ ...one, on_date: one.after, until: null }));
  return insertSchedule({ meetings, daysOff }, cohortId, now);
}
