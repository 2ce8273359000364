import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { meetings } from '#db/schema/meetings.ts';
import type { DatesPreview } from '#features/cohorts/schema.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { refused } from '../places/support.ts';
import { move, readCohort } from '../planning/support.ts';
import {
  addMeeting,
  addMeetings,
  createPlace,
  meetingsPath,
  readMeetings,
  startAt,
  year,
} from './support.ts';

startAt('2027-02-01T09:00:00Z');
beforeEach(() => {
  fakeResend();
});

type Place = Awaited<ReturnType<typeof createPlace>>;

async function moved(place: Place, target: object): Promise<DatesPreview> {
  const { status, body } = await move(place, target);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** A week later. */
const target = { starts_on: '2027-03-08', ends_on: '2027-12-07' };

describe('a move takes the sessions along', () => {
  test('by as many days as the first day, on the same clock time', async () => {
    const place = await createPlace();
    const [first] = await addMeetings(place, { count: 2 });
    const before = await readMeetings(place);
    const month = { starts_on: '2027-03-29', ends_on: '2027-12-28' };
    const preview = await moved(place, { ...month, dry_run: true });
    const of = { title: 'Reading aloud', is_adjusted: false };
    expect(preview.meetings).toMatchObject([
      { ...of, id: first?.id, before: '2027-03-02T18:00', after: '2027-03-30T18:00' },
      { ...of, before: '2027-03-09T18:00', after: '2027-04-06T18:00' },
    ]);
    expect(await readMeetings(place)).toEqual(before);

    vi.setSystemTime('2027-02-01T10:00:00Z');
    await moved(place, month);
    expect(await readMeetings(place)).toEqual([
      {
        ...before[0],
        starts_local: '2027-03-30T18:00',
        announced_local: '2027-03-30T18:00',
        starts_at: '2027-03-30T16:00:00.000Z',
        ends_at: '2027-03-30T17:30:00.000Z',
        sequence: 1,
        updated_at: '2027-02-01T10:00:00.000Z',
      },
      expect.objectContaining({ starts_local: '2027-04-06T18:00', sequence: 1 }),
    ]);
    expect((await moved(place, month)).meetings).toHaveLength(2);
    expect(await readMeetings(place)).toMatchObject([{ sequence: 1 }, { sequence: 1 }]);
  });

  test('unless only the last day is another, or they are canceled', async () => {
    const place = await createPlace({}, { isPublished: true });
    const session = await addMeeting(place);
    await moved(place, { ends_on: '2027-12-24' });
    expect(await readMeetings(place)).toEqual([session]);
    await place.drop(session.id);
    await moved(place, target);
    expect(await readMeetings(place)).toMatchObject([
      { starts_local: '2027-03-02T18:00', sequence: 1, status: 'cancelled' },
    ]);
  });
});

test('a session that has changed since the preview, or while the request reads it, refuses the move', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const { meetings_mark: expected_meetings } = await moved(place, { ...target, dry_run: true });
  await place.change(id, { title: 'Another' });
  const stale = await move(place, { ...target, expected_meetings });
  expect(stale).toMatchObject(refused('dates_changed'));

  const DB = beforeWriting(async () => {
    await db.update(meetings).set({ sequence: 7 }).where(eq(meetings.id, id));
  });
  const raced = await move(place, target, { bindings: { DB } });
  expect(raced).toMatchObject(refused('dates_changed'));
  const { starts_on } = await readCohort(place, place.cohort.id);
  expect(starts_on).toBe(year.starts_on);
  expect(await readMeetings(place)).toMatchObject([{ starts_local: '2027-03-02T18:00' }]);
});

test.each([
  [true, [true, false]],
  [false, [false, false]],
])('what people know after a move, told: %s', async (notify, known) => {
  const place = await createPlace({}, { isPublished: true });
  await addMeeting(place);
  await createEnrollment(place.of);
  // People have not been told of this one.
  await addMeeting(place, { starts_local: '2027-03-03T18:00' });
  await moved(place, { ...target, notify });
  const sessions = await readMeetings(place);
  expect(sessions.map((session) => session.is_announced)).toEqual(known);
});

