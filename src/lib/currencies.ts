// What the euro has replaced, metals, and codes for tests: no one is paid in these.
const formerPattern =
  /^(?:ADP|ATS|BEF|BGN|CYP|DEM|EEK|ESP|FIM|FRF|GRD|HRK|IEP|ITL|LTL|LUF|LVL|MTL|NLG|PTE|SIT|SKK|X(?!AF|CD|CG|OF|PF).*)$/;

/** The currencies to choose from, the likely ones first. */
type Currencies = { likely: string[]; others: string[] };

/**
 * The currencies of this runtime that are in use. The first likely one is proposed for a cohort
 * without a price.
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

/** Where one currency is paid with, by the beginning of the names of its time zones. */
const ofZones: Record<string, string> = {
  'America/Edmonton': 'CAD',
  'America/Halifax': 'CAD',
  'America/Montreal': 'CAD',
  'America/Regina': 'CAD',
  'America/St_Johns': 'CAD',
  'America/Toronto': 'CAD',
  'America/Vancouver': 'CAD',
  'America/Winnipeg': 'CAD',
  'America/Mexico_City': 'MXN',
  'America/Sao_Paulo': 'BRL',
  'America/Anchorage': 'USD',
  'America/Chicago': 'USD',
  'America/Denver': 'USD',
  'America/Detroit': 'USD',
  'America/Los_Angeles': 'USD',
  'America/New_York': 'USD',
  'America/Phoenix': 'USD',
  'Africa/Abidjan': 'XOF',
  'Africa/Casablanca': 'MAD',
  'Africa/Dakar': 'XOF',
  'Africa/Tunis': 'TND',
  'Asia/Calcutta': 'INR',
  'Asia/Kolkata': 'INR',
  'Asia/Tokyo': 'JPY',
  'Australia/': 'AUD',
  'Europe/Amsterdam': 'EUR',
  'Europe/Athens': 'EUR',
  'Europe/Berlin': 'EUR',
  'Europe/Brussels': 'EUR',
  'Europe/Bucharest': 'RON',
  'Europe/Budapest': 'HUF',
  'Europe/Copenhagen': 'DKK',
  'Europe/Dublin': 'EUR',
  'Europe/Helsinki': 'EUR',
  'Europe/Lisbon': 'EUR',
  'Europe/London': 'GBP',
  'Europe/Luxembourg': 'EUR',
  'Europe/Madrid': 'EUR',
  'Europe/Oslo': 'NOK',
  'Europe/Paris': 'EUR',
  'Europe/Prague': 'CZK',
  'Europe/Rome': 'EUR',
  'Europe/Stockholm': 'SEK',
  'Europe/Vienna': 'EUR',
  'Europe/Warsaw': 'PLN',
  'Europe/Zurich': 'CHF',
  'Pacific/Auckland': 'NZD',
  'Pacific/Honolulu': 'USD',
};

/** The currency of a time zone; null if it is unknown. */
export function currencyOfZone(zone: string): string | null {
  return Object.entries(ofZones).find(([name]) => zone.startsWith(name))?.[1] ?? null;
}
