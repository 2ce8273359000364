import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import { meetings } from '#features/meetings/table.ts';
import { createClient } from '#support/client.ts';
import { beforeWriting } from '#support/database.ts';
import { db } from '#support/factories.ts';
import { cohortPath, createCohort, createTeacher, refusal } from '../cohorts/support.ts';
import {
  addMeeting,
  addMeetings,
  createPlace,
  evening,
  meetingRowOf,
  meetingsPath,
  readMeetings,
  year,
} from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-01T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const none = '00000000-0000-4000-8000-000000000000';

test('a live session is added, changed and deleted', async () => {
  const place = await createPlace();
  const added = await addMeeting(place);
  expect(added).toEqual({
    id: expect.any(String),
    cohort_id: place.cohort.id,
    ...evening,
    time_zone: 'Europe/Paris',
    starts_at: '2027-03-02T17:00:00.000Z',
    ends_at: '2027-03-02T18:30:00.000Z',
    place: null,
    join_url: null,
    note: null,
    status: 'coming',
    is_announced: true,
    sequence: 0,
    warnings: [],
    cancelled_at: null,
    created_at: '2027-02-01T09:00:00.000Z',
    updated_at: '2027-02-01T09:00:00.000Z',
  });
  expect(await readMeetings(place)).toEqual([added]);

  const path = meetingsPath(place.cohort.id, added.id);
  const patch = { title: ' Listening ', starts_local: '2027-07-06T18:00', place: 'Room 4' };
  const changed = await place.client.request('PATCH', path, patch);
  expect(changed.status).toBe(200);
  const meeting = await changed.json<Meeting>();
  expect(meeting).toMatchObject({
    title: 'Listening',
    starts_at: '2027-07-06T16:00:00.000Z',
    place: 'Room 4',
    duration_minutes: 90,
    sequence: 1,
  });
  expect(await readMeetings(place)).toEqual([meeting]);

  expect((await place.client.request('DELETE', path)).status).toBe(204);
  expect(await readMeetings(place)).toEqual([]);
  expect((await place.client.request('DELETE', path)).status).toBe(404);
});

test.each([
  ['title', { title: 'Another' }, 1],
  ['time', { starts_local: '2027-03-02T18:05' }, 1],
  ['length', { duration_minutes: 95 }, 1],
  ['place', { place: 'Room 4' }, 1],
  ['several of these', { title: 'Another', duration_minutes: 95, place: 'Room 4' }, 1],
  ['join link', { join_url: 'https://meet.example/1' }, 0],
  ['note', { note: 'Bring a pen' }, 0],
  ['nothing', evening, 0],
])('a change of %s raises the sequence number as it should', async (_what, patch, sequence) => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const path = meetingsPath(place.cohort.id, id);
  const changed = await place.client.request('PATCH', path, patch);
  expect(await changed.json()).toMatchObject({ sequence });
  const again = await place.client.request('PATCH', path, patch);
  expect(await again.json()).toMatchObject({ sequence });
});

describe('a session of a published cohort', () => {
  test('that is still to come is canceled, stays in the list, and cannot be changed', async () => {
    const place = await createPlace({}, { isPublished: true });
    const { id } = await addMeeting(place);
    const path = meetingsPath(place.cohort.id, id);
    expect((await place.client.request('DELETE', path)).status).toBe(204);

    const [cancelled] = await readMeetings(place);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      sequence: 1,
      cancelled_at: '2027-02-01T09:00:00.000Z',
    });
    vi.setSystemTime('2027-02-02T09:00:00Z');
    expect((await place.client.request('DELETE', path)).status).toBe(204);
    expect(await readMeetings(place)).toEqual([cancelled]);
    const changed = await place.client.request('PATCH', path, { title: 'Another' });
    expect(await refusal(changed)).toMatchObject({
      status: 422,
      code: 'meeting_cancelled',
      message: 'This session is canceled. Add a new one instead.',
    });
  });

  test('that has begun is deleted', async () => {
    const place = await createPlace({}, { isPublished: true });
    const { id } = await addMeeting(place, { starts_local: '2027-02-01T10:00' });
    await place.client.request('DELETE', meetingsPath(place.cohort.id, id));
    expect(await readMeetings(place)).toEqual([]);
  });
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

