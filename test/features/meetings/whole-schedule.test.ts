import { expect, test } from 'vitest';
import type { ScheduleTable } from '#features/meetings/schema.ts';
import { weeksOf } from '#features/meetings/weeks.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { pick } from '#lib/to-json.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import { createTeacher, invalid } from '../planning/support.ts';
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

async function read({ act }: Place): Promise<ScheduleTable> {
  return (await act<ScheduleTable>('GET', 'schedule/')).body;
}

const put = (place: Pick<Place, 'send' | 'cohort'>, input: object, options = {}) =>
  place.send<ScheduleTable>('PUT', `/api/cohorts/${place.cohort.id}/schedule/`, input, options);

/** The rows as they are, to be sent with changes. */
function rowsOf({ meetings }: ScheduleTable) {
  return meetings
    .filter(({ status }) => status !== 'cancelled')
    .map((meeting) =>
      pick(meeting, ['id', 'title', 'starts_local', 'duration_minutes', 'public_line']),
    );
}

test('one save changes, adds and deletes sessions of a draft, and replaces its days off', async () => {
  const place = await createPlace();
  const [first] = await addMeetings(place, { count: 3, note: 'Bring a pen' });
  const before = await read(place);
  const [one, , three] = rowsOf(before);
  const days_off = [{ on_date: '2027-03-09', reason: 'Holiday' }];
  const extra = { title: 'Extra', starts_local: '2027-03-30T18:00' };
  const { status, body: after } = await put(place, {
    mark: before.mark,
    meetings: [
      { ...one, title: 'Desire', public_line: 'Chekhov' },
      { ...three },
      { ...evening, ...extra },
    ],
    days_off,
  });
  expect(status, JSON.stringify(after)).toBe(200);
  expect(after.meetings).toMatchObject([
    { id: first?.id, title: 'Desire', public_line: 'Chekhov', note: 'Bring a pen', sequence: 1 },
    { id: three?.id, title: evening.title, sequence: 0 },
    { ...extra, sequence: 0 },
  ]);
  expect(after.days_off).toEqual(days_off);
  expect(after.mark).not.toBe(before.mark);
  // A series leaves out the day off, and one that consists of it alone adds nothing.
  const { starts_local } = evening;
  expect(await planMeetings(place, { count: 2 })).toMatchObject([{ starts_local }]);
  await addMeetings(place, { count: 2 });
  expect(await readMeetings(place)).toHaveLength(4);
});

test('days off can be a span, of which days with a session are left out', async () => {
  const place = await createPlace();
  const input = { meetings: [evening], days_off: [] };
  const days_off = [{ on_date: '2027-03-01', until: '2027-03-04', reason: 'Holiday' }];
  expect((await put(place, { ...input, days_off })).status).toBe(200);
  const after = await read(place);
  expect(after.days_off.map(({ on_date }) => on_date)).toEqual([
    '2027-03-01',
    '2027-03-03',
    '2027-03-04',
  ]);
  for (const [until, message] of [
    ['2027-02-28', 'The last day cannot be before the first day'],
    ['2029-03-01', 'A cohort lasts two years at most'],
  ]) {
    const refusal = await put(place, { ...input, days_off: [{ on_date: '2027-03-01', until }] });
    expect(refusal).toMatchObject(invalid({ days_off: [message] }));
  }
  expect(await read(place)).toEqual(after);
});

test('of a published cohort, a session that becomes a day off is canceled, and changes are not announced', async () => {
  const place = await createPlace({}, { isPublished: true });
  await createEnrollment(place.of);
  const [kept, dropped] = await addMeetings(place, { count: 2 });
  await place.post('announcements', {});
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
    const weeks = await weeksOf(place.cohort, meetings, off);
    return weeks.flatMap((week) => week.meetings.map(({ id }) => id));
  };
  expect(await shown()).toEqual([kept?.id, dropped?.id]);
  const slug = place.cohort.public_url.split('/').at(-1) ?? '';
  const { cohort } = (await findPublicPage(contextOn(), slug)) ?? {};
  expect(cohort).toMatchObject({ meetings: [{ id: kept?.id }], daysOff: [{ reason: '' }] });
  expect((await place.act('POST', 'announcements/dismiss/', {})).status).toBe(204);
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
  const DB = beforeWriting(async () => {
    await place.change(meeting.id, { title: 'Meanwhile' });
  });
  const changed = refused('schedule_changed');
  expect(await put(place, input, { bindings: { DB } })).toMatchObject(changed);
  expect(await put(place, input)).toMatchObject(changed);
  expect(await read(place)).toMatchObject({ meetings: [{ title: 'Meanwhile' }], days_off: [] });
});

test('sessions of another cohort or owner are not changed, and 200 are the most', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const next = await createNextPlace(place);
  const theirs = { ...evening, id, title: 'Taken' };
  const taken = await put(next, { meetings: [theirs], days_off: [] });
  expect(taken).toMatchObject(refused('schedule_changed'));
  const { send } = await createTeacher();
  const foreign = await put({ send, cohort: place.cohort }, { meetings: [], days_off: [] });
  expect(foreign.status).toBe(404);
  expect((await meetingRowOf(id))?.title).toBe(evening.title);

  const many = Array.from({ length: 200 }, () => evening);
  const kept = { ...evening, id };
  expect((await put(place, { meetings: [kept, ...many], days_off: [] })).status).toBe(400);
  const most = await put(place, { meetings: [kept, ...many.slice(1)], days_off: [] });
  expect(most.status, JSON.stringify(most.body)).toBe(200);
});
