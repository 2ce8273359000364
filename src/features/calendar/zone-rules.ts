import 'server-only';
import ICAL from 'ical.js';
import { tzlib_get_ical_block as blockOf } from 'timezones-ical-library';
import { resolvedName } from '#lib/time/zones.ts';

/** A property and a component in jCal (RFC 7265), the form that ical.js writes. */
export type Property = [
  name: string,
  parameters: Record<string, string>,
  type: string,
  value: string | number,
];
export type Component = [name: string, properties: Property[], components: Component[]];

/** How clocks change in a zone, by the name that its file gives it. */
export type ZoneRules = { id: string; component: Component };

type ExactRule = [shortened: string, ...exact: string[]];
const inMarch: ExactRule = ['3;BYDAY=-1SA', `3;BYDAY=SA;BYMONTHDAY=${days(24, 30)}`];
const inOctober: ExactRule = ['10;BYDAY=-1SA', `10;BYDAY=SA;BYMONTHDAY=${days(24, 30)}`];

/**
 * Rules that the library shortens to one that is a week off in some years, by zone: the Friday
 * before the last Sunday of March is not always the last Friday. Where one rule can't say it, two
 * do: in Egypt, summer ends after the last Thursday of October, which may be the 31st.
 */
const exactRules: Record<string, ExactRule[]> = {
  'Africa/Cairo': [
    ['10;BYDAY=-1FR', `10;BYDAY=FR;BYMONTHDAY=${days(26, 31)}`, '11;BYDAY=FR;BYMONTHDAY=1'],
  ],
  'America/Nuuk': [inMarch],
  'America/Santiago': [
    ['4;BYDAY=1SU', `4;BYDAY=SU;BYMONTHDAY=${days(2, 8)}`],
    ['9;BYDAY=1SU', `9;BYDAY=SU;BYMONTHDAY=${days(2, 8)}`],
  ],
  'America/Scoresbysund': [inMarch],
  'Asia/Gaza': [inMarch, inOctober],
  'Asia/Hebron': [inMarch, inOctober],
  'Asia/Jerusalem': [['3;BYDAY=-1FR', `3;BYDAY=FR;BYMONTHDAY=${days(23, 29)}`]],
};

/** How clocks change in a zone; null for a zone that the library does not know. */
export function zoneRules(zone: string): ZoneRules | null {
  const name = resolvedName(zone);
  const found = name === null ? '' : blockOf(name);
  if (typeof found === 'string') {
    return null;
  }
  const [block = '', parameter = ''] = found;
  const id = parameter.slice('TZID='.length);
  const exact = (exactRules[id] ?? []).reduce(exactly, block);
  // The library writes one component, of properties that have one value.
  return { id, component: ICAL.parse(exact) as unknown as Component };
}

/** Repeats the part of a zone that has the shortened rule for each of the exact ones. */
function exactly(block: string, [shortened, ...exact]: ExactRule): string {
  return block.replace(/BEGIN:(STANDARD|DAYLIGHT)\r\n.*?END:\1\r\n/gs, (part) =>
    part.includes(`BYMONTH=${shortened}\r\n`)
      ? exact.map((rule) => part.replace(shortened, rule)).join('')
      : part,
  );
}

function days(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, after) => first + after).join(',');
}
