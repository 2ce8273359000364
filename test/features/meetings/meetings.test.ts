import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import { invalid } from '../planning/support.ts';
import {
  addMeeting,
  addMeetings,
  createNextPlace,
  createPlace,
  evening,
  meetingsPath,
  planMeetings,
  readMeetings,
  startAt,
} from './support.ts';

startAt('2027-02-01T09:00:00Z');

test('a live session is added, changed and deleted, and no other', async () => {
  const place = await createPlace();
  const added = await addMeeting(place);
  expect(added).toEqual({
    id: expect.any(String),
    cohort_id: place.cohort.id,
    ...evening,
    time_zone: 'Europe/Paris',
    starts_at: '2027-03-02T17:00:00.000Z',
    ends_at: '2027-03-02T18:30:00.000Z',
    ...{ place: null, join_url: null, note: null, public_line: null },
    status: 'coming',
    is_announced: true,
    announced_local: '2027-03-02T18:00',
    sequence: 0,
    warnings: [],
    cancelled_at: null,
    created_at: '2027-02-01T09:00:00.000Z',
    updated_at: '2027-02-01T09:00:00.000Z',
  });
  const later = await addMeeting(place, { starts_local: '2027-09-07T18:00' });
  expect(await readMeetings(place)).toEqual([added, later]);

  const patch = { title: ' Listening ', starts_local: '2027-07-06T18:00', place: 'Room 4' };
  const { status, body: meeting } = await place.change(added.id, patch);
  expect(status).toBe(200);
  expect(meeting).toMatchObject({
    title: 'Listening',
    starts_at: '2027-07-06T16:00:00.000Z',
    place: 'Room 4',
    duration_minutes: 90,
    sequence: 1,
  });
  expect(await readMeetings(place)).toEqual([meeting, later]);

  // It is found in its own cohort only.
  const other = meetingsPath((await createNextPlace(place)).cohort.id, added.id);
  expect((await place.send('PATCH', other, patch)).status).toBe(404);
  expect((await place.send('DELETE', other)).status).toBe(404);
  expect((await place.drop(added.id)).status).toBe(204);
  expect(await readMeetings(place)).toEqual([later]);
  expect((await place.drop(added.id)).status).toBe(404);
});

test('the sequence number rises with what calendars show, once for each change', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  for (const [patch, sequence] of [
    [{ title: 'Another' }, 1],
    [{ starts_local: '2027-03-02T18:05' }, 2],
    [{ duration_minutes: 95 }, 3],
    [{ place: 'Room 4' }, 4],
    [{ ...evening, place: 'Room 5' }, 5],
    [{ join_url: 'https://meet.example/1', note: 'Bring a pen' }, 5],
    [evening, 5],
  ] as const) {
    for (const _ of ['once', 'again']) {
      const { body } = await place.change(id, patch);
      expect(body, JSON.stringify(patch)).toMatchObject({ sequence });
    }
  }
});

test('a session of a published cohort is canceled, stays in the list, and cannot be changed, until it begins', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addMeeting(place);
  expect((await place.drop(id)).status).toBe(204);

  const [cancelled] = await readMeetings(place);
  const cancelled_at = '2027-02-01T09:00:00.000Z';
  expect(cancelled).toMatchObject({ status: 'cancelled', sequence: 1, cancelled_at });
  vi.setSystemTime('2027-02-02T09:00:00Z');
  expect((await place.drop(id)).status).toBe(204);
  expect(await readMeetings(place)).toEqual([cancelled]);
  const changed = await place.change(id, { title: 'Another' });
  expect(changed).toMatchObject(refused('meeting_cancelled'));
  // One that has begun is deleted.
  const begun = await addMeeting(place, { starts_local: '2027-02-02T10:00' });
  await place.drop(begun.id);
  expect(await readMeetings(place)).toEqual([cancelled]);
});

test('what a session is at a moment follows the clock', async () => {
  const place = await createPlace();
  await addMeeting(place);
  for (const [now, status] of [
    ['2027-03-02T16:59:59.999Z', 'coming'],
    ['2027-03-02T17:00:00.000Z', 'running'],
    ['2027-03-02T18:29:59.999Z', 'running'],
    ['2027-03-02T18:30:00.000Z', 'over'],
  ] as const) {
    vi.setSystemTime(now);
    expect(await readMeetings(place)).toMatchObject([{ status }]);
  }
});

const minutes = 'Please enter 5 to 1,440 minutes';
const weeks = 'Please enter 1 to 60 weeks';

