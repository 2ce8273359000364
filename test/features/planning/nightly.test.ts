import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { meetings } from '#db/schema/meetings.ts';
import { users } from '#db/schema/users.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { beforeWriting, slowDatabase } from '#support/database.ts';
import { hour } from '#support/days.ts';
import { copyRow, createCohortRow, createCourseRow, createUser, db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { updateRow } from '#support/rows.ts';
import { addMeeting, addMeetings, createPlace, meetingRowOf } from '../meetings/support.ts';
import { rowOf } from './support.ts';

const now = new Date('2026-11-24T03:41:00.000Z');
const day = 24 * hour;

// These jobs cover the whole database.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  // Other files may have left users whose selected course this is.
  await db.update(users).set({ selectedCourseId: null });
  await db.delete(courses);
});

async function createCohort(values: Parameters<typeof createCohortRow>[1] = {}) {
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  return createCohortRow(course, values);
}

function run(name: string, bindings = {}) {
  const chosen = jobs.filter((job) => job.name === name);
  return runByClock(bindings, { cron: crons.nightly, jobs: chosen });
}

const renew = (bindings = {}) => run('renewal of instants', bindings);
const empty = (bindings = {}) => run('emptying of the trash', bindings);

/** What a runtime with other rules has written: an hour off. */
const anHourOff = {
  startsAt: new Date('2027-01-04T00:00:00Z'),
  endsAt: new Date('2027-02-13T00:00:00Z'),
};

const window = {
  enrollmentOpensLocal: '2026-12-01T09:00',
  enrollmentOpensAt: new Date('2026-12-01T09:00:00Z'),
  enrollmentClosesLocal: '2027-01-03T00:00',
  enrollmentClosesAt: new Date('2027-01-03T00:00:00Z'),
};

test('instants that another runtime has written are computed again overnight; wall times, and zones that this one does not know, stay', async () => {
  const startReminderAt = new Date('2027-01-01T08:00:00Z');
  const off = await createCohort({ ...anHourOff, ...window });
  const unknown = await createCohort({ timeZone: 'Mars/Base', ...anHourOff });
  const right = await createCohort({ startReminderAt });
  const [offBefore, rightBefore] = [await rowOf(off.id), await rowOf(right.id)];
  await renew();

  expect(await rowOf(off.id)).toEqual({
    ...offBefore,
    startsAt: new Date('2027-01-03T23:00:00Z'),
    endsAt: new Date('2027-02-12T23:00:00Z'),
    startReminderAt,
    enrollmentOpensAt: new Date('2026-12-01T08:00:00Z'),
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
  });
  expect(await rowOf(right.id)).toEqual(rightBefore);
  expect(await rowOf(unknown.id)).toMatchObject(anHourOff);
  await renew();
  expect(loggedEvents('instants_moved')).toMatchObject([
    { cohorts: 1, unknown_zones: 1, is_done: true },
    { cohorts: 0, unknown_zones: 1, is_done: true },
  ]);
});

test('what is over stays as it was, drafts and the trash do not, and a time that clocks now skip becomes the next one', async () => {
  const over = await createCohort({
    startsOn: '2026-10-01',
    endsOn: '2026-11-20',
    startsAt: new Date(0),
    endsAt: new Date('2026-11-20T23:00:00Z'),
  });
  const trashed = await createCohort({ ...anHourOff, deletedAt: now });
  const skipped = await createCohort({
    startsOn: '2027-04-05',
    endsOn: '2027-05-07',
    enrollmentOpensLocal: '2027-03-28T02:30',
    enrollmentOpensAt: new Date('2027-03-28T00:30:00Z'),
  });
  await renew();

  expect(await rowOf(over.id)).toMatchObject({ startsAt: new Date(0) });
  expect(await rowOf(trashed.id)).toMatchObject({ startsAt: new Date('2027-01-03T23:00:00Z') });
  expect(await rowOf(skipped.id)).toMatchObject({
    enrollmentOpensLocal: '2027-03-28T02:30',
    enrollmentOpensAt: new Date('2027-03-28T01:30:00Z'),
  });
});

test('a move while the instants are renewed wins', async () => {
  const { id } = await createCohort(anHourOff);
  const moved = { startsOn: '2027-01-11', startsAt: new Date('2027-01-10T23:00:00Z') };
  const DB = beforeWriting(async () => {
    await db.update(cohorts).set(moved).where(eq(cohorts.id, id));
  });
  await renew({ DB });

  expect(await rowOf(id)).toMatchObject(moved);
});

