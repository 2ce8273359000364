import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { fromStripeAmount, toStripeAmount } from '#features/stripe/amounts.ts';
import { isPayable, leastPayable, payableLimits } from '#lib/payable-amounts.ts';
import { digitsOf } from '#lib/price.ts';
import { db } from '#support/factories.ts';

/** In whole units. */
test.each([
  ['EUR', 0.5, 999_999.99],
  ['GBP', 0.3, 999_999.99],
  ['JPY', 50, 99_999_999],
  ['KRW', 50, 99_999_999],
  ['VND', 50_000, 99_999_999],
  ['MXN', 10, 999_999.99],
  ['INR', 0.5, 9_999_999.99],
  ['ISK', 500, 999_999],
  ['UGX', 5_000, 999_999],
  ['KWD', 0.5, 99_999.99],
])('of %s from %d to %d can be paid online at once', (currency, least, most) => {
  const one = 10 ** digitsOf(currency);
  const step = currency === 'KWD' ? 10 : 1;
  const can = (units: number, more = 0) => isPayable(Math.round(units * one) + more, currency);
  expect([can(least), can(least, -step), can(most), can(most, step)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('whole amounts of currencies of large numbers can be asked for', () => {
  for (const [currency, units] of [
    ['KRW', 1_200_000],
    ['IDR', 1_200_000],
    ['HUF', 1_200_000],
    ['COP', 1_200_000],
  ] as const) {
    expect(isPayable(units * 10 ** digitsOf(currency), currency), currency).toBe(true);
  }
  expect(isPayable(1_235, 'KWD')).toBe(false);
});

test('the database knows the same least amounts', async () => {
  const codes = Intl.supportedValuesOf('currency');
  const rows = await db.all<{ code: string; least: number }>(sql`SELECT c.value AS code,
      ${sql.raw(leastPayable('c.value'))} AS least FROM json_each(${JSON.stringify(codes)}) c`);
  expect(rows).toEqual(codes.map((code) => ({ code, least: payableLimits(code).least })));
});

test.each([
  ['EUR', 50, 50],
  ['JPY', 999_999, 999_999],
  ['MGA', 5_000, 5_000],
  ['KWD', 1_230, 1_230],
  // Stripe wants two digits that these don't have.
  ['ISK', 1_500, 150_000],
  ['ISK', 3, 300],
  ['UGX', 1, 100],
])('%s %i is %i at Stripe, both ways', (currency, ours, theirs) => {
  expect(toStripeAmount(ours, currency)).toBe(theirs);
  expect(fromStripeAmount(theirs, currency)).toBe(ours);
});

test('what Stripe has between two amounts of ours is rounded', () => {
  expect(fromStripeAmount(150_049, 'ISK')).toBe(1_500);
  expect(fromStripeAmount(150_050, 'ISK')).toBe(1_501);
});
