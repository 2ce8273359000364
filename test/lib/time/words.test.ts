import { describe, expect, it } from 'vitest';
import {
  clockRange,
  clockTime,
  dayIn,
  dayOfYear,
  dayParts,
  dayRange,
  lengthOf,
  longDate,
  longDay,
  momentIn,
} from '#lib/time/words.ts';

/** With plain spaces: which kind Intl writes depends on its version. */
function plain(text: string): string {
  return text.replace(/\s/g, ' ');
}

describe('a range of days', () => {
  it.each([
    ['2027-01-04', '2027-02-12', 'en', 'January 4 – February 12, 2027'],
    ['2027-01-04', '2027-02-12', 'fr', '4 janvier – 12 février 2027'],
    ['2027-01-04', '2027-01-08', 'fr', '4–8 janvier 2027'],
    ['2027-02-01', '2027-03-01', 'fr', '1er février – 1er mars 2027'],
    ['2026-12-28', '2027-01-08', 'en', 'December 28, 2026 – January 8, 2027'],
  ] as const)('%s to %s in %s is %s', (from, to, locale, text) => {
    expect(plain(dayRange(from, to, locale))).toBe(text);
  });

  it('breaks into lines after its dash alone', () => {
    const lines = (text: string) => text.split(/[ \u2009]/).map(plain);
    const range = dayRange('2027-01-04', '2027-02-12', 'en');
    expect(lines(range)).toEqual(['January 4 –', 'February 12, 2027']);
    expect(lines(dayRange('2027-01-04', '2027-01-04', 'fr'))).toEqual(['4 janvier 2027']);
  });
});

describe('a day and a moment', () => {
  it('are said as people say them', () => {
    expect(longDay('2027-01-04', 'en')).toBe('Monday, January 4, 2027');
    expect(longDay('2027-05-01', 'fr')).toBe('samedi 1er mai 2027');
    expect(dayOfYear('2027-01-04', 'en')).toBe('January 4');
    expect(dayOfYear('2027-05-01', 'fr')).toBe('1er mai');
    expect(dayParts('2027-01-04', 'en')).toEqual({ month: 'Jan', day: '4', weekday: 'Mon' });
    expect(dayParts('2027-01-04', 'fr')).toEqual({ month: 'janv.', day: '4', weekday: 'lun.' });
  });

  it('are those of the zone, not of the machine', () => {
    const instant = new Date('2026-01-04T17:00:00Z');
    expect(plain(momentIn('Europe/Paris', instant, 'en'))).toBe('January 4 at 6:00 PM');
    expect(plain(momentIn('Asia/Kathmandu', instant, 'fr'))).toBe('4 janvier à 22:45');
  });

  it('is today in a zone before or after it is elsewhere', () => {
    const instant = new Date('2026-12-31T23:30:00Z');
    expect(dayIn('Europe/Paris', instant)).toBe('2027-01-01');
    expect(dayIn('America/Vancouver', instant)).toBe('2026-12-31');
  });

  it('are those of UTC in a zone that this runtime does not know', () => {
    const instant = new Date('2026-12-31T23:30:00Z');
    expect(dayIn('Mars/Base', instant)).toBe('2026-12-31');
    expect(plain(momentIn('Mars/Base', instant, 'en'))).toBe('December 31 at 11:30 PM');
  });

  it('of a clock is said without a day', () => {
    expect(plain(clockTime('2027-01-04T18:05', 'en'))).toBe('6:05 PM');
    expect(plain(clockTime('2027-01-04T18:05', 'fr'))).toBe('18:05');
  });

  it('end on the same clock', () => {
    const [from, to] = [new Date('2026-01-04T17:00:00Z'), new Date('2026-01-04T18:30:00Z')];
    expect(plain(clockRange('Europe/Paris', from, to, 'en'))).toBe('6:00 – 7:30 PM');
  });

  it('has no dates beyond midnight', () => {
    const [from, to] = [new Date('2027-01-04T22:30:00Z'), new Date('2027-01-05T01:00:00Z')];

    expect(plain(clockRange('Europe/Paris', from, to, 'fr'))).toBe('23:30 – 2:00');
  });
});

it('a long date is a day in UTC, in the language of the reader', () => {
  const at = new Date('2026-03-08T23:59:59Z');

  expect(longDate(at, 'en')).toBe('March 8, 2026');
  expect(longDate(at, 'fr')).toBe('8 mars 2026');
});

it.each([
  [45, '45 minutes', '45 minutes'],
  [60, '1 hour', '1 h'],
  [90, '1½ hours', '1 h 30'],
  [150, '2½ hours', '2 h 30'],
  [125, '2 hours 5 minutes', '2 h 05'],
])('%i minutes are %s, « %s »', (minutes, english, french) => {
  expect(lengthOf(minutes, 'en')).toBe(english);
  expect(lengthOf(minutes, 'fr').replaceAll('\u00a0', ' ')).toBe(french);
});