test.each<[object, string, isOfNew?: boolean]>([
  [{ title: ' ' }, 'Title is required'],
  [{ title: 'a\u0000' }, 'Please use only printable characters'],
  [{ duration_minutes: 4 }, minutes],
  [{ duration_minutes: 1441 }, minutes],
  [{ starts_local: '' }, 'Please choose a date'],
  [{ starts_local: '2027-03-02T' }, 'Please choose a time'],
  [{ starts_local: '2027-02-30T18:00' }, 'This date does not exist'],
  [{ place: 'https://meet.example/1' }, 'Please write the place in one line, without a link'],
  [{ join_url: 'http://meet.example' }, 'Please enter a link that starts with https://'],
  [{ note: 'x'.repeat(1_001) }, 'Note must be at most 1,000 characters'],
  [{ count: 0 }, weeks, true],
  [{ count: 61 }, weeks, true],
  [{ count: 1.5 }, weeks, true],
  // A list that would leave the calendar.
  [{ starts_local: '2100-12-20T18:00', count: 3 }, 'This date does not exist', true],
])('%j is refused in words, also as a change', async (values, message, isOfNew = false) => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const answer = invalid({ [Object.keys(values)[0] ?? '']: [message] });
  expect(await place.send('POST', place.path, { ...evening, ...values })).toMatchObject(answer);
  if (!isOfNew) {
    expect(await place.change(id, values)).toMatchObject(answer);
  }
});

