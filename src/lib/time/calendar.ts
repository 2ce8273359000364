/**
 * A day of the calendar, `YYYY-MM-DD`, from 2000 to 2100; without a zone, so without an instant.
 * See docs/decisions/0045.
 */
export type Day = string;

/** What a clock on the wall shows, `YYYY-MM-DDTHH:MM`, from 2000 to 2100; without a zone. */
export type WallTime = string;

export const minuteMs = 60 * 1000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const dayPattern = /^(20\d\d|2100)-(\d\d)-(\d\d)$/;
const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether a text is a day that exists: not 30 February, nor 29 February in most years. */
export function isDay(text: string): text is Day {
  return dayPattern.test(text) && dayOf(timestampOf(text)) === text;
}

/** Whether a text is a time of a day that exists. A zone may still skip it. */
export function isWallTime(text: string): text is WallTime {
  const [day = '', clock = '', ...rest] = text.split('T');
  return rest.length === 0 && isDay(day) && clockPattern.test(clock);
}

export function wallTimeOn(day: Day, clock: string): WallTime {
  return `${day}T${clock}`;
}

export function dayOfWallTime(wallTime: WallTime): Day {
  return wallTime.slice(0, 10);
}

/** The day this many days later, or earlier if negative. */
export function addDays(day: Day, days: number): Day {
  return dayOf(timestampOf(day) + days * dayMs);
}

/** How many days later the second day is; negative if it is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((timestampOf(to) - timestampOf(from)) / dayMs);
}

/** The same clock time this many days later: days are added, never hours. */
export function shiftWallTime(wallTime: WallTime, days: number): WallTime {
  return `${addDays(dayOfWallTime(wallTime), days)}${wallTime.slice(10)}`;
}

/** The day at midnight UTC, in milliseconds since 1970, where every day has 24 hours. */
export function timestampOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(timestamp: number): Day {
  return Number.isNaN(timestamp) ? '' : new Date(timestamp).toISOString().slice(0, 10);
}

/** When clocks change for the last time between two moments, by how far ahead of UTC they are. */
export function lastClockChange(from: number, to: number, aheadAt: (time: number) => number) {
  let [early, late] = [from, to];
  while (late - early > minuteMs) {
    const middle = (early + late) / 2;
    [early, late] = aheadAt(middle) === aheadAt(to) ? [early, middle] : [middle, late];
  }
  return late;
}

/** Days off with one reason. */
export type DayOffSpan = { from: Day; to: Day; reason: string };

/** Days off, in order, as spans of those that have one reason and no session in between. */
export function spansOf(
  daysOff: readonly { on_date: Day; reason: string }[],
  sessions: readonly Day[],
): DayOffSpan[] {
  const spans: DayOffSpan[] = [];
  for (const { on_date: day, reason } of daysOff) {
    const last = spans.at(-1);
    if (last?.reason === reason && !sessions.some((one) => one > last.to && one < day)) {
      last.to = day;
    } else {
      spans.push({ from: day, to: day, reason });
    }
  }
  return spans;
}
