import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { ask } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { attendance, meetings } from '#db/schema/meetings.ts';
import { findAttended } from '#features/attendance/find-attendance.ts';
import { findSessionDay, findSessionOfCourse } from '#features/attendance/find-session-day.ts';
import type { CohortAttendance } from '#features/attendance/schema.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment, createSignedInClient, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { addMeetings, createPlace, startAt } from '../meetings/support.ts';

startAt('2027-02-20T09:00:00Z');
beforeEach(() => {
  fakeResend();
});

/** During the first of three sessions, with two people. */
async function createEvening() {
  const place = await createPlace({}, { isPublished: true });
  const meetings = await addMeetings(place, { count: 3 });
  const ada = await createEnrollment(place.of, {}, { name: 'Ada' });
  const bea = await createEnrollment(place.of, {}, { name: 'Bea' });
  vi.setSystemTime('2027-03-02T17:11:00Z');
  const base = `/api/cohorts/${place.cohort.id}/`;
  const [first, second, third] = meetings.map(({ id }) => id);
  const marksPath = (id = first) => `${base}meetings/${id}/marks/`;
  const mark = (marks: Record<string, boolean | null>, id = first, client = place.client) =>
    client.request('PUT', marksPath(id), {
      marks: Object.entries(marks).map(([enrollment_id, is_present]) => ({
        enrollment_id,
        is_present,
      })),
    });
  const table = async () => (await place.client.get(`${base}attendance/`)).json<CohortAttendance>();
  const marks = async (id = first) => {
    const answer = await place.client.get(marksPath(id));
    const { marks: all } = await answer.json<{
      marks: { enrollment_id: string; is_present: boolean }[];
    }>();
    return Object.fromEntries(all.map((one) => [one.enrollment_id, one.is_present]));
  };
  return { ...place, ada, bea, first, second, third, base, marksPath, mark, marks, table };
}

