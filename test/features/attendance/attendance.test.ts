import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { attendance, meetings } from '#db/schema/meetings.ts';
import { findAttended } from '#features/attendance/find-attendance.ts';
import { findSessionDay, findSessionOfCourse } from '#features/attendance/find-session-day.ts';
import type { CohortAttendance, MeetingAttendance } from '#features/attendance/schema.ts';
import { readAs } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { createEnrollment, createUser, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { addMeetings, createPlace, startAt } from '../meetings/support.ts';
import { refused } from '../places/support.ts';

startAt('2027-02-20T09:00:00Z');
beforeEach(() => {
  fakeResend();
});

type Marks = Record<string, boolean | null>;

/** During the first of three sessions, with two people. */
async function createEvening() {
  const place = await createPlace({}, { isPublished: true });
  const [first, second] = (await addMeetings(place, { count: 3 })).map(({ id }) => id);
  const ada = await createEnrollment(place.of, {}, { name: 'Ada' });
  const bea = await createEnrollment(place.of, {}, { name: 'Bea' });
  vi.setSystemTime('2027-03-02T17:11:00Z');
  const base = `/api/cohorts/${place.cohort.id}/`;
  const marksPath = (id = first) => `${base}meetings/${id}/marks/`;
  const mark = (given: Marks, id = first, options = {}, { send } = place) => {
    const marks = Object.entries(given).map(([enrollment_id, is_present]) => ({
      enrollment_id,
      is_present,
    }));
    return send('PUT', marksPath(id), { marks }, options);
  };
  const marks = async (id = first) => {
    const { body } = await place.send<MeetingAttendance>('GET', marksPath(id));
    return Object.fromEntries(body.marks.map((one) => [one.enrollment_id, one.is_present]));
  };
  return {
    ...{ ...place, ada, bea, first, second, base, marksPath, mark, marks },
    table: async () => (await place.act<CohortAttendance>('GET', 'attendance/')).body,
    file: async (name: string) => (await place.client.get(`${base}${name}.csv`)).text(),
  };
}

test('the file of the roster has who attended how many sessions, once any is marked', async () => {
  const { ada, bea, file, of, mark, second } = await createEvening();
  await createEnrollment(of, { status: 'waitlisted', queueNo: 1 }, { name: 'Cleo' });
  const attended = async () => {
    const [head = [], ...rows] = (await file('roster')).split('\r\n').map((row) => row.split(','));
    const at = head.indexOf('"attended"');
    return rows.flatMap((cells) => (cells.length < at ? [] : [cells.slice(at, at + 2).join('/')]));
  };
  expect(await attended()).toEqual(['""/""', '""/""', '""/""']);
  await mark({ [ada.id]: true, [bea.id]: false });
  expect(await attended()).toEqual(['"1"/"1"', '"0"/"1"', '""/""']);
  // The second session is over, and no one is marked there yet.
  vi.setSystemTime('2027-03-12T17:11:00Z');
  expect(await attended()).toEqual(['"1"/"2"', '"0"/"2"', '""/""']);
  await mark({ [bea.id]: true }, second);
  expect(await attended()).toEqual(['"1"/"2"', '"1"/"2"', '""/""']);
});

test('several people are marked at once, changed and cleared; the last request counts', async () => {
  const { ada, bea, first = '', mark, marks, table, send, marksPath } = await createEvening();
  expect((await mark({ [ada.id]: true, [bea.id]: false })).status).toBe(200);
  expect(await marks()).toEqual({ [ada.id]: true, [bea.id]: false });
  await mark({ [ada.id]: true });
  await mark({ [ada.id]: false, [bea.id]: null });
  expect(await marks()).toEqual({ [ada.id]: false });
  // The last of several about one person.
  const twice = [true, false, true].map((is_present) => ({ enrollment_id: ada.id, is_present }));
  expect((await send('PUT', marksPath(), { marks: twice })).status).toBe(200);

  expect(await table()).toMatchObject({
    meetings: [{ is_open: true }, { is_open: false }, { is_open: false }],
    people: [
      { name: 'Ada', attended: 1, left_at: null, marks: { [first]: true } },
      { name: 'Bea', attended: 0, marks: {} },
    ],
  });
});

test('a session is marked from an hour before it begins, and never a canceled one', async () => {
  const { ada, bea, mark, marks, second, drop, table } = await createEvening();
  vi.setSystemTime('2027-03-09T15:59:59Z');
  const early = await mark({ [ada.id]: true }, second);
  expect(early).toMatchObject(refused('attendance_too_early'));
  vi.setSystemTime('2027-03-09T16:00:00Z');
  expect((await mark({ [ada.id]: true }, second)).status).toBe(200);
  expect((await table()).people).toMatchObject([{ attended: 1 }, {}]);
  // Also one that is canceled while the marks are on their way.
  const DB = beforeWriting(async () => void (await drop(second)));
  await mark({ [ada.id]: null, [bea.id]: true }, second, { bindings: { DB } });
  expect(await mark({ [bea.id]: true }, second)).toMatchObject(refused('meeting_cancelled'));
  expect(await marks(second)).toEqual({ [ada.id]: true });
  const { meetings, people } = await table();
  expect(people).toMatchObject([{ attended: 0, marks: {} }, {}]);
  expect(meetings.map(({ id }) => id)).not.toContain(second);
});

test('no one marks people or sessions of another cohort or instructor', async () => {
  const [evening, other] = [await createEvening(), await createEvening()];
  const { ada, mark, marks } = evening;
  for (const { status } of [
    await mark({ [ada.id]: true }, evening.first, {}, other),
    await mark({ [ada.id]: true }, other.first),
    await mark({ [other.ada.id]: true }),
  ]) {
    expect(status).toBe(404);
  }
  // Theirs is left out, and nothing else.
  expect((await mark({ [ada.id]: true, [other.ada.id]: true })).status).toBe(200);
  expect(await marks()).toEqual({ [ada.id]: true });
  expect(await other.marks()).toEqual({});
});

test('marks of the wrong shape are refused, and so are more requests than a limit', async () => {
  const { ada, send, marksPath } = await createEvening();
  const put = async (marks: unknown) => {
    const bindings = { LIMITS: { attendance_per_cohort: ['2/m'] } };
    return (await send('PUT', marksPath(), { marks }, { bindings })).status;
  };
  const mark = { enrollment_id: ada.id, is_present: true };
  for (const wrong of [
    undefined,
    [],
    [{ ...mark, is_present: 'yes' }],
    [{ ...mark, note: 'late' }],
    Array.from({ length: 201 }, () => mark),
  ]) {
    expect(await put(wrong)).toBe(400);
  }
  expect([await put([mark]), await put([mark]), await put([mark])]).toEqual([200, 200, 429]);
});

test('who has left keeps marks, and gets none for later sessions; who only waited is not there', async () => {
  const { act, ada, of, second, first = '', mark, marks, table } = await createEvening();
  const person = { as: 'enrolled', name: 'Cleo', email: 'cleo@example.com' };
  const { id: cleo } = (await act<{ id: string }>('POST', 'enrollments/', person)).body;
  await createEnrollment(of, { status: 'left' });
  await mark({ [cleo]: true });
  vi.setSystemTime('2027-03-05T12:00:00Z');
  expect((await act('POST', `enrollments/${cleo}/remove/`, {})).status).toBe(200);
  vi.setSystemTime('2027-03-09T17:30:00Z');
  await mark({ [cleo]: true, [ada.id]: true }, second);
  expect(await marks(second)).toEqual({ [ada.id]: true });
  // The one of before is still theirs to correct.
  await mark({ [cleo]: false });

  const left_at = '2027-03-05T12:00:00.000Z';
  expect((await table()).people).toMatchObject([
    { name: 'Ada' },
    { name: 'Bea' },
    { name: 'Cleo', left_at, marks: { [first]: false }, attended: 0 },
  ]);
});

test('the file has a line for each person, a column for each session, and names course and cohort', async () => {
  const { ada, bea, mark, client, base, drop, second } = await createEvening();
  await mark({ [ada.id]: true, [bea.id]: false });
  await drop(second);
  const answer = await client.get(`${base}attendance.csv`);
  expect(answer.headers.get('Content-Disposition')).toContain(
    'filename="biology-101-writing-in-spring-attendance.csv"',
  );
  const lines = (await answer.text()).trim().split('\r\n');
  // Not for a canceled one.
  expect(lines[0]).toMatch(/"2027-03-02 Reading aloud","2027-03-16 [^"]*","attended","minutes"$/);
  expect(lines[1]).toMatch(/^"Ada",.*"enrolled","present","","1","90"$/);
  expect(lines[2]).toMatch(/^"Bea",.*"absent","","0","0"$/);
});

test('a mark of a session that is moved into the future does not count until that is open', async () => {
  const { act, ada, change, file, first = '', mark, second, table } = await createEvening();
  vi.setSystemTime('2027-03-09T17:30:00Z');
  await mark({ [ada.id]: true });
  await mark({ [ada.id]: true }, second);
  expect((await change(second, { starts_local: '2027-03-20T18:00' })).status).toBe(200);

  expect((await table()).people[0]).toMatchObject({ attended: 1, marks: { [first]: true } });
  expect(await file('attendance')).toMatch(/"Ada",.*"enrolled","present","","","1","90"/);
  expect(await file('roster')).toMatch(/"Ada",.*"1","1",/);
  const early = { at_least: 2, before_end: true };
  expect((await act('POST', 'completions/', early)).body).toEqual({ completed: 0 });
});

test('a session leads from an hour before it begins until it is over, with who is there and who has to pay', async () => {
  const room = { join_url: 'https://meet.example/room', join_passcode: 'chekhov' };
  const price = { price_minor: 24_000, currency: 'USD' };
  const place = await createPlace({ ...room, ...price }, { isPublished: true });
  await addMeetings(place, { count: 2 });
  const ada = await createEnrollment(place.of, {}, { name: 'Ada' });
  const bea = await createEnrollment(place.of, {}, { name: 'Bea' });
  const paid = { kind: 'payment', enrollments: [bea.id], amount_minor: 24_000, method: 'cash' };
  await place.post('ledger', { ...paid, received_on: '2027-02-20' });
  await place.send('POST', `/api/courses/${place.course.id}/select/`);
  const readAt = async (time: string, userId = place.user.id) => {
    vi.setSystemTime(time);
    const day = await readAs(userId, findSessionDay(place.cohort.id));
    expect((await readAs(userId, findSessionOfCourse))?.id).toBe(day?.id);
    return day;
  };
  const opens = '2027-03-09T16:00:00Z';
  expect(await readAt('2027-03-09T15:59:59Z')).toBeNull();
  expect(await readAt(opens)).toMatchObject({
    ...{ number: 2, count: 2, joinUrl: room.join_url, passcode: room.join_passcode },
    people: [{ id: ada.id, name: 'Ada', isPresent: null }, { name: 'Bea' }],
    owing: 1,
    debtors: [{ id: ada.id, name: 'Ada', balance: 24_000, people: 1, owed: 24_000, notAgreed: 0 }],
  });
  expect(await readAt(opens, (await createUser()).id)).toBeNull();
  // Nobody takes part in a draft.
  await updateRow(cohorts, place.cohort, { publishedAt: null });
  expect(await readAt(opens)).toBeNull();
  await updateRow(cohorts, place.cohort, { publishedAt: new Date() });
  expect(await readAt('2027-03-09T18:29:59Z')).not.toBeNull();
  expect(await readAt('2027-03-09T18:30:00Z')).toBeNull();
});

test('hours are those of sessions that are over, and of those attended if any are marked', async () => {
  const { ada, mark, second = '', user } = await createEvening();
  const read = (owner = user.id) => readAs(owner, findAttended(ada.id));
  vi.setSystemTime('2027-03-09T20:00:00Z');
  const held = { sessions: 2, minutes: 180 };
  expect(await read()).toEqual({ ...held, attended: 0, attendedMinutes: 0, isMarked: 0 });
  await mark({ [ada.id]: true });
  await mark({ [ada.id]: false }, second);
  expect(await read()).toEqual({ ...held, attended: 1, attendedMinutes: 90, isMarked: 1 });
  expect(await read((await createUser()).id)).toBeNull();
  // A canceled one says nothing about the others.
  await mark({ [ada.id]: null });
  await updateRow(meetings, { id: second }, { cancelledAt: new Date() });
  expect(await read()).toMatchObject({ sessions: 1, isMarked: 0 });
});

test('marks go with their session, and with the person', async () => {
  const { ada, bea, mark, drop, first, send, user } = await createEvening();
  const rows = () => db.select().from(attendance).where(eq(attendance.ownerId, user.id));
  await mark({ [ada.id]: true, [bea.id]: true });
  expect((await send('DELETE', `/api/people/${ada.person.id}/`)).status).toBe(204);
  expect(await rows()).toMatchObject([{ enrollmentId: bea.id }]);
  await drop(first);
  expect(await rows()).toEqual([]);
});
