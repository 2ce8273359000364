import { expect, test } from 'vitest';
import { currenciesFor } from '#lib/currencies.ts';

test.each([
  ['CHF', 'Europe/Paris', 'fr', 'CHF'],
  [null, 'America/Toronto', 'fr', 'CAD'],
  [null, 'Australia/Sydney', 'en', 'AUD'],
  [null, 'Asia/Unknown', 'fr', 'EUR'],
  [null, null, 'en', 'USD'],
])('with %s before, in the zone %s and in %s, %s is proposed', (known, zone, locale, code) => {
  expect(currenciesFor(known, zone, locale).likely[0]).toBe(code);
});

test('each currency in use is listed once, and no former one', () => {
  const { likely, others } = currenciesFor('CHF', 'Europe/Paris', 'en');
  const all = [...likely, ...others];

  expect(likely).toEqual(['CHF', 'EUR', 'USD']);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(['GBP', 'CAD', 'XOF', 'JPY']));
  expect(all).not.toEqual(expect.arrayContaining(['DEM']));
  expect(all).not.toContain('XXX');
});
