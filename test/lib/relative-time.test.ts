import { expect, test } from 'vitest';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [0, null, null],
  [59, null, null],
  [60, '1 minute ago', 'il y a 1 minute'],
  [59 * 60 + 59, '59 minutes ago', 'il y a 59 minutes'],
  [3 * 60 * 60, '3 hours ago', 'il y a 3 heures'],
  [24 * 60 * 60, 'yesterday', 'hier'],
  [45 * 24 * 60 * 60, 'last month', 'le mois dernier'],
  [3 * 365 * 24 * 60 * 60, '3 years ago', 'il y a 3 ans'],
])('%i seconds ago is %s', (seconds, english, french) => {
  expect(timeAgo(ago(seconds), now, 'en')).toBe(english);
  expect(timeAgo(ago(seconds), now, 'fr')).toBe(french);
});

test('a clock that runs ahead shows no time in the future', () => {
  expect(timeAgo(ago(-90), now, 'en')).toBeNull();
});

test.each([
  [-90, 'in 1 minute', 'dans 1 minute'],
  [9 * 60 + 50, 'in 10 minutes', 'dans 10 minutes'],
  [24 * 60 * 60 - 5, 'in 24 hours', 'dans 24 heures'],
  [7 * 24 * 60 * 60, 'in 7 days', 'dans 7 jours'],
])('in %i seconds is %s', (seconds, english, french) => {
  expect(timeUntil(ago(-seconds), now, 'en')).toBe(english);
  expect(timeUntil(ago(-seconds), now, 'fr')).toBe(french);
});
