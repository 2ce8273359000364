import { expect, test } from 'vitest';
import { type Plan, readSyllabus } from '#features/meetings/read-syllabus.ts';
import {
  arrange,
  endLater,
  fallenAway,
  fillRows,
  meetingDays,
  type SheetRow,
  scheduleOf,
} from '#features/meetings/session-rows.ts';
import { spansOf } from '#lib/time/calendar.ts';

/** Tuesdays and Thursdays. */
const [from, to] = ['2027-01-12', '2027-01-28'];
const planned = meetingDays(from, to, [2, 4]);
const { rows } = arrange({ rows: [], spare: [] }, planned);
const typed = rows.map((row, index) => ({ ...row, title: `Topic ${index + 1}` }));

const plan: Plan = { rows, from, to, today: '2026-11-30', locale: 'en' };

/** The rows after a text was used, each as day, title and line, or as a day off with its reason. */
function fill(text: string, before: SheetRow[] = rows) {
  return told(fillRows(before, readSyllabus(text, { ...plan, rows: before }).rows));
}

function told(all: SheetRow[]): string[] {
  return all.map((row) => {
    const texts = row.isOff ? ['off', row.reason] : [row.title, row.line];
    return [row.day.slice(5), ...texts, ...(row.id === null ? [] : [row.id])].join('|');
  });
}

const off = (row: SheetRow, reason = '') => ({ ...row, isOff: true, reason });

test('a list replaces titles alone, and leaves what it says nothing of', () => {
  const before = typed.map((row) => ({ ...row, line: 'Read', id: row.day }));
  expect(fill('Desire\nTrouble', before)).toEqual([
    '01-12|Desire|Read|2027-01-12',
    '01-14|Trouble|Read|2027-01-14',
    ...told(before.slice(2)),
  ]);
});

test('days that a syllabus leaves out stay as they are; dates that the sheet does not have are added', () => {
  expect(fill('12 Jan: Desire\nSat 23 Jan: Visit\n26 Jan: Form')).toEqual([
    '01-12|Desire|',
    '01-14||',
    '01-19||',
    '01-21||',
    '01-23|Visit|',
    '01-26|Form|',
    '01-28||',
  ]);
});

test('a holiday in a syllabus is a day off each time there would be class, and nothing falls away', () => {
  const filled = fillRows(rows, readSyllabus('Desire\nWeek 2: holidays\nForm', plan).rows);
  expect(told(filled).slice(0, 5)).toEqual([
    '01-12|Desire|',
    '01-14||',
    '01-19|off|holidays',
    '01-21|off|holidays',
    '01-26|Form|',
  ]);
  expect(fallenAway(filled)).toEqual([]);
});

test('what falls away on days off goes on after them, and as many days are added at the end', () => {
  const before = typed.map((row, index) => ({
    ...(index === 1 || index === 2 ? off(row, 'Snow') : row),
    id: row.day,
  }));
  expect(fallenAway(before)).toHaveLength(2);
  const later = endLater(before);
  expect(told(later)).toEqual([
    '01-12|Topic 1||2027-01-12',
    '01-14|off|Snow',
    '01-19|off|Snow',
    '01-21|Topic 2||2027-01-14',
    '01-26|Topic 3||2027-01-19',
    '01-28|Topic 4||2027-01-21',
    '02-02|Topic 5||2027-01-26',
    '02-04|Topic 6||2027-01-28',
  ]);
  expect(fallenAway(later)).toEqual([]);
  // The form for a new cohort leaves it so when its last day follows.
  const longer = meetingDays(from, '2027-02-04', [2, 4]);
  expect(arrange({ rows: later, spare: [] }, longer).rows).toBe(later);
  const time = { clock: '18:00', minutes: 90 };
  expect(scheduleOf(later, time, '#').days_off).toEqual([
    { on_date: '2027-01-14', reason: 'Snow' },
    { on_date: '2027-01-19', reason: 'Snow' },
  ]);
});

test('days off are one span while they have one reason and no session is between them', () => {
  const daysOff = [
    ['01-12', ''],
    ['01-14', 'Snow'],
    ['01-19', 'Snow'],
    ['01-26', 'Snow'],
    ['01-28', 'Fire'],
  ].map(([day, reason = '']) => ({ on_date: `2027-${day}`, reason }));
  expect(spansOf(daysOff, ['2027-01-21'])).toEqual([
    { from: '2027-01-12', to: '2027-01-12', reason: '' },
    { from: '2027-01-14', to: '2027-01-19', reason: 'Snow' },
    { from: '2027-01-26', to: '2027-01-26', reason: 'Snow' },
    { from: '2027-01-28', to: '2027-01-28', reason: 'Fire' },
  ]);
});
