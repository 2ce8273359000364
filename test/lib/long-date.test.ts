import { expect, test } from 'vitest';
import { longDate } from '#lib/long-date.ts';

test('a long date is a day in UTC, in the language of the reader', () => {
  const at = new Date('2026-03-08T23:59:59Z');

  expect(longDate(at, 'en')).toBe('March 8, 2026');
  expect(longDate(at, 'fr')).toBe('8 mars 2026');
});
