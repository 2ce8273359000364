import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currenciesFor } from '#lib/currencies.ts';
import { digitsOf, fullPriceOf, minorUnits, plainAmount, priceOf } from '#lib/price.ts';

const unclear = null;
const none = Number.NaN;

test.each([
  ['1 234,56', 123_456],
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
  ['1\u202f234,56', 123_456],
  ['1\u00a0234', 123_400],
  ['1’234’567.00', 123_456_700],
  ['1234.56', 123_456],
  ['1,234,567', 123_456_700],
  ['1.234.567,8', 123_456_780],
  ['12,5', 1250],
  ['0,50', 50],
  ['€240', 24_000],
  ['240 €', 24_000],
  ['EUR 1,234.56', 123_456],
  ['1 234,56 eur', 123_456],
  [' 240 ', 24_000],
])('“%s” in euros is %s cents in both languages', (typed, minor) => {
  expect(minorUnits(typed, 'EUR', 'en')).toBe(minor);
  expect(minorUnits(typed, 'EUR', 'fr')).toBe(minor);
});

test.each([
  ...['12,34,56', '12 34', '1,23.456', '0.500', '1,234 567', '1.234.56'],
  ...['-5', '1e3', '-€5', 'about 240', '240 euros', '', '٣'],
])('“%s” is no amount in euros', (typed) => {
  expect(minorUnits(typed, 'EUR', 'en')).toBe(none);
  expect(minorUnits(typed, 'EUR', 'fr')).toBe(none);
});

test.each([
  ['1,234', 'EUR', 123_400, unclear],
  ['1.234', 'EUR', unclear, 123_400],
  ['1,234', 'JPY', 1234, unclear],
  ['12.50', 'JPY', none, none],
  ['1,234', 'KWD', unclear, 1234],
  ['1.234', 'KWD', 1234, unclear],
  ['1,234.5', 'KWD', 1_234_500, 1_234_500],
  ['0.500', 'KWD', 500, 500],
])('“%s” %s is %s in English and %s in French; null is asked about', (typed, code, en, fr) => {
  expect(minorUnits(typed, code, 'en')).toBe(en);
  expect(minorUnits(typed, code, 'fr')).toBe(fr);
});

test.each([
  ['$850', 'USD', 85_000],
  ['US$ 850', 'USD', 85_000],
  ['850 $US', 'USD', 85_000],
  ['$850.50 CAD', 'CAD', 85_050],
  ['850 F CFA', 'XOF', 850],
  ['$850', 'EUR', unclear],
  ['850 EUR', 'USD', unclear],
  ['US$850', 'CAD', unclear],
  ['$850 USD', 'CAD', unclear],
])('“%s” in %s is %s: another currency is not guessed', (typed, code, minor) => {
  expect(minorUnits(typed, code, 'en')).toBe(minor);
  expect(minorUnits(typed, code, 'fr')).toBe(minor);
});

const currencies = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'XOF', 'TND', 'ISK');
const amounts = fc.integer({ min: 0, max: 99_999_999 });
const locales = fc.constantFrom('en', 'fr');

test('what is shown in a field is read as the amount that it was', () => {
  fc.assert(
    fc.property(amounts, currencies, locales, (minor, currency, locale) => {
      const point = locale === 'fr' ? ',' : '.';
      expect(minorUnits(plainAmount(minor, currency, point), currency, locale)).toBe(minor);
    }),
    { seed: 20_261_121 },
  );
});

test('an amount written as in another language is right or asked about', () => {
  const written = fc.constantFrom('en', 'fr', 'de', 'es', 'de-CH', 'pt-BR', 'it', 'pl', 'sv');
  fc.assert(
    fc.property(amounts, currencies, locales, written, (minor, currency, locale, writer) => {
      const digits = digitsOf(currency);
      const typed = new Intl.NumberFormat(writer, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(Number(plainAmount(minor, currency)));
      expect([minor, null]).toContain(minorUnits(typed, currency, locale));
    }),
    { seed: 20_261_121, numRuns: 2_000 },
  );
});

test('amounts are shown with the digits of their currency', () => {
  expect(priceOf(24_000, 'EUR', 'en')).toBe('€240');
  expect(fullPriceOf(24_000, 'EUR', 'en')).toBe('€240.00');
  expect(fullPriceOf(-24_050, 'EUR', 'en')).toBe('−€240.50');
  expect(fullPriceOf(1500, 'JPY', 'en')).toBe('¥1,500');
  expect(fullPriceOf(1500, 'KWD', 'en').replace('\u00a0', ' ')).toBe('KWD 1.500');
  expect(plainAmount(-5, 'EUR')).toBe('-0.05');
});

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