test.each([
  [{ title: ' ' }, 'title', 'Title is required'],
  [{ title: 'x'.repeat(121) }, 'title', 'Title must be at most 120 characters'],
  [{ title: 'a\u0000' }, 'title', 'Please use only printable characters'],
  [{ duration_minutes: 4 }, 'duration_minutes', 'Please enter 5 to 1,440 minutes'],
  [{ duration_minutes: 1441 }, 'duration_minutes', 'Please enter 5 to 1,440 minutes'],
  [{ duration_minutes: 7.5 }, 'duration_minutes', 'Please enter 5 to 1,440 minutes'],
  [{ starts_local: '' }, 'starts_local', 'Please choose a date'],
  [{ starts_local: 'T18:00' }, 'starts_local', 'Please choose a date'],
  [{ starts_local: '2027-03-02T' }, 'starts_local', 'Please choose a time'],
  [{ starts_local: '2027-02-30T18:00' }, 'starts_local', 'This date does not exist'],
  [{ starts_local: '2027-03-02T18:00Z' }, 'starts_local', 'This date does not exist'],
  [
    { place: 'https://meet.example/1' },
    'place',
    'Please write the place in one line, without a link',
  ],
  [
    { join_url: 'http://meet.example' },
    'join_url',
    'Please enter an address that starts with https://',
  ],
  [{ note: 'x'.repeat(1_001) }, 'note', 'Note must be at most 1,000 characters'],
])('%j is refused in words, also as a change', async (values, field, message) => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const posted = await place.client.post(place.path, { ...evening, ...values });
  expect(await refusal(posted)).toMatchObject({ status: 400, fields: { [field]: [message] } });
  const patched = await place.client.request('PATCH', meetingsPath(place.cohort.id, id), values);
  expect(await refusal(patched)).toMatchObject({ status: 400, fields: { [field]: [message] } });
});

test.each([0, 61, 1.5])('%s weeks are refused', async (count) => {
  const place = await createPlace();
  const refused = await place.client.post(place.path, { ...evening, count });
  expect(await refusal(refused)).toMatchObject({
    fields: { count: ['Please enter 1 to 60 weeks'] },
  });
});

describe('warnings', () => {
  test('a session outside the days of its cohort is saved, and says so', async () => {
    const place = await createPlace();
    expect(await addMeeting(place, { starts_local: '2027-02-28T18:00' })).toMatchObject({
      warnings: ['outside_dates'],
    });
    const late = { starts_local: '2027-11-30T23:00', duration_minutes: 61 };
    expect(await addMeeting(place, late)).toMatchObject({ warnings: ['outside_dates'] });
    expect(await addMeeting(place, { ...late, duration_minutes: 60 })).not.toMatchObject({
      warnings: ['outside_dates'],
    });
  });

  test('two sessions of an instructor at the same time say so, in whichever cohort', async () => {
    const place = await createPlace();
    const other = await createCohort(
      { ...place, path: `/api/courses/${place.course.id}/cohorts/` },
      { ...year, name: 'Other' },
    );
    const there = { client: place.client, path: meetingsPath(other.id) };
    await addMeeting(place);
    for (const [starts_local, warnings] of [
      ['2027-03-02T19:29', ['overlaps']],
      ['2027-03-02T19:30', []],
      ['2027-03-02T16:31', ['overlaps']],
      ['2027-03-02T16:30', []],
    ] as const) {
      const meeting = await addMeeting(there, { starts_local });
      expect(meeting, starts_local).toMatchObject({ warnings });
      await place.client.request('DELETE', meetingsPath(other.id, meeting.id));
    }
    const meeting = await addMeeting(there);
    expect(await readMeetings(place)).toMatchObject([{ warnings: ['overlaps'] }]);
    await place.client.request('DELETE', cohortPath(other.id), { notify: false });
    expect(await readMeetings(place)).toMatchObject([{ warnings: [] }]);
    expect(meeting.warnings).toEqual(['overlaps']);
  });
});

test('a cohort holds 200 sessions at most: all of a list, or none', async () => {
  const place = await createPlace();
  for (const count of [60, 60, 60, 19]) {
    await addMeetings(place, {
      count,
      starts_local: `2027-03-0${count % 7}T18:00`.replace('00T', '07T'),
    });
  }
  const tooMany = {
    status: 422,
    code: 'too_many_meetings',
    message: 'A cohort holds 200 live sessions at most.',
  };
  for (const dry_run of [true, false]) {
    const refused = await place.client.post(place.path, { ...evening, count: 2, dry_run });
    expect(await refusal(refused)).toMatchObject(tooMany);
  }
  expect(await readMeetings(place)).toHaveLength(199);
  await addMeeting(place);
  expect(await refusal(await place.client.post(place.path, evening))).toMatchObject(tooMany);
});