test('more than a thousand are renewed in chunks, and each once', async () => {
  const { id } = await createCohort(anHourOff);
  await copyRow('cohorts', id, 1_000, { slug: 'slug || n' });
  const recording = recordDatabase(env.DB);
  await renew({ DB: recording.db });

  expect(recording.take().statements).toHaveLength(4);
  expect(loggedEvents('instants_moved')).toMatchObject([{ cohorts: 1_001, is_done: true }]);
  const right = eq(cohorts.endsAt, new Date('2027-02-12T23:00:00Z'));
  expect(await db.$count(cohorts, right)).toBe(1_001);
});

test('the trash keeps a cohort for 30 days, and not a millisecond longer', async () => {
  const kept = await createCohort({ deletedAt: new Date(now.getTime() - 30 * day + 1) });
  const live = await createCohort();
  await createCohort({ deletedAt: new Date(now.getTime() - 30 * day) });
  await createCohort({ deletedAt: new Date(1) });
  await empty();

  const left = await db.select({ id: cohorts.id }).from(cohorts);
  expect(new Set(left)).toEqual(new Set([{ id: kept.id }, { id: live.id }]));
  expect(loggedEvents('trash_emptied')).toMatchObject([{ cohorts: 2, is_done: true }]);
});

test('the trash is emptied in pieces until its time is up, and the next night continues', async () => {
  const { id } = await createCohort({ deletedAt: new Date(1) });
  await copyRow('cohorts', id, 249, { slug: 'slug || n' });
  await empty({ DB: slowDatabase(6 * 60_000) });
  expect(await db.$count(cohorts)).toBe(50);
  await empty();

  expect(await db.$count(cohorts)).toBe(0);
  expect(loggedEvents('trash_emptied')).toMatchObject([
    { cohorts: 200, is_done: false },
    { cohorts: 50, is_done: true },
  ]);
});

const renewSessions = () => run('renewal of sessions');

test('instants of sessions that another runtime has written are computed again overnight', async () => {
  const [first, second] = await addMeetings(await createPlace(), { count: 2 });
  const right = await meetingRowOf(second?.id);
  await updateRow(meetings, first, { startsAt: new Date('2027-03-02T18:00:00Z') });
  const before = await meetingRowOf(first?.id);
  await renewSessions();

  const startsAt = new Date('2027-03-02T17:00:00Z');
  expect(await meetingRowOf(first?.id)).toEqual({ ...before, startsAt });
  expect(await meetingRowOf(second?.id)).toEqual(right);
  await renewSessions();
  expect(loggedEvents('meetings_moved')).toMatchObject([
    { meetings: 1, is_done: true },
    { meetings: 0, is_done: true },
  ]);
});

test('a session that is over, canceled or in a zone that is not known stays as it is', async () => {
  const [place, elsewhere] = [await createPlace(), await createPlace()];
  const [over, cancelled] = [await addMeeting(place), await addMeeting(place)];
  const unknown = await addMeeting(elsewhere);
  const wrong = { startsAt: new Date('2027-03-05T00:00:00Z') };
  const past = { startsAt: new Date(now.getTime() - 3 * day) };
  await db.update(meetings).set(wrong);
  await updateRow(meetings, over, past);
  await updateRow(meetings, cancelled, { cancelledAt: now });
  await updateRow(cohorts, elsewhere.cohort, { timeZone: 'Mars/Base' });
  await renewSessions();
  expect(await meetingRowOf(over.id)).toMatchObject(past);
  expect(await meetingRowOf(cancelled.id)).toMatchObject(wrong);
  expect(await meetingRowOf(unknown.id)).toMatchObject(wrong);
});

test('a canceled session goes after 30 days', async () => {
  const place = await createPlace({}, { isPublished: true });
  const kept = await addMeeting(place);
  const cancelled = await addMeeting(place);
  await place.drop(cancelled.id);
  for (const [ms, left] of [
    [30 * day - 1, [kept.id, cancelled.id]],
    [30 * day, [kept.id]],
  ] as const) {
    vi.setSystemTime(now.getTime() + ms);
    await run('removal of canceled sessions');
    const rows = await db.select({ id: meetings.id }).from(meetings);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(left));
  }
  expect(loggedEvents('cancelled_meetings_removed')).toMatchObject([
    { meetings: 0, is_done: true },
    { meetings: 1, is_done: true },
  ]);
});
