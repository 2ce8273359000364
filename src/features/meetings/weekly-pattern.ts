import { type Day, dayOfWallTime, timestampOf, type WallTime } from '#lib/time/calendar.ts';
import { weekdayOf } from '#lib/time/words.ts';

/** What a pattern is made of: when a session begins, by the clock of its cohort, and how long. */
type Timed = { startsLocal: WallTime; durationMinutes: number; isCancelled: 0 | 1 };

/** When most sessions of a cohort are. */
export type WeeklyPattern<Meeting extends Timed> = {
  /** One day for each regular weekday, Monday first; empty if no weekday recurs. */
  days: Day[];
  /** Those at the regular time, of which some may be on other weekdays. */
  meetings: [Meeting, ...Meeting[]];
  /** Whether every session is on a regular weekday, whatever its time. */
  isEveryWeekday: boolean;
};

/**
 * The time that more than half of the sessions have that are not canceled, with the weekdays on
 * which they are; null if there is no such time, or only one session.
 */
export function weeklyPattern<Meeting extends Timed>(
  all: Meeting[],
): WeeklyPattern<Meeting> | null {
  const planned = all.filter(({ isCancelled }) => isCancelled === 0);
  const [first, ...others] = largest(Map.groupBy(planned, timeOf));
  if (first === undefined || others.length === 0 || (others.length + 1) * 2 <= planned.length) {
    return null;
  }
  const byWeekday = Map.groupBy([first, ...others], weekdayNo);
  const most = largest(byWeekday).length;
  // Once is no rule, and neither are two Saturdays beside ten Mondays.
  const regular = [...byWeekday].filter(([, of]) => most > 1 && of.length * 2 >= most);
  const weekdays = new Set(regular.map(([weekday]) => weekday));
  return {
    days: regular
      .toSorted(([one], [other]) => one - other)
      .flatMap(([, of]) => of.slice(0, 1).map(dayOf)),
    meetings: [first, ...others],
    isEveryWeekday: planned.every((meeting) => weekdays.has(weekdayNo(meeting))),
  };
}

/** `Mondays`, `Mondays and Thursdays`; in French without an article. */
export function weekdaysInWords(days: Day[], locale: string): string {
  // Both languages make the plural of all seven like this.
  const plurals = days.map((day) => `${weekdayOf(day, locale)}s`);
  return new Intl.ListFormat(locale).format(plurals);
}

/** The largest group, the first of equals. */
function largest<Item>(groups: Map<unknown, Item[]>): Item[] {
  return [...groups.values()].reduce(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
}

function timeOf({ startsLocal, durationMinutes }: Timed): string {
  return `${startsLocal.slice(11)} ${durationMinutes}`;
}

function dayOf({ startsLocal }: Timed): Day {
  return dayOfWallTime(startsLocal);
}

/** 0 is Monday. */
function weekdayNo(meeting: Timed): number {
  return (new Date(timestampOf(dayOf(meeting))).getUTCDay() + 6) % 7;
}
