import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, isDay, isWallTime, shiftWallTime } from '#lib/time/calendar.ts';
import { words } from '#support/words.ts';

const firstDay = Date.UTC(2000, 0, 1);
const dayMs = 24 * 60 * 60 * 1000;
/** Any day of the calendar, 2000 to 2100. */
const days = fc
  .integer({ min: 0, max: (Date.UTC(2100, 11, 31) - firstDay) / dayMs })
  .map((count) => new Date(firstDay + count * dayMs).toISOString().slice(0, 10));
const shifts = fc.integer({ min: -10_000, max: 10_000 });

describe('days', () => {
  it.each(['2000-01-01', '2024-02-29', '2028-02-29', '2000-02-29', '2027-12-31', '2100-12-31'])(
    '%s is one',
    (text) => expect(isDay(text)).toBe(true),
  );

  it.each([
    ...words('1999-12-31 2101-01-01 2027-02-29 2100-02-29 2027-02-30 2027-04-31 2027-13-01'),
    ...words('2027-00-10 2027-01-00 2027-1-4 27-01-04 2027-01-04T00:00 ２０２７-01-04'),
    ...[' 2027-01-04', '2027-01-04\n', ''],
  ])('%j is none', (text) => expect(isDay(text)).toBe(false));

  it('going some days forth and back is the same day, and the distance is what was gone', () => {
    fc.assert(
      fc.property(days, shifts, (day, count) => {
        expect(daysBetween(day, addDays(day, count))).toBe(count);
        expect(addDays(addDays(day, count), -count)).toBe(day);
      }),
      { seed: 20_261_121 },
    );
  });

  it('29 February is a day like others', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2028-02-29', 1)).toBe('2028-03-01');
    expect(addDays('2028-02-29', 365)).toBe('2029-02-28');
    expect(daysBetween('2028-02-01', '2028-03-01')).toBe(29);
  });
});

describe('wall times', () => {
  it.each(['2027-01-04T00:00', '2027-01-04T23:59', '2028-02-29T09:30'])('%s is one', (text) =>
    expect(isWallTime(text)).toBe(true),
  );

  it.each([
    ...words('2027-01-04 2027-01-04T24:00 2027-01-04T12:60 2027-01-04T9:30 2027-01-04T09:30:00'),
    ...words('2027-01-04T09:30Z 2027-01-04T09:30+01:00 2027-02-30T09:30 2027-01-04T09:30T T09:30'),
    ...['2027-01-04 09:30', ''],
  ])('%j is none', (text) => expect(isWallTime(text)).toBe(false));

  it('keep what the clock shows when they are moved by days', () => {
    expect(shiftWallTime('2027-12-31T18:30', 1)).toBe('2028-01-01T18:30');
    expect(shiftWallTime('2027-01-01T00:00', -1)).toBe('2026-12-31T00:00');
  });
});
