import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, firstInstantOf, instantOf, nextExisting, wallTimeAt } from '#lib/time/instants.ts';

/** Zones with a rule that other code has gotten wrong before. */
const hardZones = [
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Europe/Paris',
  'America/St_Johns',
  'UTC',
];

const hourMs = 60 * 60 * 1000;
const zones = fc.constantFrom(...hardZones);
const instants = fc
  .integer({ min: Date.UTC(2000, 0, 2) / 60_000, max: Date.UTC(2059, 11, 30) / 60_000 })
  .map((minute) => new Date(minute * 60_000));

describe('the first moment of a day', () => {
  it.each([
    // What is past does not depend on the age of the time zone data.
    ['2026-01-04', 'Europe/Paris', '2026-01-03T23:00:00Z'],
    ['2026-01-04', 'Asia/Kathmandu', '2026-01-03T18:15:00Z'],
    // Clocks skip midnight on these days.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['2024-04-26', 'Africa/Cairo', '2024-04-25T22:00:00Z'],
    // The calendar of Apia has no 30 December 2011.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('of %s in %s is %s', (day, zone, instant) => {
    expect(firstInstantOf(day, zone)).toEqual(new Date(instant));
  });

  it.each([
    ['2026-03-29', 'Europe/Paris', 23],
    ['2025-10-26', 'Europe/Paris', 25],
    ['2025-10-05', 'Australia/Lord_Howe', 23.5],
    ['2025-04-06', 'Australia/Lord_Howe', 24.5],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s lasts %d hours', (day, zone, hours) => {
    const lasts = endOf(day, zone).getTime() - firstInstantOf(day, zone).getTime();
    expect(lasts / hourMs).toBe(hours);
  });
});

describe('the instant of a wall time', () => {
  it.each([
    ['2026-03-28T18:00', '2026-03-28T17:00:00Z'],
    ['2026-03-29T18:00', '2026-03-29T16:00:00Z'],
    // Comes twice: the first.
    ['2025-10-26T02:30', '2025-10-26T00:30:00Z'],
  ])('%s in Paris is %s', (wallTime, instant) => {
    expect(instantOf(wallTime, 'Europe/Paris')).toEqual(new Date(instant));
  });

  it.each([
    ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T03:30'],
    ['2026-03-29T02:00', 'Europe/Paris', '2026-03-29T03:00'],
    ['2025-10-05T02:15', 'Australia/Lord_Howe', '2025-10-05T02:45'],
    ['2024-04-26T00:30', 'Africa/Cairo', '2024-04-26T01:30'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-31T12:00'],
  ])('%s does not exist in %s; the next that does is %s', (wallTime, zone, next) => {
    expect(instantOf(wallTime, zone)).toBeNull();
    expect(nextExisting(wallTime, zone)).toBe(next);
  });

  it('of what clocks show at an instant is that instant, or the first with that time', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const shown = wallTimeAt(instant, zone);
        const first = instantOf(shown, zone);
        expect(first).not.toBeNull();
        expect(first?.getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(wallTimeAt(first ?? instant, zone)).toBe(shown);
      }),
      { seed: 20_261_121 },
    );
  });
});