describe('a request that is sent again with its key', () => {
  const headers = { 'Idempotency-Key': 'weekly' };

  test('creates nothing more, and is answered with what there is', async () => {
    const place = await createPlace();
    const input = { ...evening, count: 3 };
    const send = () => place.client.post(place.path, input, { headers });
    const [first, second] = await Promise.all([send(), send()]);
    const made = await first.json<Meeting[]>();
    expect(made).toHaveLength(3);
    expect(await second.json()).toEqual(made);

    await place.client.request('DELETE', meetingsPath(place.cohort.id, made[1]?.id));
    expect(await (await send()).json()).toEqual([made[0], made[2]]);
    expect(await readMeetings(place)).toHaveLength(2);
  });

  test.each([{ title: 'Another' }, { count: 2 }, { starts_local: '2027-03-03T18:00' }])(
    'with %j it is refused',
    async (values) => {
      const place = await createPlace();
      await place.client.post(place.path, { ...evening, count: 3 }, { headers });
      const other = await place.client.post(
        place.path,
        { ...evening, count: 3, ...values },
        {
          headers,
        },
      );
      expect(await refusal(other)).toMatchObject({ code: 'idempotency_key_reused' });
      expect(await readMeetings(place)).toHaveLength(3);
    },
  );
});

describe('nothing is written', () => {
  test('into a cohort in the trash', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const path = meetingsPath(place.cohort.id, id);
    await place.client.request('DELETE', cohortPath(place.cohort.id), { notify: false });
    for (const refused of [
      await place.client.post(place.path, evening),
      await place.client.request('PATCH', path, { title: 'Another' }),
      await place.client.request('DELETE', path),
    ]) {
      expect(await refusal(refused)).toMatchObject({ code: 'cohort_in_trash' });
    }
    expect(await readMeetings(place)).toMatchObject([{ title: evening.title }]);
  });

  test('by the zone that a cohort had before', async () => {
    const place = await createPlace();
    const { id } = await addMeeting(place);
    const change = (timeZone: string) =>
      beforeWriting(async () => {
        await db.update(cohorts).set({ timeZone }).where(eq(cohorts.id, place.cohort.id));
      });
    const options = (timeZone: string) => ({ bindings: { DB: change(timeZone) } });
    const posted = await place.client.post(place.path, evening, options('Europe/Athens'));
    expect(await refusal(posted)).toMatchObject({ code: 'dates_changed' });
    const path = meetingsPath(place.cohort.id, id);
    const patch = { starts_local: '2027-03-09T18:00' };
    const patched = await place.client.request('PATCH', path, patch, options('Europe/Paris'));
    expect(await refusal(patched)).toMatchObject({ code: 'dates_changed' });
    expect(await db.select().from(meetings).where(eq(meetings.cohortId, place.cohort.id))).toEqual([
      expect.objectContaining({ id, startsLocal: evening.starts_local }),
    ]);
  });
});

test('sessions belong to one instructor: no one else can see, add, change or cancel them', async () => {
  const [owner, stranger] = [await createPlace(), await createTeacher()];
  const { id } = await addMeeting(owner);
  const path = meetingsPath(owner.cohort.id, id);
  for (const client of [stranger.client, createClient()]) {
    await client.get('/api/health/');
    const status = client === stranger.client ? 404 : 401;
    expect((await client.get(owner.path)).status).toBe(status);
    expect((await client.post(owner.path, evening)).status).toBe(status);
    expect((await client.request('PATCH', path, { title: 'Theirs' })).status).toBe(status);
    expect((await client.request('DELETE', path)).status).toBe(status);
  }
  expect(await readMeetings(owner)).toMatchObject([{ title: evening.title }]);
});

test('a session is found in its own cohort only', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const other = await createCohort({
    ...place,
    path: `/api/courses/${place.course.id}/cohorts/`,
  });
  const path = meetingsPath(other.id, id);
  expect((await place.client.request('PATCH', path, { title: 'Moved' })).status).toBe(404);
  expect((await place.client.request('DELETE', path)).status).toBe(404);
  expect((await place.client.get(meetingsPath(none))).status).toBe(404);
  expect(await meetingRowOf(id)).toMatchObject({ title: evening.title, cancelledAt: null });
});

test('sessions are exported with the account, and go with their cohort', async () => {
  const place = await createPlace();
  await addMeeting(place, { join_url: 'https://meet.example/1', note: 'Bring a pen' });
  const exported = await place.client.get(`/api/accounts/${place.user.id}/export/`);
  expect(await exported.json()).toMatchObject({
    meetings: [{ ...evening, join_url: 'https://meet.example/1', note: 'Bring a pen' }],
  });
  await db.delete(cohorts).where(eq(cohorts.id, place.cohort.id));
  expect(await db.select().from(meetings).where(eq(meetings.ownerId, place.user.id))).toEqual([]);
});
