import { characterCount, isPrintable } from '#lib/text.ts';
import { addDays, type Day, daysBetween, isDay, timestampOf } from '#lib/time/calendar.ts';
import { maxMeetings } from './meeting-state.ts';
import type { SyllabusRow } from './read-syllabus.ts';

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
  /** Whether what would be on this day off is on the days after it. */
  isMadeUp: boolean;
  /** Whether it was added by hand, with a date of its own. */
  isAdded: boolean;
  /** When it begins and how long it is; null as all the others. */
  time: { clock: string; minutes: number } | null;
};

export const blank = {
  ...{ id: null, title: '', line: '', isOff: false, reason: '', isMadeUp: false },
  time: null,
};

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

/** 0 is Sunday. */
export function weekdayNumber(day: Day): number {
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

const most = { title: 120, line: 200, reason: 120 };
const tooLong = {
  title: 'titleTooLong',
  line: 'lineTooLong',
  reason: 'reasonTooLong',
} as const;

/** The texts of a row that are refused, and why. */
export function wrongTexts(row: SheetRow) {
  const names = row.isOff ? (['reason'] as const) : (['title', 'line'] as const);
  return names.flatMap((name) => {
    const text = row[name].trim();
    const isLong = characterCount(text) > most[name];
    return isLong || (text !== '' && !isPrintable(text))
      ? [[name, isLong ? tooLong[name] : ('characters' as const)] as const]
      : [];
  });
}

/** The rows with what a syllabus says of their days, and rows for its other days. */
export function fillRows(before: readonly SheetRow[], rows: SyllabusRow[]): SheetRow[] {
  const left = [...before];
  const [hasTitles, hasLines] = (['title', 'line'] as const).map((name) =>
    rows.some((row) => !row.isOff && row[name] !== ''),
  );
  const used = rows.flatMap(({ days, isOff, title, line }) =>
    days.map((day) => {
      const index = left.findIndex((row) => row.day === day);
      const [row = addedRow(day)] = index < 0 ? [] : left.splice(index, 1);
      return isOff
        ? { ...row, isOff, reason: line, isMadeUp: true }
        : { ...row, isOff, ...(hasTitles && { title }), ...(hasLines && { line }) };
    }),
  );
  return sorted([...used, ...left]);
}

/** The days off of which nothing has taken the place. */
export function fallenAway(rows: readonly SheetRow[]): SheetRow[] {
  return rows.filter(({ isOff, isMadeUp }) => isOff && !isMadeUp);
}

/** Moves the sessions of days off to the days after them, and adds as many days at the end. */
export function endLater(rows: readonly SheetRow[]): SheetRow[] {
  const planned = rows.filter(({ isAdded }) => !isAdded);
  const fallen = fallenAway(planned);
  const from = addDays(planned.at(-1)?.day ?? '', 1);
  const weekdays = planned.map(({ day }) => weekdayNumber(day));
  const more = meetingDays(from, addDays(from, maxMeetings * 7), weekdays)
    .slice(0, fallen.length)
    .map((day) => ({ ...blank, key: day, day, isAdded: false }));
  const contents = planned.filter((row) => !row.isOff || fallen.includes(row));
  const next = [...planned, ...more].map((row) => {
    const { id, title, line } = (!row.isOff && contents.shift()) || blank;
    return { ...row, ...((!row.isOff || fallen.includes(row)) && { id, title, line }) };
  });
  return sorted([...next, ...rows.filter(({ isAdded }) => isAdded)]).map((row) =>
    row.isOff ? { ...row, isMadeUp: true } : row,
  );
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
