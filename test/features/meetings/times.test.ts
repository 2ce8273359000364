import { describe, expect, test } from 'vitest';
import { refusal } from '../planning/support.ts';
import { addMeetings, createPlace, evening, planMeetings } from './support.ts';

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
    expect(planned.map(({ warnings }) => warnings)).toEqual([[], ['overlaps'], ['outside_dates']]);
    const past = await planMeetings(place, { starts_local: '2020-03-02T18:00' });
    expect(past).toMatchObject([{ warnings: ['outside_dates', 'in_past'] }]);
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
