import { cityNames } from './city-names.ts';

// Neither abbreviations such as EST, which are several zones, nor offsets such as +05:30.
const zonePattern = /^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

// Such as Etc/GMT+5 and SystemV/AST4: their last part is an offset or an abbreviation, no city.
const nameless = /^(?:Etc|SystemV)\//;

type Language = keyof typeof cityNames;

/** Names that runtimes still list, and those of today. Both are accepted and mean the same zone. */
const todaysNames: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Whether a text names a time zone that this runtime knows, in any spelling and any case. */
export function isZone(name: string): boolean {
  const resolved = zonePattern.test(name) ? resolvedName(name) : null;
  return resolved !== null && (resolved === 'UTC' || !nameless.test(resolved));
}

/** Whether two names mean the same zone, such as Asia/Kolkata and Asia/Calcutta. */
export function isSameZone(one: string, other: string): boolean {
  return resolvedName(one) === resolvedName(other);
}

/** The name of a zone's city for people: `Vancouver`, « Le Caire ». */
export function cityOf(zone: string, locale: string): string {
  // A name that is not listed may be another one, or in another case: `europe/paris`.
  const name = listedNames().has(zone) ? zone : todaysName(resolvedName(zone) ?? zone);
  // The languages of the catalogs are those of the product.
  return (
    cityNames[locale as Language][name] ??
    name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' ')
  );
}

/** All zones to choose from, by region, such as `Europe`, and city. UTC is a region of its own. */
export function zoneGroups(locale: string) {
  const { compare } = new Intl.Collator(locale);
  const byRegion = Map.groupBy(listedNames(), (name) => name.split('/')[0] ?? name);
  return [...byRegion]
    .map(([region, zones]) => ({
      region,
      zones: zones
        .map((name) => ({ name, city: cityOf(name, locale) }))
        .sort((one, other) => compare(one.city, other.city)),
    }))
    .sort((one, other) => compare(one.region, other.region));
}

/** Once an isolate: to list them takes a while. */
const cache: { names?: ReadonlySet<string> } = {};

/** The names of today of all zones that this runtime lists. */
function listedNames(): ReadonlySet<string> {
  cache.names ??= new Set([...Intl.supportedValuesOf('timeZone').map(todaysName), 'UTC']);
  return cache.names;
}

function todaysName(name: string): string {
  return todaysNames[name] ?? name;
}

/** The name of a zone in this runtime's spelling; null if it knows no such zone. */
export function resolvedName(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
