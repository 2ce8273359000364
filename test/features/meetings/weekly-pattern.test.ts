import { expect, test } from 'vitest';
import { weekdaysInWords, weeklyPattern } from '#features/meetings/weekly-pattern.ts';
import { addDays } from '#lib/time/calendar.ts';

type Session = Parameters<typeof weeklyPattern>[0][number];

function at(day: string, clock = '18:30', values: Partial<Session> = {}): Session {
  return { startsLocal: `${day}T${clock}`, durationMinutes: 150, isCancelled: 0, ...values };
}

/** 2027-01-11 is a Monday. */
function weekly(first: string, count: number, clock?: string): Session[] {
  return Array.from({ length: count }, (_, week) => at(addDays(first, week * 7), clock));
}

test('ten Mondays at one time are a pattern, whose canceled sessions do not count', () => {
  const mondays = weekly('2027-01-11', 10);
  const pattern = weeklyPattern([...mondays, at('2027-04-01', '10:00', { isCancelled: 1 })]);

  expect(pattern).toEqual({ days: ['2027-01-11'], meetings: mondays, isEveryWeekday: true });
});

test('weekdays come in the order of the week, and are said in both languages', () => {
  const sessions = [...weekly('2027-01-14', 3), ...weekly('2027-01-11', 3)];
  const days = weeklyPattern(sessions)?.days ?? [];

  expect(days).toEqual(['2027-01-11', '2027-01-14']);
  expect(weekdaysInWords(days, 'en')).toBe('Mondays and Thursdays');
  expect(weekdaysInWords(days, 'fr')).toBe('lundis et jeudis');
});

test('a session at another time, or on another day, is an exception to the pattern', () => {
  const mondays = weekly('2027-01-11', 5);
  const later = at('2027-02-15', '19:00');
  const saturday = at('2027-02-20');

  expect(weeklyPattern([...mondays, later])).toEqual({
    days: ['2027-01-11'],
    meetings: mondays,
    isEveryWeekday: true,
  });
  expect(weeklyPattern([...mondays, saturday])).toEqual({
    days: ['2027-01-11'],
    meetings: [...mondays, saturday],
    isEveryWeekday: false,
  });
});

test('days in a row have a time, but no weekday', () => {
  const week = [0, 1, 2, 3, 4].map((days) => at(addDays('2027-01-11', days)));

  expect(weeklyPattern(week)).toMatchObject({ days: [], meetings: week, isEveryWeekday: false });
});

test.each([
  ['no session', []],
  ['one session', [at('2027-01-11')]],
  ['every session at another time', [at('2027-01-11', '09:00'), at('2027-01-18', '10:00')]],
  [
    'half of them',
    [...weekly('2027-01-11', 2), at('2027-02-01', '09:00'), at('2027-02-08', '10:00')],
  ],
  ['other lengths', [at('2027-01-11'), at('2027-01-18', '18:30', { durationMinutes: 60 })]],
])('%s is no pattern', (_, sessions) => {
  expect(weeklyPattern(sessions)).toBeNull();
});
