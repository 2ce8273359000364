/** Where Stripe opens accounts for businesses: see https://stripe.com/global. It refuses others. */
const countries =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US';

/** The countries to choose from, by their names in a language. */
export function listCountries(locale: string): { code: string; name: string }[] {
  return countries
    .split(' ')
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
}

/** What a country is called in a language. */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
}
