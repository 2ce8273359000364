import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { meetings } from '#db/schema/meetings.ts';
import type { Cohort, DatesPreview } from '#features/cohorts/schema.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { cohortPath, noWindow, readCohort, refusal } from '../planning/support.ts';
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

async function move(place: Place, target: object, options = {}) {
  const { starts_on, ends_on, time_zone } = await readCohort(place.client, place.cohort.id);
  const days = { starts_on, ends_on, time_zone };
  const input = { ...days, expected: { ...days, ...noWindow }, ...target };
  return place.client.post(cohortPath(place.cohort.id, 'move/'), input, options);
}

async function moved(place: Place, target: object): Promise<DatesPreview> {
  const response = await move(place, target);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json<DatesPreview>();
}

const timesOf = (sessions: Meeting[]) => sessions.map(({ starts_local }) => starts_local);

describe('a move takes the sessions along', () => {
  test('by as many days as the first day, on the same clock time', async () => {
    const place = await createPlace();
    const [first] = await addMeetings(place, { count: 2 });
    const before = await readMeetings(place);
    const target = { starts_on: '2027-03-29', ends_on: '2027-12-28' };
    const preview = await moved(place, { ...target, dry_run: true });
    expect(preview.meetings).toEqual([
      expect.objectContaining({ id: first?.id, title: 'Reading aloud', is_adjusted: false }),
      expect.objectContaining({ before: '2027-03-09T18:00', after: '2027-04-06T18:00' }),
    ]);
    const [{ before: from, after: to } = {}] = preview.meetings ?? [];
    expect([from, to]).toEqual(['2027-03-02T18:00', '2027-03-30T18:00']);
    expect(await readMeetings(place)).toEqual(before);

    vi.setSystemTime('2027-02-01T10:00:00Z');
    await moved(place, target);
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
    expect((await moved(place, target)).meetings).toHaveLength(2);
    expect(await readMeetings(place)).toMatchObject([{ sequence: 1 }, { sequence: 1 }]);
  });

  test('unless only the last day is another, or they are canceled', async () => {
    const place = await createPlace({}, { isPublished: true });
    const session = await addMeeting(place);
    await moved(place, { ends_on: '2027-12-24' });
    expect(await readMeetings(place)).toEqual([session]);
    await place.drop(session.id);
    await moved(place, { starts_on: '2027-03-08', ends_on: '2027-12-07' });
    expect(await readMeetings(place)).toMatchObject([
      { starts_local: '2027-03-02T18:00', sequence: 1, status: 'cancelled' },
    ]);
  });
});

describe('no session moves unseen', () => {
  const target = { starts_on: '2027-03-08', ends_on: '2027-12-07' };

  test('one that has changed since the preview refuses the move', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const { meetings_mark: expected_meetings } = await moved(place, { ...target, dry_run: true });
    await place.change(id, { title: 'Another' });
    const refused = await move(place, { ...target, expected_meetings });
    expect(await refusal(refused)).toMatchObject({ status: 422, code: 'dates_changed' });
    expect(timesOf(await readMeetings(place))).toEqual(['2027-03-02T18:00']);
  });

  test('one that comes after the request has read them refuses it too', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const DB = beforeWriting(async () => {
      await db.update(meetings).set({ sequence: 7 }).where(eq(meetings.id, id));
    });
    const refused = await move(place, target, { bindings: { DB } });
    expect(await refusal(refused)).toMatchObject({ code: 'dates_changed' });
    expect(await readCohort(place.client, place.cohort.id)).toMatchObject({
      starts_on: year.starts_on,
    });
    expect(timesOf(await readMeetings(place))).toEqual(['2027-03-02T18:00']);
  });
});

describe('what people know after a move', () => {
  test.each([
    [true, [true, false]],
    [false, [false, false]],
  ])('told: %s', async (notify, known) => {
    const place = await createPlace({}, { isPublished: true });
    await addMeeting(place);
    await createEnrollment(place.of);
    // People have not been told of this one.
    await addMeeting(place, { starts_local: '2027-03-03T18:00' });
    await moved(place, { starts_on: '2027-03-08', ends_on: '2027-12-07', notify });
    const sessions = await readMeetings(place);
    expect(sessions.map((session) => session.is_announced)).toEqual(known);
  });
});

describe('a copy', () => {
  const copyOf = async (place: Place, input = {}) => {
    const response = await place.client.post(
      cohortPath(place.cohort.id, 'duplicate/'),
      { name: 'Next', starts_on: '2028-03-06', ...input },
      { headers: { 'Idempotency-Key': 'copy' } },
    );
    expect(response.status, await response.clone().text()).toBe(201);
    const { id } = await response.json<Cohort>();
    return { client: place.client, path: meetingsPath(id) };
  };

  test('has the sessions on its own days, without links, numbers and canceled ones', async () => {
    const place = await createPlace({}, { isPublished: true });
    const link = { join_url: 'https://meet.example/1', note: 'Bring a pen', place: 'Room 4' };
    const [, second] = await addMeetings(place, { ...link, count: 3 });
    await place.drop(second?.id);
    const copy = await copyOf(place);
    const copied = {
      title: 'Reading aloud',
      duration_minutes: 90,
      place: 'Room 4',
      note: 'Bring a pen',
      join_url: null,
      sequence: 0,
      is_announced: true,
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
    const input = { name: 'Next', starts_on: '2028-03-06', dry_run: true };
    const shown = await place.client.post(cohortPath(place.cohort.id, 'duplicate/'), input);
    expect(await shown.json()).toMatchObject({
      meetings: [{ before: '2027-03-02T18:00', after: '2028-03-07T18:00', is_adjusted: false }],
    });
    expect(await readMeetings(await copyOf(place, { with_join_url: true }))).toMatchObject([link]);
  });
});

describe('a change of the cohort', () => {
  const patch = (place: Place, input: object) =>
    place.client.request('PATCH', cohortPath(place.cohort.id), input);

  test('another zone keeps the clocks of its sessions, by a move or in a draft, and moves instants', async () => {
    const zone = { time_zone: 'Asia/Kathmandu' };
    const clocks = { starts_local: '2027-03-02T18:00', starts_at: '2027-03-02T12:15:00.000Z' };
    for (const change of [moved, patch]) {
      const place = await createPlace();
      await addMeeting(place);
      await change(place, zone);
      expect(await readMeetings(place)).toMatchObject([{ ...clocks, ...zone, sequence: 1 }]);
    }
  });

  test('another zone keeps what is changed of a session meanwhile', async () => {
    const place = await createPlace();
    await addMeeting(place);
    const [session] = await readMeetings(place);
    const changed = { startsLocal: '2027-03-04T09:00', sequence: 1, updatedAt: new Date() };
    const isThis = eq(meetings.id, session?.id ?? '');
    // After the sessions were read.
    const DB = beforeWriting(async () => {
      await db.update(meetings).set(changed).where(isThis);
    }, 3);
    const bindings = { DB };
    const zone = { time_zone: 'Asia/Kathmandu' };
    const path = cohortPath(place.cohort.id);
    expect((await place.client.request('PATCH', path, zone, { bindings })).status).toBe(200);

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
    await patch(place, { place: 'Room 2' });
    expect(await readMeetings(place)).toMatchObject([
      { sequence: 1, is_announced: false },
      { sequence: 0 },
    ]);
    await patch(place, { place: 'Room 1' });
    expect(await readMeetings(place)).toMatchObject([
      { sequence: 2, is_announced: true },
      { sequence: 0 },
    ]);
  });
});
