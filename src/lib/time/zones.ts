import { cityNames } from './city-names.ts';

// Neither abbreviations such as EST, which are several zones, nor offsets such as +05:30.
const zonePattern = /^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

/** The languages that cities have names in. */
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
  return zonePattern.test(name) && resolvedName(name) !== null;
}

/** Whether two names mean the same zone, such as Asia/Kolkata and Asia/Calcutta. */
export function isSameZone(one: string, other: string): boolean {
  return resolvedName(one) === resolvedName(other);
}

/** The name of a zone's city for people: `Vancouver`, « Le Caire ». */
export function cityOf(zone: string, locale: Language): string {
  const name = todaysNames[zone] ?? zone;
  return cityNames[locale][name] ?? name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** The zones of one part of the world, such as `Europe`, by the names of their cities. */
type ZoneGroup = { region: string; zones: { name: string; city: string }[] };

/** All zones to choose from, by region and city. UTC is a region of its own. */
export function zoneGroups(locale: Language): ZoneGroup[] {
  const { compare } = new Intl.Collator(locale);
  const names = Intl.supportedValuesOf('timeZone').map((name) => todaysNames[name] ?? name);
  const byRegion = Map.groupBy(new Set([...names, 'UTC']), (name) => name.split('/')[0] ?? name);
  return [...byRegion]
    .map(([region, zones]) => ({
      region,
      zones: zones
        .map((name) => ({ name, city: cityOf(name, locale) }))
        .sort((one, other) => compare(one.city, other.city)),
    }))
    .sort((one, other) => compare(one.region, other.region));
}

function resolvedName(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