describe('a copy', () => {
  const next = { name: 'Next', starts_on: '2028-03-06' };

  async function copyOf(place: Place, input = {}) {
    const options = { headers: { 'Idempotency-Key': 'copy' } };
    const copy = await place.act('POST', 'duplicate/', { ...next, ...input }, options);
    expect(copy.status).toBe(201);
    return { client: place.client, path: meetingsPath(copy.body.id) };
  }

  test('has the sessions on its own days, without links, numbers and canceled ones', async () => {
    const place = await createPlace({}, { isPublished: true });
    const link = { join_url: 'https://meet.example/1', note: 'Bring a pen', place: 'Room 4' };
    const [, second] = await addMeetings(place, { ...link, count: 3 });
    await place.drop(second?.id);
    const copy = await copyOf(place);
    const copied = {
      ...{ title: 'Reading aloud', duration_minutes: 90, place: 'Room 4', note: 'Bring a pen' },
      ...{ join_url: null, sequence: 0, is_announced: true },
    };
    expect(await readMeetings(copy)).toMatchObject([
      { ...copied, starts_local: '2028-03-07T18:00' },
      { ...copied, starts_local: '2028-03-21T18:00' },
    ]);
    // A retry copies nothing again.
    await copyOf(place);
    expect(await readMeetings(copy)).toHaveLength(2);
    expect(await readMeetings(place)).toHaveLength(3);
  });

  test('is shown with them before it is made, and has their links if it is asked for', async () => {
    const place = await createPlace();
    const link = { join_url: 'https://meet.example/1' };
    await addMeeting(place, link);
    const shown = await place.post('duplicate', { ...next, dry_run: true });
    expect(shown.body).toMatchObject({
      meetings: [{ before: '2027-03-02T18:00', after: '2028-03-07T18:00', is_adjusted: false }],
    });
    expect(await readMeetings(await copyOf(place, { with_join_url: true }))).toMatchObject([link]);
  });
});

describe('a change of the cohort', () => {
  const zone = { time_zone: 'Asia/Kathmandu' };

  test('another zone keeps the clocks of its sessions, by a move or in a draft, and moves instants', async () => {
    const clocks = { starts_local: '2027-03-02T18:00', starts_at: '2027-03-02T12:15:00.000Z' };
    for (const change of [moved, ({ patch }: Place) => patch(zone)]) {
      const place = await createPlace();
      await addMeeting(place);
      await change(place, zone);
      expect(await readMeetings(place)).toMatchObject([{ ...clocks, ...zone, sequence: 1 }]);
    }
  });

  test('another zone keeps what is changed of a session meanwhile', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const changed = { startsLocal: '2027-03-04T09:00', sequence: 1, updatedAt: new Date() };
    // After the sessions were read.
    const DB = beforeWriting(async () => {
      await db.update(meetings).set(changed).where(eq(meetings.id, id));
    }, 3);
    expect((await place.patch(zone, { bindings: { DB } })).status).toBe(200);

    expect(await readMeetings(place)).toMatchObject([
      { starts_local: '2027-03-04T09:00', starts_at: '2027-03-04T03:15:00.000Z', sequence: 2 },
    ]);
  });

  test('another place counts for the sessions that are where the cohort is', async () => {
    const place = await createPlace({ place: 'Room 1' }, { isPublished: true });
    await addMeeting(place);
    await addMeeting(place, { starts_local: '2027-03-03T18:00', place: 'Room 4' });
    await createEnrollment(place.of);
    await db.update(meetings).set({ announced: null }).where(eq(meetings.place, 'Room 4'));
    for (const [room, sequence, is_announced] of [
      ['Room 2', 1, false],
      ['Room 1', 2, true],
    ] as const) {
      await place.patch({ place: room });
      expect(await readMeetings(place)).toMatchObject([
        { sequence, is_announced },
        { sequence: 0 },
      ]);
    }
  });
});
