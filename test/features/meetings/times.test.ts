import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeOf, timeOn, weeklyTimes } from '#features/meetings/meeting-times.ts';
import { addDays, daysBetween, wallTimeOn } from '#lib/time/calendar.ts';
import { wallTimeAt } from '#lib/time/instants.ts';
import { refusal } from '../cohorts/support.ts';
import { addMeetings, createPlace, evening, planMeetings } from './support.ts';

const zones = ['Europe/Paris', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC', 'Africa/Cairo'];
const seed = 20_261_123;

const wallTime = fc
  .record({
    day: fc.integer({ min: 0, max: 15 * 365 }).map((count) => addDays('2020-01-01', count)),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
  })
  .map(({ day, hour, minute }) =>
    wallTimeOn(day, [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')),
  );

describe('weekly sessions', () => {
  test('keep their clock time across clock changes', async () => {
    const place = await createPlace();
    const sessions = await addMeetings(place, { count: 36 });
    expect([...new Set(sessions.map((one) => one.starts_local.slice(11)))]).toEqual(['18:00']);
    const hours = sessions.map(({ starts_at }) => starts_at.slice(11, 16));
    // From 28 March and until 31 October, Paris is two hours ahead of UTC.
    expect(hours.join(' ')).toBe(
      [...Array(4).fill('17:00'), ...Array(31).fill('16:00'), '17:00'].join(' '),
    );
  });

  test('that clocks skip are later by what they skip, and marked; a first one that they skip is refused', async () => {
    const place = await createPlace();
    const night = { starts_local: '2027-03-21T02:30', count: 3 };
    const planned = await planMeetings(place, night);
    expect(planned.map(({ starts_local, is_adjusted }) => [starts_local, is_adjusted])).toEqual([
      ['2027-03-21T02:30', false],
      ['2027-03-28T03:30', true],
      ['2027-04-04T02:30', false],
    ]);
    const added = await addMeetings(place, night);
    expect(added.map(({ starts_local, starts_at }) => [starts_local, starts_at])).toEqual(
      planned.map(({ starts_local, starts_at }) => [starts_local, starts_at]),
    );

    const skipped = { ...evening, starts_local: '2027-03-28T02:30' };
    const words = expect.stringMatching(
      /^At this moment the clocks go forward in Paris: 2:30\sAM does not exist on Sunday, March 28, 2027$/,
    );
    for (const refused of [
      await place.client.post(place.path, { ...skipped, count: 3 }),
      await place.client.post(place.path, skipped),
      await place.change(added[0]?.id ?? '', { starts_local: skipped.starts_local }),
    ]) {
      const fields = { starts_local: [words] };
      expect(await refusal(refused)).toMatchObject({ status: 400, fields });
    }
  });

  test('are shown before they are saved, with their warnings', async () => {
    const place = await createPlace({ ends_on: '2027-03-10' });
    await addMeetings(place, { starts_local: '2027-03-09T19:00' });
    const planned = await planMeetings(place, { count: 3 });
    expect(planned.map(({ starts_local, warnings }) => [starts_local, warnings])).toEqual([
      ['2027-03-02T18:00', []],
      ['2027-03-09T18:00', ['overlaps']],
      ['2027-03-16T18:00', ['outside_dates']],
    ]);
    const past = await planMeetings(place, { starts_local: '2020-03-02T18:00' });
    expect(past).toMatchObject([{ warnings: ['outside_dates', 'in_past'] }]);
  });

  test('are a week apart at the same clock time, for all times, zones and numbers', () => {
    fc.assert(
      fc.property(
        wallTime,
        fc.constantFrom(...zones),
        fc.integer({ min: 1, max: 60 }),
        (first, zone, count) => {
          const times = weeklyTimes(first, count, zone);
          expect(times).toHaveLength(count);
          for (const [week, { startsLocal, startsAt, isAdjusted }] of times.entries()) {
            expect(wallTimeAt(startsAt, zone)).toBe(startsLocal);
            if (!isAdjusted) {
              expect(daysBetween(first.slice(0, 10), startsLocal.slice(0, 10))).toBe(week * 7);
              expect(startsLocal.slice(11)).toBe(first.slice(11));
            } else {
              expect(startsLocal > first).toBe(true);
            }
          }
        },
      ),
      { seed, numRuns: 150 },
    );
  });

  test('a typed time is refused if and only if clocks never show it', () => {
    fc.assert(
      fc.property(wallTime, fc.constantFrom(...zones), (typed, zone) => {
        const { isAdjusted, startsLocal, startsAt } = timeOn(typed, zone);
        if (isAdjusted) {
          expect(() => timeOf(typed, zone, 'en')).toThrow('validation_failed');
          expect(startsLocal > typed).toBe(true);
        } else {
          expect(timeOf(typed, zone, 'en').startsAt).toEqual(startsAt);
        }
      }),
      { seed, numRuns: 400 },
    );
  });
});

test('a time that comes twice is the first', async () => {
  const place = await createPlace();
  const [session] = await addMeetings(place, { starts_local: '2027-10-31T02:30' });
  expect(session?.starts_at).toBe('2027-10-31T00:30:00.000Z');
});

test('a list that would leave the calendar is refused', async () => {
  const place = await createPlace();
  const late = { ...evening, starts_local: '2100-12-20T18:00', count: 3 };
  expect(await refusal(await place.client.post(place.path, late))).toMatchObject({
    status: 400,
    fields: { starts_local: ['This date does not exist'] },
  });
});
