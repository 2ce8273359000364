import { expect, test } from 'vitest';
import { leftWords } from '#features/people/left-words.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test.each([
  [14 * day, '14 days', '14 jours'],
  [14 * day - 1, '13 days', '13 jours'],
  [73 * hour, '3 days', '3 jours'],
  [72 * hour, '72 hours', '72 heures'],
  [48 * hour - 1, '47 hours', '47 heures'],
  [2 * hour, '2 hours', '2 heures'],
  [2 * hour - 1, '119 minutes', '119 minutes'],
  [minute, '1 minute', '1 minute'],
  [1, '1 minute', '1 minute'],
  [0, '1 minute', '1 minute'],
])('what is left of %d ms is never said to be more', (left, en, fr) => {
  expect([leftWords(left, 'en'), leftWords(left, 'fr')]).toEqual(
    [en, fr].map((text) => text.replace(' ', '\u00a0')),
  );
});
