import { expect, test } from 'vitest';
import type { ScheduleTable } from '#features/meetings/schema.ts';
import { weeksOf } from '#features/meetings/weeks.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment } from '#support/factories.ts';
import { cohortPath, createTeacher, refusal } from '../planning/support.ts';
import {
  addMeeting,
  addMeetings,
  createNextPlace,
  createPlace,
  evening,
  meetingRowOf,
  planMeetings,
  readMeetings,
  startAt,
} from './support.ts';

startAt('2027-02-01T09:00:00Z');

type Place = Awaited<ReturnType<typeof createPlace>>;

const path = ({ cohort }: Place) => cohortPath(cohort.id, 'schedule/');

async function read(place: Place): Promise<ScheduleTable> {
  return (await place.client.get(path(place))).json<ScheduleTable>();
}

/** The rows as they are, to be sent with changes. */
function rowsOf({ meetings }: ScheduleTable) {
  return meetings
    .filter(({ status }) => status !== 'cancelled')
    .map(({ id, title, starts_local, duration_minutes, public_line }) => ({
      id,
      title,
      starts_local,
      duration_minutes,
      public_line,
    }));
}

const put = (place: Place, input: object, options = {}) =>
  place.client.request('PUT', path(place), input, options);

test('one save changes, adds and deletes sessions of a draft, and replaces its days off', async () => {
  const place = await createPlace();
  const [first] = await addMeetings(place, { count: 3, note: 'Bring a pen' });
  const before = await read(place);
  const [one, , three] = rowsOf(before);
  const input = {
    mark: before.mark,
    meetings: [
      { ...one, title: 'Desire', public_line: 'Chekhov' },
      { ...three },
      { ...evening, title: 'Extra', starts_local: '2027-03-30T18:00' },
    ],
    days_off: [{ on_date: '2027-03-09', reason: 'Holiday' }],
  };
  const saved = await put(place, input);
  expect(saved.status, await saved.clone().text()).toBe(200);
  const after = await saved.json<ScheduleTable>();
  expect(after.meetings).toMatchObject([
    { id: first?.id, title: 'Desire', public_line: 'Chekhov', note: 'Bring a pen', sequence: 1 },
    { id: three?.id, title: evening.title, sequence: 0 },
    { title: 'Extra', starts_local: '2027-03-30T18:00', sequence: 0 },
  ]);
  expect(after.days_off).toEqual([{ on_date: '2027-03-09', reason: 'Holiday' }]);
  expect(after.mark).not.toBe(before.mark);
  // A series leaves out the day off, and one that consists of it alone adds nothing.
  expect((await planMeetings(place, { count: 2 })).map(({ starts_local }) => starts_local)).toEqual(
    [evening.starts_local],
  );
  await addMeetings(place, { count: 2 });
  expect(await readMeetings(place)).toHaveLength(4);
});

test('of a published cohort, a session that becomes a day off is canceled, and changes are not announced', async () => {
  const place = await createPlace({}, { isPublished: true });
  await createEnrollment(place.of);
  const [kept, dropped] = await addMeetings(place, { count: 2 });
  await place.client.post(cohortPath(place.cohort.id, 'announcements/'), {});
  const before = await read(place);
  const [one] = rowsOf(before);
  const moved = { ...one, starts_local: '2027-03-03T18:00' };
  await put(place, { mark: before.mark, meetings: [moved], days_off: [{ on_date: '2027-03-09' }] });
  expect((await read(place)).meetings).toMatchObject([
    { id: kept?.id, is_announced: false, announced_local: evening.starts_local, sequence: 1 },
    { id: dropped?.id, status: 'cancelled', is_announced: false },
  ]);
  const shown = async () => {
    const { meetings, days_off: off } = await read(place);
    return (await weeksOf(place.cohort, meetings, off)).flatMap((week) =>
      week.meetings.map(({ id }) => id),
    );
  };
  expect(await shown()).toEqual([kept?.id, dropped?.id]);
  const slug = place.cohort.public_url.split('/').at(-1) ?? '';
  const { cohort } = (await findPublicPage(contextOn(), slug)) ?? {};
  expect(cohort).toMatchObject({ meetings: [{ id: kept?.id }], daysOff: [{ reason: '' }] });
  const dismissed = await place.client.post(
    cohortPath(place.cohort.id, 'announcements/dismiss/'),
    {},
  );
  expect(dismissed.status).toBe(204);
  expect((await read(place)).meetings).toMatchObject([
    { is_announced: true, announced_local: '2027-03-03T18:00' },
    { status: 'cancelled', is_announced: true },
  ]);
  // The day off is shown in its place.
  expect(await shown()).toEqual([kept?.id]);
});

test('a table that is not the present one is refused, also if that changes in the meantime', async () => {
  const place = await createPlace();
  const meeting = await addMeeting(place);
  const before = await read(place);
  const rows = rowsOf(before).map((row) => ({ ...row, title: 'Stale' }));
  const input = { mark: before.mark, meetings: rows, days_off: [{ on_date: '2027-03-09' }] };
  const database = beforeWriting(async () => {
    await place.change(meeting.id, { title: 'Meanwhile' });
  });
  const raced = await put(place, input, { bindings: { DB: database } });
  expect(await refusal(raced)).toMatchObject({ status: 422, code: 'schedule_changed' });
  expect(await refusal(await put(place, input))).toMatchObject({ code: 'schedule_changed' });
  const { meetings, days_off: off } = await read(place);
  expect(meetings).toMatchObject([{ title: 'Meanwhile' }]);
  expect(off).toEqual([]);
});

test('sessions of another cohort or owner are not changed, and 200 are the most', async () => {
  const place = await createPlace();
  const meeting = await addMeeting(place);
  const next = await createNextPlace(place);
  const theirs = { ...evening, id: meeting.id, title: 'Taken' };
  const taken = await put(next, { meetings: [theirs], days_off: [] });
  expect(await refusal(taken)).toMatchObject({ code: 'schedule_changed' });
  const stranger = await createTeacher();
  const foreign = await stranger.client.request('PUT', path(place), { meetings: [], days_off: [] });
  expect(foreign.status).toBe(404);
  expect((await meetingRowOf(meeting.id))?.title).toBe(evening.title);

  const many = Array.from({ length: 200 }, () => evening);
  const kept = { ...evening, id: meeting.id };
  const full = await put(place, { meetings: [kept, ...many], days_off: [] });
  expect(await refusal(full)).toMatchObject({ status: 400 });
  const most = await put(place, { meetings: [kept, ...many.slice(1)], days_off: [] });
  expect(most.status, await most.clone().text()).toBe(200);
});
