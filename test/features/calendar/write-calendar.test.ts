import { env } from 'cloudflare:workers';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Calendar } from '#features/calendar/find-calendars.ts';
import { writeCalendar } from '#features/calendar/write-calendar.ts';
import { type Component, zoneRules } from '#features/calendar/zone-rules.ts';
import { calendar, cohort, eventsIn, host, linesOf, meeting, noClass } from './calendars.ts';

/** The lines of a calendar with these entries, before they are folded. */
function linesWith(...entries: Calendar['entries']): string[] {
  return linesOf(writeCalendar(calendar({ entries })));
}

test('a file begins with what programs look for, before any entry', () => {
  const lines = linesOf(writeCalendar(calendar({ name: 'Writing, in spring', language: 'fr' })));

  expect(lines.slice(0, 9)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lectern//Lectern//FR',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:Writing\\, in spring',
    'X-WR-CALNAME:Writing\\, in spring',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);
  expect(lines[9]).toBe('BEGIN:VTIMEZONE');
  expect(lines.slice(-2)).toEqual(['END:VCALENDAR', '']);
});

test('lines end in CRLF and have 75 octets at most, also where each letter has three', () => {
  const title = 'é'.repeat(100) + '書'.repeat(100) + '🎓'.repeat(100);
  const file = writeCalendar(calendar({ entries: [meeting({ title, text: title })] }));

  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const octets = file.split('\r\n').map((line) => new TextEncoder().encode(line).length);
  expect(Math.max(...octets)).toBe(75);
  expect(eventsIn(file)[0]).toMatchObject({ summary: title, description: title });
});

test('each zone of a calendar is in it once, under its current name, and times are those of its clocks', () => {
  const zones = ['Asia/Calcutta', 'Asia/Kolkata', 'europe/paris', 'UTC'];
  const entries = zones.map((timeZone) => meeting({ id: crypto.randomUUID(), timeZone }));
  const lines = linesWith(...entries);

  const named = ['Asia/Kolkata', 'Asia/Kolkata', 'Europe/Paris', 'Etc/UTC'];
  const each = ['TZID:Asia/Kolkata', 'TZID:Europe/Paris', 'TZID:Etc/UTC'];
  expect(lines.filter((line) => line.startsWith('TZID:'))).toEqual(each);
  expect(lines.filter((line) => /^DTSTART;/.test(line))).toEqual(
    named.map((name) => `DTSTART;TZID=${name}:20270105T180000`),
  );
  expect(lines).toContain('DTEND;TZID=Europe/Paris:20270105T193000');
});

test.each([
  ['Europe/Warsaw', '2027-03-27T20:00', '2027-03-27T19:00Z', 720, '20270328T090000'],
  ['America/New_York', '2027-11-06T20:00', '2027-11-07T00:00Z', 1_440, '20271107T190000'],
  ['Australia/Sydney', '2027-10-02T20:00', '2027-10-02T10:00Z', 720, '20271003T090000'],
  ['Europe/Lisbon', '2027-10-30T12:00', '2027-10-30T11:00Z', 1_440, '20271031T110000'],
])('in %s, a session over a change of clocks ends when theirs show it', (...of) => {
  const [timeZone, startsLocal, startsAt, durationMinutes, end] = of;
  const when = { timeZone, startsLocal, startsAt: new Date(startsAt), durationMinutes };
  const file = writeCalendar(calendar({ entries: [meeting(when)] }));

  expect(linesOf(file)).toContain(`DTEND;TZID=${timeZone}:${end}`);
  const [event] = eventsIn(file);
  expect(Number(event?.end) - Number(event?.start)).toBe(durationMinutes * 60_000);
});

test('a session ends after it has begun, even when clocks go back during it', () => {
  const startsAt = new Date('2027-10-31T00:30Z');
  const late = meeting({ startsLocal: '2027-10-31T02:30', startsAt, durationMinutes: 45 });
  const file = writeCalendar(calendar({ entries: [late] }));

  expect(linesOf(file)).toContain('DTSTART;TZID=Europe/Paris:20271031T023000');
  // A time that comes twice would be read as the first.
  expect(linesOf(file)).toContain('DTEND:20271031T011500Z');
  expect(eventsIn(file)[0]?.end).toEqual(new Date('2027-10-31T01:15Z'));
});

test('a cohort takes whole days until the one after its last, in which no one is busy', () => {
  expect(linesWith(cohort())).toEqual(
    expect.arrayContaining([
      'DTSTART;VALUE=DATE:20270104',
      'DTEND;VALUE=DATE:20270213',
      'TRANSP:TRANSPARENT',
    ]),
  );
});

