import { addDays, type Day, daysBetween, isDay, timestampOf } from '#lib/time/calendar.ts';
import { maxMeetings } from './meeting-state.ts';

/** A row of the sheet: a session, or a day off. */
export type SheetRow = {
  key: string;
  /** The session that it changes; null for a new one. */
  id: string | null;
  day: Day;
  title: string;
  line: string;
  isOff: boolean;
  reason: string;
  /** Whether it was added by hand, with a date of its own. */
  isAdded: boolean;
  /** When it begins and how long it is; null as all the others. */
  time: { clock: string; minutes: number } | null;
};

const blank = { id: null, title: '', line: '', isOff: false, reason: '', time: null };

export function addedRow(day: Day, time: SheetRow['time'] = null): SheetRow {
  return { ...blank, key: crypto.randomUUID(), day, isAdded: true, time };
}

/**
 * The days on which a cohort meets, by its weekdays (0 is Sunday); at most as many as it can have
 * sessions.
 */
export function meetingDays(from: Day, to: Day, weekdays: readonly number[]): Day[] {
  if (!isDay(from) || !isDay(to) || weekdays.length === 0) {
    return [];
  }
  const days: Day[] = [];
  const count = daysBetween(from, to) + 1;
  for (let index = 0; index < count && days.length < maxMeetings; index += 1) {
    const day = addDays(from, index);
    if (weekdays.includes(weekdayNumber(day))) {
      days.push(day);
    }
  }
  return days;
}

function weekdayNumber(day: Day): number {
  return new Date(timestampOf(day)).getUTCDay();
}

/** The rows of a sheet, and those for which there is no day at present. */
export type ArrangedRows = { rows: SheetRow[]; spare: SheetRow[] };

/**
 * The rows on other days. Titles stay in their order, days off on their dates, and rows that were
 * added by hand where they are. Rows without a day are kept in case it returns: days change with
 * every key that is pressed.
 */
export function arrange(before: ArrangedRows, days: readonly Day[]): ArrangedRows {
  const { rows, spare } = before;
  const planned = rows.filter(({ isAdded }) => !isAdded);
  if (planned.map(({ day }) => day).join() === days.join()) {
    return before;
  }
  const all = [...planned, ...spare];
  const off = new Map(all.filter(({ isOff }) => isOff).map((row) => [row.day, row]));
  const contents = all.filter(({ isOff }) => !isOff);
  const next = days.map((day) => {
    const row = off.get(day) ?? { ...blank, ...contents.shift() };
    off.delete(day);
    return { ...row, key: day, day, isAdded: false };
  });
  return {
    rows: sorted([...next, ...rows.filter(({ isAdded }) => isAdded)]),
    spare: [...off.values(), ...contents],
  };
}

export function sorted(rows: SheetRow[]): SheetRow[] {
  return rows.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
}

/** A week after the last row; the first day of the cohort without one. */
export function dayAfter(rows: readonly SheetRow[], firstDay: Day): Day {
  const last = rows.findLast(({ day }) => isDay(day));
  return last ? addDays(last.day, 7) : firstDay;
}

/** Fills lines into the titles, or the public lines, of a row and of those below it with class. */
export function fillDown(
  rows: readonly SheetRow[],
  key: string,
  column: 'title' | 'line',
  pasted: string,
): { rows: SheetRow[]; filled: number; left: number } {
  const lines = linesOf(pasted);
  const start = rows.findIndex((row) => row.key === key);
  const total = lines.length;
  const next = rows.map((row, index) => {
    const text = index >= start && !row.isOff ? lines.shift() : undefined;
    return text === undefined ? row : { ...row, [column]: text };
  });
  return { rows: next, filled: total - lines.length, left: lines.length };
}

function linesOf(pasted: string): string[] {
  return pasted
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What the field of the sheet contains; what cannot be read is no row. */
export function rowsIn(text: string | undefined): SheetRow[] {
  try {
    // Written by the sheet.
    return JSON.parse(text || '[]') as SheetRow[];
  } catch {
    return [];
  }
}

/**
 * The input of the API for rows.
 *
 * @param time for rows without their own time or one on the same weekday
 * @param untitled for a title that was left empty, with `#` in the place of its number
 */
export function scheduleOf(
  rows: readonly SheetRow[],
  time: NonNullable<SheetRow['time']>,
  untitled: string,
) {
  const timeOn = (day: Day) =>
    rows.findLast((row) => row.time !== null && weekdayNumber(row.day) === weekdayNumber(day))
      ?.time ?? time;
  return {
    meetings: rows
      .filter(({ isOff }) => !isOff)
      .map(({ id, title, line, day, time: own }, index) => {
        const { clock, minutes } = own ?? timeOn(day);
        return {
          id,
          title: title.trim() || untitled.replace('#', String(index + 1)),
          starts_local: `${day}T${clock}`,
          duration_minutes: minutes,
          public_line: line,
        };
      }),
    days_off: rows
      .filter(({ isOff }) => isOff)
      .map(({ day, reason }) => ({ on_date: day, reason })),
  };
}

/** How long a session is that begins and ends at these times, maybe on the next day. NaN: unknown. */
export function minutesBetween(from: string, to: string): number {
  const [start, end] = [from, to].map((clock) => Date.parse(`2000-01-01T${clock}Z`) / 60_000);
  return start === undefined || end === undefined ? Number.NaN : (end - start + 1_440) % 1_440;
}
