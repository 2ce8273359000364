import { expect, test } from 'vitest';
import { rosterCount } from '#features/cohorts/cohort-status.ts';
import { takenWords } from '#features/cohorts/enrollment-words.ts';
import { i18nFor } from '#i18n/server.ts';

const nobody = { enrolled: 0, offered: 0, waitlisted: 0, applied: 0, invited: 0 };
const english = i18nFor('en');

test.each([
  [0, 0, 20, '0 of 20 places are taken.'],
  [12, 0, 20, '12 of 20 places are taken.'],
  [15, 0, 15, 'All 15 places are taken.'],
  [1, 0, 1, 'The only place is taken.'],
  // As the tab of the roster counts: a place that is only kept for someone is not theirs yet.
  [14, 1, 15, '14 of 15 places are taken, 1 offered.'],
  [3, 2, 15, '3 of 15 places are taken, 2 offered.'],
])('with %i enrolled, %i offered and %i places: “%s”', (enrolled, offered, capacity, words) => {
  expect(english._(takenWords({ ...nobody, enrolled, offered }, capacity))).toBe(words);
});

test('the roster counts whom its list shows: who is in, has an offer or is invited', () => {
  const counts = { enrolled: 10, offered: 1, invited: 1, waitlisted: 4, applied: 2 };

  expect(rosterCount(counts)).toBe(12);
});