test('days without class take whole days until the one after their last, in which no one is busy', () => {
  expect(linesWith(noClass({ title: 'No class: winter holidays · Fiction' })).slice(9)).toEqual([
    'BEGIN:VEVENT',
    `UID:off-${noClass().id}@${host}`,
    'DTSTAMP:20261201T083015Z',
    'LAST-MODIFIED:20261201T083015Z',
    'SEQUENCE:0',
    'DTSTART;VALUE=DATE:20270119',
    'DTEND;VALUE=DATE:20270122',
    'TRANSP:TRANSPARENT',
    'SUMMARY:No class: winter holidays · Fiction',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('an entry has an id that stays, its version, and the time of its last change in UTC, and names, invites or reminds no one', () => {
  const lines = linesWith(cohort(), meeting({ sequence: 3 }));

  expect(lines).toContain(`UID:meeting-${meeting().id}@${host}`);
  expect(lines).toContain('SEQUENCE:3');
  expect(lines).toContain('DTSTAMP:20261201T083015Z');
  expect(lines).toContain('LAST-MODIFIED:20261201T083015Z');
  const named = /^(ATTENDEE|ORGANIZER|CONTACT|BEGIN:VALARM|ATTACH)/;
  expect(lines.filter((line) => named.test(line))).toEqual([]);
});

test.each([
  ['line breaks', 'One\r\nTwo\rThree\nFour\u2028Five\u0085Six', 'One\nTwo\nThree\nFour\nFive\nSix'],
  ['separators', 'a, b; c: d \\ e "f" g^n', 'a, b; c: d \\ e "f" g^n'],
  ['emoji', '👩🏽‍🏫 teaches 🇫🇷', '👩🏽‍🏫 teaches 🇫🇷'],
  ['other directions', '\u202eשלום\u202c \u200fمرحبا\u200e', '\u202eשלום\u202c \u200fمرحبا\u200e'],
  ['2,000 characters', `${'é, '.repeat(666)}é!`, `${'é, '.repeat(666)}é!`],
  ['control characters', 'a\0b\u0007c\u000bd\u000ce\u001bf\u007fg\u009bh\ti', 'abcdefgh\ti'],
  ['half of a character', 'a\ud83dz', 'a\ufffdz'],
])('a text with %s arrives whole', (_, typed, read) => {
  const texts = { title: typed, text: typed, place: typed };
  const entries = [cohort(texts), meeting(texts)];
  const events = eventsIn(writeCalendar(calendar({ name: typed, entries })));

  expect(events).toHaveLength(2);
  for (const event of events) {
    expect(event).toMatchObject({ summary: read, description: read, location: read });
  }
});

test('an address adds no line, in any reader', () => {
  const url = 'https://meet.example/\x85BEGIN:VALARM\x1cATTENDEE:a\u2028b\x0b\x1e\r\nc';
  const file = writeCalendar(calendar({ entries: [meeting({ url })] }));

  expect(linesOf(file)).toContain('URL:https://meet.example/BEGIN:VALARMATTENDEE:abc');
  expect(file).not.toMatch(/[\p{Zl}\p{Zp}\p{Cc}]BEGIN:VALARM/u);
});

// Not by node-ical, which reads the end of this as a line break.
test('a backslash before an n stays one', () => {
  expect(linesWith(meeting({ title: 'C:\\new' }))).toContain('SUMMARY:C:\\\\new');
});

/** Zones whose rules all runtimes agree on: those that are fixed here, and some that are not. */
const settled = [
  ...['Africa/Cairo', 'America/New_York', 'Asia/Gaza', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['Europe/Dublin', 'Europe/Paris'],
];

test.each(settled)('the clocks of %s change on the days that this runtime knows', (zone) => {
  const { component } = zoneRules(zone) ?? { component: ['', [], []] as Component };
  const rules = new ICAL.Timezone({ component: new ICAL.Component(component), tzid: zone });
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const shown = Array.from({ length: 7 * 365 }, (_, day) => {
    // Near noon there, when no clock changes.
    const noon = Date.UTC(2027, 0, 1 + day, 12);
    const time = ICAL.Time.fromDateTimeString(new Date(noon).toISOString().slice(0, 19));
    return clock.format(noon - rules.utcOffset(time) * 1000);
  });

  expect(shown.filter((time) => !time.endsWith('12:00'))).toEqual([]);
});

test('every zone that a cohort can have is known', () => {
  const names = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  // At night all of them.
  const some = names.filter((_, index) => env.EVERY_CASE === '1' || index % 10 === 0);

  expect(some.filter((name) => zoneRules(name) === null)).toEqual([]);
});

test('a zone that is not known is written in UTC', () => {
  const lines = linesWith(meeting({ timeZone: 'Mars/Olympus' }));

  expect(lines).toContain('DTSTART:20270105T170000Z');
  expect(lines).toContain('DTEND:20270105T183000Z');
  expect(lines).not.toContain('BEGIN:VTIMEZONE');
});
