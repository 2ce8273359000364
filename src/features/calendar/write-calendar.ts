import 'server-only';
import ICAL from 'ical.js';
import { addDays } from '#lib/time/calendar.ts';
import { instantOf, wallTimeAt } from '#lib/time/instants.ts';
import type { Calendar, CalendarEntry, CohortEntry, MeetingEntry } from './find-calendars.ts';
import { type Component, type Property, type ZoneRules, zoneRules } from './zone-rules.ts';

/**
 * The writing of calendar files (RFC 5545), imported when one is asked for: it brings ical.js and
 * the rules of all zones. See docs/decisions/0055-calendars-that-are-read.md.
 */

// The library does not count the space that each following line begins with.
ICAL.foldLength = 74;

// Without a type of their own, ical.js would name it in each of these properties.
for (const name of ['name', 'x-wr-calname']) {
  ICAL.design.icalendar.property[name] = { defaultType: 'text' };
}

/** How often programs are to look again. */
const refreshInterval = 'PT1H';

/** The text of a calendar file: of the same calendar, always the same to the byte. */
export function writeCalendar(calendar: Calendar): string {
  const { entries, name, language } = calendar;
  const zones = rulesOf(calendar);
  const label = cleanText(name);
  const whole: Component = [
    'vcalendar',
    [
      ['version', {}, 'text', '2.0'],
      ['prodid', {}, 'text', `-//Lectern//Lectern//${language.toUpperCase()}`],
      ['calscale', {}, 'text', 'GREGORIAN'],
      ['method', {}, 'text', 'PUBLISH'],
      ['name', {}, 'text', label],
      ['x-wr-calname', {}, 'text', label],
      ['refresh-interval', {}, 'duration', refreshInterval],
      ['x-published-ttl', {}, 'unknown', refreshInterval],
    ],
    [
      ...new Map([...zones.values()].map(({ id, component }) => [id, component])).values(),
      ...entries.map((entry) => eventOf(entry, calendar.host, zones)),
    ],
  ];
  // The types of ical.js know jCal only as arrays.
  return ICAL.stringify(whole as unknown as unknown[]);
}

/** The zones of the sessions, which the file must explain; it must not be empty either. */
function rulesOf({ entries }: Calendar): Map<string, ZoneRules> {
  const used = entries.flatMap((entry) => (entry.kind === 'meeting' ? [entry.timeZone] : []));
  const wanted = entries.length === 0 ? ['UTC'] : used;
  return new Map(
    [...new Set(wanted)].flatMap((zone) => {
      const rules = zoneRules(zone);
      return rules === null ? [] : [[zone, rules] as const];
    }),
  );
}

function eventOf(entry: CalendarEntry, host: string, zones: Map<string, ZoneRules>): Component {
  const { kind, id, title, text, place, url, sequence, updatedAt } = entry;
  // In UTC and of the last change, so that a file changes only with what it says.
  const changed = utc(updatedAt);
  const properties: Property[] = [
    ['uid', {}, 'text', `${kind}-${id}@${host}`],
    ['dtstamp', {}, 'date-time', changed],
    ['last-modified', {}, 'date-time', changed],
    ['sequence', {}, 'integer', sequence],
    ...(kind === 'meeting' ? timesOf(entry, zones.get(entry.timeZone)) : daysOf(entry)),
    ['summary', {}, 'text', cleanText(title)],
    ...given('description', text),
    ...given('location', place),
    // A URI is not escaped, so that it may have no line break.
    ...given('url', url && cleanText(url).replace(/\s/g, ''), 'uri'),
  ];
  return ['vevent', properties, []];
}

/** All days of a cohort, or of a span without class, in which no one is busy. */
function daysOf({ startsOn, endsOn }: CohortEntry): Property[] {
  return [
    ['dtstart', {}, 'date', startsOn],
    // The first day that is no longer one of them.
    ['dtend', {}, 'date', addDays(endsOn, 1)],
    ['transp', {}, 'text', 'TRANSPARENT'],
  ];
}

/** What clocks show in the session's zone. A program that knows newer rules of it uses those. */
function timesOf(
  { startsLocal, startsAt, durationMinutes, timeZone, isCanceled }: MeetingEntry,
  rules: ZoneRules | undefined,
): Property[] {
  const endsAt = new Date(startsAt.getTime() + durationMinutes * 60_000);
  const endsLocal = rules && wallTimeAt(endsAt, timeZone);
  // A time that clocks show twice means the first of the two.
  const isExact = endsLocal && instantOf(endsLocal, timeZone)?.getTime() === endsAt.getTime();
  return [
    rules
      ? ['dtstart', { tzid: rules.id }, 'date-time', `${startsLocal}:00`]
      : ['dtstart', {}, 'date-time', utc(startsAt)],
    rules && isExact
      ? ['dtend', { tzid: rules.id }, 'date-time', `${endsLocal}:00`]
      : ['dtend', {}, 'date-time', utc(endsAt)],
    ['status', {}, 'text', isCanceled ? 'CANCELLED' : 'CONFIRMED'],
  ];
}

function given(name: string, text: string | null, type = 'text'): Property[] {
  return text === null ? [] : [[name, {}, type, cleanText(text)]];
}

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

// Other line breaks than LF, and characters that no text may have: readers end a line at each.
const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const controls = /[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]/g;

/** ical.js escapes LF but leaves CR, at which readers would end the line. */
function cleanText(text: string): string {
  return text.toWellFormed().replace(lineBreaks, '\n').replace(controls, '');
}
