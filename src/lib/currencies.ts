import { currencyOfZone } from './zone-currencies.ts';

// What the euro has replaced, metals, and codes for tests: no one is paid in these.
const formerPattern =
  /^(?:ADP|ATS|BEF|BGN|CYP|DEM|EEK|ESP|FIM|FRF|GRD|HRK|IEP|ITL|LTL|LUF|LVL|MTL|NLG|PTE|SIT|SKK|X(?!AF|CD|CG|OF|PF).*)$/;

/** The currencies to choose from, the likely ones first. */
type Currencies = { likely: string[]; others: string[] };

/**
 * The currencies of this runtime that are in use. The first of the likely ones is what a cohort
 * with no price yet is proposed.
 *
 * @param known the currency of the cohort, or of the last one of its owner
 * @param zone the time zone of the cohort; null for a new one, of which only the browser knows
 */
export function currenciesFor(
  known: string | null,
  zone: string | null,
  locale: string,
): Currencies {
  const ofZone = zone === null ? null : currencyOfZone(zone);
  const ofLanguage = locale.startsWith('fr') ? 'EUR' : 'USD';
  const likely = [known, ofZone, ofLanguage, 'EUR', 'USD'].filter((code) => code !== null);
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const others = Intl.supportedValuesOf('currency').filter(
    (code) =>
      !likely.includes(code) &&
      !formerPattern.test(code) &&
      // A former currency has its years in its name.
      !/\d/.test(names.of(code) ?? ''),
  );
  return { likely: [...new Set(likely)], others };
}
