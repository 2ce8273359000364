import { expect, test } from 'vitest';
import {
  cohortStatus,
  enrollmentState,
  rosterCount,
  type StatusFacts,
} from '#features/cohorts/cohort-status.ts';
import { takenWords } from '#features/cohorts/enrollment-words.ts';
import { changedIn, toCohortInput } from '#features/cohorts/form-values.ts';
import { i18nFor } from '#i18n/server.ts';

const at = (day: string) => new Date(`2027-${day}T00:00:00Z`);

/** Published, from 10 to 20 February; enrollment is open from 1 to 5 February, for 10 people. */
const cohort: StatusFacts = {
  startsAt: at('02-10'),
  endsAt: at('02-20'),
  joinMode: 'open',
  enrollmentOpensAt: at('02-01'),
  enrollmentClosesAt: at('02-05'),
  enrollmentOverride: null,
  closedByType: false,
  capacity: 10,
  waitlist: true,
  publishedAt: at('01-01'),
  archivedAt: null,
  deletedAt: null,
};

const before = at('01-15');
const open = at('02-03');
const closed = at('02-07');
const during = at('02-15');

/** Facts, the time, the expected status and enrollment state, and how many are in and wait. */
type Row = [
  what: string,
  Partial<StatusFacts>,
  Date,
  expected: string,
  taken?: number,
  waiting?: number,
];

const rows: Row[] = [
  ['in the trash', { deletedAt: open, archivedAt: open }, open, 'trashed, not_published'],
  ['archived', { archivedAt: open }, open, 'archived, closed'],
  ['a draft', { publishedAt: null }, during, 'draft, not_published'],
  ['an archived draft', { publishedAt: null, archivedAt: open }, open, 'archived, not_published'],
  ['over at this moment', {}, at('02-20'), 'finished, closed'],
  ['running from this moment', {}, at('02-10'), 'running, closed'],
  ['running and still open', { enrollmentClosesAt: at('02-18') }, during, 'running, open', 3],
  ['before enrollment', {}, before, 'scheduled, not_yet'],
  ['enrolling from this moment', {}, at('02-01'), 'enrolling, open'],
  ['enrolling, with a queue before newcomers', {}, open, 'enrolling, waitlist', 9, 2],
  ['enrolling, with a queue that is closed', { waitlist: false }, open, 'enrolling, full', 9, 2],
  ['without a limit', { capacity: null }, open, 'enrolling, open', 5_000],
  ['full', {}, open, 'full, waitlist', 10],
  ['full without a waitlist', { waitlist: false }, open, 'full, full', 10],
  ['closed at this moment', {}, at('02-05'), 'upcoming, closed'],
  ['open from publishing', { enrollmentOpensAt: null }, before, 'enrolling, open'],
  ['open until it begins', { enrollmentClosesAt: null }, closed, 'enrolling, open'],
  ['closed when it begins', { enrollmentClosesAt: null }, during, 'running, closed'],
  ['by invitation', { joinMode: 'invitation' }, open, 'upcoming, by_invitation'],
  ['by approval', { joinMode: 'approval' }, open, 'enrolling, approval'],
  ['by approval and full', { joinMode: 'approval' }, open, 'full, approval', 10, 3],
  ['by invitation and over', { joinMode: 'invitation' }, at('02-25'), 'finished, closed'],
  ['opened early', { enrollmentOverride: 'open' }, before, 'enrolling, open'],
  ['opened again', { enrollmentOverride: 'open' }, closed, 'full, waitlist', 10],
  ['opened while it runs', { enrollmentOverride: 'open' }, during, 'running, open'],
  ['opened, but over', { enrollmentOverride: 'open' }, at('02-25'), 'finished, closed'],
  ['closed early', { enrollmentOverride: 'closed' }, open, 'upcoming, closed'],
];

test.each(rows)('a cohort that is %s', (_what, values, now, expected, taken = 0, waiting = 0) => {
  const facts = { ...cohort, ...values };
  const counts = { enrolled: taken, offered: 0, waitlisted: waiting, applied: 0, invited: 0 };

  const found = `${cohortStatus(facts, counts, now)}, ${enrollmentState(facts, counts, now)}`;
  expect(found).toBe(expected);
});

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

test.each([
  ['', null],
  [' 12 ', 12],
  ['1,000', 1000],
  ['1\u202f000', 1000],
  ['1,5', Number.NaN],
  ['1e2', Number.NaN],
  ['-1', Number.NaN],
])('places typed as “%s” are %s', (capacity, places) => {
  expect(toCohortInput({ capacity }, 'en')).toEqual({ capacity: places });
});

test.each([
  ['opens', '2027-01-10', '', '2027-01-10T00:00'],
  ['opens', '2027-01-10', '09:30', '2027-01-10T09:30'],
  ['closes', '2027-01-10', '', '2027-01-10'],
  // Not lost: the schema asks for the day.
  ['opens', '', '09:30', 'T09:30'],
])('enrollment that %s on “%s” at “%s” is “%s”', (does, day, time, sent) => {
  const name = `enrollment_${does}_local`;

  expect(toCohortInput({ [name]: day, [`${does}_time`]: time }, 'en')).toEqual({ [name]: sent });
});

test.each([
  [[], {}],
  [['capacity'], { capacity: 12 }],
  [['opens_time'], { enrollment_opens_local: '2027-01-10T09:30' }],
  [['currency'], { price_minor: 1250, currency: 'EUR' }],
])('only what differs is sent, with what it belongs to: %j', (changed: string[], sent) => {
  const values = {
    enrollment_opens_local: '2027-01-10',
    opens_time: '09:30',
    enrollment_closes_local: '2027-02-27',
    closes_time: '',
    capacity: '12',
    price_minor: '12.50',
    currency: 'eur',
  };

  expect(
    toCohortInput(
      changedIn(values, (name) => changed.includes(name)),
      'en',
    ),
  ).toEqual(sent);
});

test('without a price, the chosen currency means nothing', () => {
  expect(toCohortInput({ price_minor: ' ', currency: 'EUR' }, 'en')).toEqual({
    price_minor: null,
    currency: null,
  });
});
