import { expect, test } from 'vitest';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [59, null, null],
  [60, '1\u00a0minute ago', 'il y a 1\u00a0minute'],
  [59 * 60 + 59, '59\u00a0minutes ago', 'il y a 59\u00a0minutes'],
  [24 * 60 * 60, 'yesterday', 'hier'],
  [45 * 24 * 60 * 60, 'last month', 'le mois dernier'],
  [3 * 365 * 24 * 60 * 60, '3\u00a0years ago', 'il y a 3\u00a0ans'],
])('%i seconds ago is %s', (seconds, english, french) => {
  expect(timeAgo(ago(seconds), now, 'en')).toBe(english);
  expect(timeAgo(ago(seconds), now, 'fr')).toBe(french);
});

test('a clock that runs ahead shows no time in the future', () => {
  expect(timeAgo(ago(-90), now, 'en')).toBeNull();
});

test.each([
  [-90, 'in 1\u00a0minute', 'dans 1\u00a0minute'],
  [9 * 60 + 50, 'in 10\u00a0minutes', 'dans 10\u00a0minutes'],
  [24 * 60 * 60 - 5, 'in 24\u00a0hours', 'dans 24\u00a0heures'],
  [7 * 24 * 60 * 60, 'in 7\u00a0days', 'dans 7\u00a0jours'],
])('in %i seconds is %s', (seconds, english, french) => {
  expect(timeUntil(ago(-seconds), now, 'en')).toBe(english);
  expect(timeUntil(ago(-seconds), now, 'fr')).toBe(french);
});