describe('weekly sessions', () => {
  test('keep their clock time across clock changes', async () => {
    const sessions = await addMeetings(await createPlace(), { count: 36 });
    expect([...new Set(sessions.map((one) => one.starts_local.slice(11)))]).toEqual(['18:00']);
    const hours = sessions.map(({ starts_at }) => starts_at.slice(11, 16));
    // From 28 March and until 31 October, Paris is two hours ahead of UTC.
    const [winter, summer] = [Array(4).fill('17:00'), Array(31).fill('16:00')];
    expect(hours).toEqual([...winter, ...summer, '17:00']);
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
    const timesOf = (all: Pick<Meeting, 'starts_local' | 'starts_at'>[]) =>
      all.map(({ starts_local, starts_at }) => [starts_local, starts_at]);
    expect(timesOf(added)).toEqual(timesOf(planned));

    const skipped = { starts_local: '2027-03-28T02:30' };
    const words = expect.stringMatching(
      /^At this moment the clocks go forward in Paris: 2:30\sAM does not exist on Sunday, March 28, 2027$/,
    );
    for (const answer of [
      await place.send('POST', place.path, { ...evening, ...skipped, count: 3 }),
      await place.send('POST', place.path, { ...evening, ...skipped }),
      await place.change(added[0]?.id, skipped),
    ]) {
      expect(answer).toMatchObject(invalid({ starts_local: [words] }));
    }
    // A time that comes twice is the first.
    const twice = await addMeeting(place, { starts_local: '2027-10-31T02:30' });
    expect(twice.starts_at).toBe('2027-10-31T00:30:00.000Z');
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

test('a session outside the days of its cohort is saved, and says so', async () => {
  const place = await createPlace();
  const warnings = ['outside_dates'];
  const early = { starts_local: '2027-02-28T18:00' };
  expect(await addMeeting(place, early)).toMatchObject({ warnings });
  const late = { starts_local: '2027-11-30T23:00', duration_minutes: 61 };
  expect(await addMeeting(place, late)).toMatchObject({ warnings });
  const inside = await addMeeting(place, { ...late, duration_minutes: 60 });
  expect(inside.warnings).not.toContain('outside_dates');
});

test('two sessions of an instructor at the same time say so, in whichever cohort', async () => {
  const place = await createPlace();
  const there = await createNextPlace(place);
  await addMeeting(place);
  for (const [starts_local, warnings] of [
    ['2027-03-02T19:29', ['overlaps']],
    ['2027-03-02T19:30', []],
    ['2027-03-02T16:31', ['overlaps']],
    ['2027-03-02T16:30', []],
  ] as const) {
    const meeting = await addMeeting(there, { starts_local });
    expect(meeting, starts_local).toMatchObject({ warnings });
    await there.send('DELETE', meetingsPath(there.cohort.id, meeting.id));
  }
  expect(await addMeeting(there)).toMatchObject({ warnings: ['overlaps'] });
  expect(await readMeetings(place)).toMatchObject([{ warnings: ['overlaps'] }]);
  await there.send('DELETE', `/api/cohorts/${there.cohort.id}/`, { notify: false });
  expect(await readMeetings(place)).toMatchObject([{ warnings: [] }]);
});

test('a cohort holds 200 sessions at most: all of a list, or none', async () => {
  const place = await createPlace();
  for (const count of [60, 60, 60, 19]) {
    await addMeetings(place, { count });
  }
  const add = (input = {}) => place.send('POST', place.path, { ...evening, ...input });
  const tooMany = refused('too_many_meetings');
  expect(await add({ count: 2, dry_run: true })).toMatchObject(tooMany);
  expect(await add({ count: 2 })).toMatchObject(tooMany);
  expect(await readMeetings(place)).toHaveLength(199);
  expect((await add()).status).toBe(201);
  expect(await add()).toMatchObject(tooMany);
});

test('a request that is sent again with its key creates nothing more, and another is refused', async () => {
  const options = { headers: { 'Idempotency-Key': 'weekly' } };
  const place = await createPlace();
  const send = (values = {}) =>
    place.send<Meeting[]>('POST', place.path, { ...evening, count: 3, ...values }, options);
  const [first, second] = await Promise.all([send(), send()]);
  const { body: made } = first;
  expect(made).toHaveLength(3);
  expect(second.body).toEqual(made);

  await place.drop(made[1]?.id);
  expect((await send()).body).toEqual([made[0], made[2]]);
  for (const values of [{ title: 'Another' }, { count: 2 }, { starts_local: '2027-03-03T18:00' }]) {
    expect(await send(values)).toMatchObject(refused('idempotency_key_reused'));
  }
  expect(await readMeetings(place)).toHaveLength(2);
});

describe('nothing is written', () => {
  test('into a cohort in the trash', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    await place.act('DELETE', '', { notify: false });
    for (const answer of [
      await place.send('POST', place.path, evening),
      await place.change(id, { title: 'Another' }),
      await place.drop(id),
    ]) {
      expect(answer).toMatchObject(refused('cohort_in_trash'));
    }
    expect(await readMeetings(place)).toMatchObject([{ title: evening.title }]);
  });

  test('by the zone that a cohort had before', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const moving = (timeZone: string) => {
      const DB = beforeWriting(async () => {
        await db.update(cohorts).set({ timeZone }).where(eq(cohorts.id, place.cohort.id));
      });
      return { bindings: { DB } };
    };
    const patch = { starts_local: '2027-03-09T18:00' };
    for (const answer of [
      await place.send('POST', place.path, evening, moving('Europe/Athens')),
      await place.change(id, patch, moving('Europe/Paris')),
    ]) {
      expect(answer).toMatchObject(refused('dates_changed'));
    }
    const { starts_local } = evening;
    expect(await readMeetings(place)).toMatchObject([{ id, starts_local, sequence: 0 }]);
  });
});

const isAnnounced = async (place: Parameters<typeof readMeetings>[0]) =>
  (await readMeetings(place)).map((meeting) => meeting.is_announced);

test('a change is to be announced where people are enrolled, until it is taken back', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addMeeting(place, { place: 'Room 1' });
  const known = { ...evening, starts_local: '2027-03-02T18:30', place: 'Room 1' };
  await place.change(id, known);
  expect(await isAnnounced(place)).toEqual([true]);

  await createEnrollment(place.of);
  for (const patch of [
    { starts_local: '2027-03-02T19:00' },
    { title: 'Another' },
    { duration_minutes: 60 },
    { place: 'Room 4' },
  ]) {
    await place.change(id, patch);
    expect(await isAnnounced(place), JSON.stringify(patch)).toEqual([false]);
    await place.change(id, known);
    expect(await isAnnounced(place)).toEqual([true]);
  }
  await place.change(id, { note: 'Bring a pen', join_url: 'https://meet.example/1' });
  expect(await isAnnounced(place)).toEqual([true]);
  await place.drop(id);
  expect(await isAnnounced(place)).toEqual([false]);
  // So is a new one, unless it is canceled before.
  const added = await addMeeting(place);
  expect(await isAnnounced(place)).toEqual([false, false]);
  await place.drop(added.id);
  expect(await isAnnounced(place)).toEqual([true, false]);
});

test('nothing is to be announced of a draft, of what has begun, and to people who wait', async () => {
  const waiting = { status: 'waitlisted', queueNo: 1 } as const;
  for (const [isPublished, enrollment, session] of [
    [false, {}, {}],
    [true, {}, { starts_local: '2027-02-01T10:00' }],
    [true, waiting, {}],
  ] as const) {
    const place = await createPlace({}, { isPublished });
    await createEnrollment(place.of, enrollment);
    await addMeeting(place, session);
    expect(await isAnnounced(place)).toEqual([true]);
  }
});
