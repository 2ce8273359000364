import 'server-only';
import type { CohortDays } from '#features/cohorts/cohort-dates.ts';
import {
  addDays,
  type DayOffSpan,
  dayOfWallTime,
  daysBetween,
  lastClockChange,
  minuteMs,
  spansOf,
} from '#lib/time/calendar.ts';
import type { Meeting, ScheduleTable } from './schema.ts';

/** The clocks of the zone before a session differ from those at the one before it. */
export type ClockChange = {
  /** The day on which they change. */
  day: string;
  /** By how many minutes they are ahead from then on; negative if they are behind. */
  minutes: number;
};

export type Week = {
  /** Counted from the first day of the cohort: 1 is its first; null outside its days. */
  number: number | null;
  from: string;
  to: string;
  /** Before the first session of the week. */
  change: ClockChange | null;
  meetings: Meeting[];
  /** Days without class that begin in this week. */
  daysOff: DayOffSpan[];
};

/**
 * The sessions and days off of a cohort by its weeks, in its zone, with the clock changes between
 * the sessions. Without the sessions that were canceled on what is now a day off, once that is
 * announced.
 */
export async function weeksOf(
  cohort: CohortDays,
  meetings: Meeting[],
  daysOff: ScheduleTable['days_off'] = [],
): Promise<Week[]> {
  const weeks: Week[] = [];
  let last: Meeting | null = null;
  const offDays = new Set(daysOff.map(({ on_date: day }) => day));
  const shown = meetings.filter(
    ({ status, is_announced: isAnnounced, starts_local: local }) =>
      status !== 'cancelled' || !isAnnounced || !offDays.has(dayOfWallTime(local)),
  );
  const planned = meetings.filter(({ status }) => status !== 'cancelled');
  const off = spansOf(
    daysOff,
    planned.map(({ starts_local: local }) => dayOfWallTime(local)),
  );
  for (const meeting of shown) {
    addDaysOff(cohort, weeks, off, dayOfWallTime(meeting.starts_local));
    const change: ClockChange | null = last && (await changeBetween(last, meeting));
    weekAt(cohort, weeks, dayOfWallTime(meeting.starts_local), change).meetings.push(meeting);
    last = meeting;
  }
  addDaysOff(cohort, weeks, off, null);
  return weeks;
}

/** Takes the days off before a day, or all, and adds them to their weeks. */
function addDaysOff(
  cohort: CohortDays,
  weeks: Week[],
  off: DayOffSpan[],
  before: string | null,
): void {
  for (let [span] = off; span && (before === null || span.from < before); [span] = off) {
    off.shift();
    weekAt(cohort, weeks, span.from).daysOff.push(span);
  }
}

/** The last week if a day is in it and no clocks have changed, or else a new one. */
function weekAt(
  { starts_on, ends_on }: CohortDays,
  weeks: Week[],
  day: string,
  change: Week['change'] = null,
): Week {
  const from = addDays(starts_on, Math.floor(daysBetween(starts_on, day) / 7) * 7);
  const last = weeks.at(-1);
  if (last?.from === from && change === null) {
    return last;
  }
  const to = addDays(from, 6);
  const isWithin = from >= starts_on && from <= ends_on;
  const week: Week = {
    number: isWithin ? daysBetween(starts_on, from) / 7 + 1 : null,
    ...{ from, to: isWithin && to > ends_on ? ends_on : to },
    ...{ change, meetings: [], daysOff: [] },
  };
  weeks.push(week);
  return week;
}

/** Whether every week of a cohort has a session or a day off. */
export function areWeeksFull({ starts_on, ends_on }: CohortDays, weeks: Week[]): boolean {
  const weekNo = (day: string) => Math.floor(daysBetween(starts_on, day) / 7) + 1;
  return Array.from({ length: weekNo(ends_on) }, (_, index) => index + 1).every((no) =>
    weeks.some(
      ({ number, daysOff }) =>
        number === no || daysOff.some(({ from, to }) => weekNo(from) <= no && no <= weekNo(to)),
    ),
  );
}

async function changeBetween(before: Meeting, after: Meeting): Promise<ClockChange | null> {
  const [from, to] = [Date.parse(before.starts_at), Date.parse(after.starts_at)];
  const minutes = minutesAhead(after.starts_local, to) - minutesAhead(before.starts_local, from);
  if (minutes === 0) {
    return null;
  }
  const { wallTimeAt } = await import('#lib/time/instants.ts');
  const clocksAt = (time: number) => wallTimeAt(new Date(time), after.time_zone);
  const change = lastClockChange(from, to, (time) => minutesAhead(clocksAt(time), time));
  return { day: dayOfWallTime(clocksAt(change)), minutes };
}

/** How far clocks that show whole minutes are ahead of UTC. */
function minutesAhead(wallTime: string, time: number): number {
  return Math.ceil((Date.parse(`${wallTime}Z`) - time) / minuteMs);
}
