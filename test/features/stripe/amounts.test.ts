import { expect, test } from 'vitest';
import { fromStripeAmount, toStripeAmount } from '#features/stripe/amounts.ts';

test.each([
  ['EUR', 50, 50],
  ['EUR', 99_999_999, 99_999_999],
  ['JPY', 999_999, 999_999],
  ['MGA', 5_000, 5_000],
  ['KWD', 1_230, 1_230],
  // Stripe wants two digits that these don't have.
  ['ISK', 1_500, 150_000],
  ['UGX', 1, 100],
])('%s %i is %i at Stripe, both ways', (currency, ours, theirs) => {
  expect(toStripeAmount(ours, currency)).toBe(theirs);
  expect(fromStripeAmount(theirs, currency)).toBe(ours);
});

test.each([
  ['EUR', 49],
  ['EUR', 100_000_000],
  ['JPY', 1_000_000],
  ['ISK', 0],
  ['KWD', 1_235],
  ['KWD', 499],
])('%s %i can’t be asked for at Stripe', (currency, ours) => {
  expect(toStripeAmount(ours, currency)).toBeNull();
});

test('what Stripe has between two amounts of ours is rounded', () => {
  expect(fromStripeAmount(150_049, 'ISK')).toBe(1_500);
  expect(fromStripeAmount(150_050, 'ISK')).toBe(1_501);
});
