import { expect, test } from 'vitest';
import { changedIn, toCohortInput } from '#features/cohorts/form-values.ts';

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