test('the file of the roster has who attended how many sessions, once any is marked', async () => {
  const { ada, bea, base, client, of, mark, second } = await createEvening();
  await createEnrollment(of, { status: 'waitlisted', queueNo: 1 }, { name: 'Cleo' });
  const attended = async () => {
    const text = await (await client.get(`${base}roster.csv`)).text();
    const [head = [], ...rows] = text.split('\r\n').map((line) => line.split(','));
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
  const { ada, bea, first = '', mark, marks, table, client, marksPath } = await createEvening();
  expect((await mark({ [ada.id]: true, [bea.id]: false })).status).toBe(200);
  expect(await marks()).toEqual({ [ada.id]: true, [bea.id]: false });
  expect((await mark({ [ada.id]: true })).status).toBe(200);
  expect((await mark({ [ada.id]: false, [bea.id]: null })).status).toBe(200);
  expect(await marks()).toEqual({ [ada.id]: false });
  // The last of several about one person.
  const twice = [true, false, true].map((is_present) => ({ enrollment_id: ada.id, is_present }));
  expect((await client.request('PUT', marksPath(), { marks: twice })).status).toBe(200);

  const { people, meetings } = await table();
  expect(meetings.map(({ is_open: isOpen }) => isOpen)).toEqual([true, false, false]);
  expect(people).toMatchObject([
    { name: 'Ada', attended: 1, left_at: null, marks: { [first]: true } },
    { name: 'Bea', attended: 0, marks: {} },
  ]);
});

test('a session is marked from an hour before it begins, and never a canceled one', async () => {
  const { ada, mark, marks, second, drop } = await createEvening();
  const path = () => mark({ [ada.id]: true }, second);
  vi.setSystemTime('2027-03-09T15:59:59Z');
  expect(await (await path()).json()).toMatchObject({ code: 'attendance_too_early' });
  vi.setSystemTime('2027-03-09T16:00:00Z');
  expect((await path()).status).toBe(200);
  await drop(second);
  expect(await (await path()).json()).toMatchObject({ code: 'meeting_cancelled' });
  expect(await marks(second)).toEqual({ [ada.id]: true });
});

test('no one marks people or sessions of another cohort or instructor', async () => {
  const { ada, first, mark, marks } = await createEvening();
  const other = await createEvening();
  const { client: stranger } = await createSignedInClient();
  await stranger.get('/api/health/');
  for (const refused of [
    await mark({ [ada.id]: true }, first, stranger),
    await mark({ [ada.id]: true }, other.first),
    await mark({ [other.ada.id]: true }),
  ]) {
    expect(refused.status).toBe(404);
  }
  // Theirs is left out, and nothing else.
  expect((await mark({ [ada.id]: true, [other.ada.id]: true })).status).toBe(200);
  expect(await marks()).toEqual({ [ada.id]: true });
  expect(await other.marks()).toEqual({});
});

test('marks of the wrong shape are refused, and so are more requests than a limit', async () => {
  const { ada, client, marksPath } = await createEvening();
  const put = async (marks: unknown) => {
    const bindings = { LIMITS: { attendance_per_cohort: ['2/m'] } };
    return (await client.request('PUT', marksPath(), { marks }, { bindings })).status;
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
  const { client, base, ada, of, second, first = '', mark, marks, table } = await createEvening();
  const person = { as: 'enrolled', name: 'Cleo', email: 'cleo@example.com' };
  const add = await client.post(`${base}enrollments/`, person);
  const { id: cleo } = await add.json<{ id: string }>();
  await createEnrollment(of, { status: 'left' });
  await mark({ [cleo]: true });
  vi.setSystemTime('2027-03-05T12:00:00Z');
  expect((await client.post(`${base}enrollments/${cleo}/remove/`, {})).status).toBe(200);
  vi.setSystemTime('2027-03-09T17:30:00Z');
  await mark({ [cleo]: true, [ada.id]: true }, second);
  expect(await marks(second)).toEqual({ [ada.id]: true });
  // The one of before is still theirs to correct.
  await mark({ [cleo]: false });

  const { people } = await table();
  expect(people.map(({ name }) => name)).toEqual(['Ada', 'Bea', 'Cleo']);
  const left_at = '2027-03-05T12:00:00.000Z';
  expect(people[2]).toMatchObject({ left_at, marks: { [first]: false }, attended: 0 });
});

test('marks of one person at the same time leave one mark', async () => {
  const { ada, mark, marks } = await createEvening();
  const each = [true, false, true, true].map((value) => mark({ [ada.id]: value }));
  expect((await Promise.all(each)).map(({ status }) => status)).toEqual(Array(4).fill(200));
  expect(Object.keys(await marks())).toEqual([ada.id]);
});

test('the file has a line for each person, a column for each session, and names course and cohort', async () => {
  const { ada, bea, mark, client, base } = await createEvening();
  await mark({ [ada.id]: true, [bea.id]: false });
  const answer = await client.get(`${base}attendance.csv`);
  expect(answer.headers.get('Content-Disposition')).toContain(
    'filename="biology-101-writing-in-spring-attendance.csv"',
  );
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines[0]).toMatch(/"2027-03-02 Reading aloud".*"attended","minutes"$/);
  expect(lines[1]).toMatch(/^"Ada",.*"enrolled","present","","","1","90"$/);
  expect(lines[2]).toMatch(/^"Bea",.*"absent","","","0","0"$/);
});

test('a mark of a session that is moved into the future does not count until that is open', async () => {
  const { ada, base, change, client, first = '', mark, second = '', table } = await createEvening();
  vi.setSystemTime('2027-03-09T17:30:00Z');
  await mark({ [ada.id]: true });
  await mark({ [ada.id]: true }, second);
  const moved = await change(second, { starts_local: '2027-03-20T18:00' });
  expect(moved.status).toBe(200);

  expect((await table()).people[0]).toMatchObject({ attended: 1, marks: { [first]: true } });
  const file = async (name: string) => (await client.get(`${base}${name}.csv`)).text();
  expect(await file('attendance')).toMatch(/"Ada",.*"enrolled","present","","","1","90"/);
  expect(await file('roster')).toMatch(/"Ada",.*"1","1",/);
  const early = { at_least: 2, before_end: true };
  const completed = await client.post(`${base}completions/`, early);
  expect(await completed.json()).toEqual({ completed: 0 });
});

test('a session leads from an hour before it begins until it is over, with who is there and who has to pay', async () => {
  const room = { join_url: 'https://meet.example/room', join_passcode: 'chekhov' };
  const price = { price_minor: 24_000, currency: 'USD' };
  const place = await createPlace({ ...room, ...price }, { isPublished: true });
  await addMeetings(place, { count: 2 });
  const ada = await createEnrollment(place.of, {}, { name: 'Ada' });
  const bea = await createEnrollment(place.of, {}, { name: 'Bea' });
  const paid = { kind: 'payment', enrollments: [bea.id], amount_minor: 24_000, method: 'cash' };
  const ledger = `/api/cohorts/${place.cohort.id}/ledger/`;
  await place.client.post(ledger, { ...paid, received_on: '2027-02-20' });
  await place.client.post(`/api/courses/${place.course.id}/select/`);
  const read = async (userId = place.user.id) => {
    const ctx = contextOn();
    const owner = sql`${userId}`;
    const found = await ask(ctx, {
      day: findSessionDay(place.cohort.id)(ctx, owner),
      home: findSessionOfCourse(ctx, owner, owner),
    });
    expect(found.home?.id).toBe(found.day?.id);
    return found.day;
  };
  vi.setSystemTime('2027-03-09T15:59:59Z');
  expect(await read()).toBeNull();
  vi.setSystemTime('2027-03-09T16:00:00Z');
  expect(await read()).toMatchObject({
    number: 2,
    count: 2,
    joinUrl: 'https://meet.example/room',
    passcode: 'chekhov',
    people: [{ id: ada.id, name: 'Ada', isPresent: null }, { name: 'Bea' }],
    owing: 1,
    debtors: [{ id: ada.id, name: 'Ada', balance: 24_000, people: 1, owed: 24_000, notAgreed: 0 }],
  });
  expect(await read((await createSignedInClient()).user.id)).toBeNull();
  // Nobody takes part in a draft.
  await db.update(cohorts).set({ publishedAt: null }).where(eq(cohorts.id, place.cohort.id));
  expect(await read()).toBeNull();
  await db.update(cohorts).set({ publishedAt: new Date() }).where(eq(cohorts.id, place.cohort.id));
  vi.setSystemTime('2027-03-09T18:29:59Z');
  expect(await read()).not.toBeNull();
  vi.setSystemTime('2027-03-09T18:30:00Z');
  expect(await read()).toBeNull();
});

test('hours are those of sessions that are over, and of those attended if any are marked', async () => {
  const { ada, mark, first, second, user } = await createEvening();
  const read = async (id = ada.id, owner = user.id) => {
    const ctx = contextOn();
    const found = await ask(ctx, { attended: findAttended(id)(ctx, sql`${owner}`) });
    return found.attended;
  };
  vi.setSystemTime('2027-03-09T20:00:00Z');
  const held = { sessions: 2, minutes: 180 };
  expect(await read()).toEqual({ ...held, attended: 0, attendedMinutes: 0, isMarked: 0 });
  await mark({ [ada.id]: true }, first);
  await mark({ [ada.id]: false }, second);
  expect(await read()).toEqual({ ...held, attended: 1, attendedMinutes: 90, isMarked: 1 });
  expect(await read(ada.id, (await createSignedInClient()).user.id)).toBeNull();
  // A canceled one says nothing about the others.
  await mark({ [ada.id]: null }, first);
  const cancelledAt = new Date();
  await db
    .update(meetings)
    .set({ cancelledAt })
    .where(eq(meetings.id, second ?? ''));
  expect(await read()).toMatchObject({ sessions: 1, isMarked: 0 });
});

test('marks go with their session, and with the person', async () => {
  const { ada, bea, mark, drop, first, client, user } = await createEvening();
  const rows = () => db.select().from(attendance).where(eq(attendance.ownerId, user.id));
  await mark({ [ada.id]: true, [bea.id]: true });
  expect((await client.request('DELETE', `/api/people/${ada.person.id}/`)).status).toBe(204);
  expect(await rows()).toMatchObject([{ enrollmentId: bea.id }]);
  await drop(first);
  expect(await rows()).toEqual([]);
});
