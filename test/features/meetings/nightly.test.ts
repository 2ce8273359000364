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
import { db } from '#support/factories.ts';
import { addMeeting, addMeetings, createPlace, meetingRowOf, startAt } from './support.ts';

const day = 24 * 60 * 60 * 1000;

startAt('2027-02-01T09:00:00Z');
beforeEach(async () => {
  // The jobs cover the whole database, in which other files may have left users.
  await db.update(users).set({ selectedCourseId: null });
  await db.delete(courses);
});

function run(name: string) {
  return runByClock({}, { cron: crons.nightly, jobs: jobs.filter((job) => job.name === name) });
}

test('instants that another runtime has written are computed again overnight', async () => {
  const place = await createPlace();
  const [first, second] = await addMeetings(place, { count: 2 });
  const right = await meetingRowOf(second?.id ?? '');
  const anHourOff = new Date('2027-03-02T18:00:00Z');
  const isFirst = eq(meetings.id, first?.id ?? '');
  await db.update(meetings).set({ startsAt: anHourOff }).where(isFirst);
  const before = await meetingRowOf(first?.id ?? '');
  await run('renewal of sessions');

  const startsAt = new Date('2027-03-02T17:00:00Z');
  expect(await meetingRowOf(first?.id ?? '')).toEqual({ ...before, startsAt });
  expect(await meetingRowOf(second?.id ?? '')).toEqual(right);
  await run('renewal of sessions');
  expect(loggedEvents('meetings_moved')).toMatchObject([
    { meetings: 1, is_done: true },
    { meetings: 0, is_done: true },
  ]);
});

test('what is over, canceled or in a zone that is not known stays as it is', async () => {
  const place = await createPlace();
  const wrong = new Date('2027-03-05T00:00:00Z');
  const over = await addMeeting(place);
  const cancelled = await addMeeting(place);
  const elsewhere = await createPlace();
  const unknown = await addMeeting(elsewhere);
  await db.update(meetings).set({ startsAt: wrong });
  const past = { startsAt: new Date('2027-01-29T00:00:00Z') };
  await db.update(meetings).set(past).where(eq(meetings.id, over.id));
  await db.update(meetings).set({ cancelledAt: new Date() }).where(eq(meetings.id, cancelled.id));
  const mars = { timeZone: 'Mars/Base' };
  await db.update(cohorts).set(mars).where(eq(cohorts.id, elsewhere.cohort.id));
  await run('renewal of sessions');
  expect(await meetingRowOf(over.id)).toMatchObject(past);
  expect(await meetingRowOf(cancelled.id)).toMatchObject({ startsAt: wrong });
  expect(await meetingRowOf(unknown.id)).toMatchObject({ startsAt: wrong });
});

test('a canceled session goes after 30 days', async () => {
  const place = await createPlace({}, { isPublished: true });
  const kept = await addMeeting(place);
  const cancelled = await addMeeting(place);
  await place.drop(cancelled.id);
  vi.setSystemTime(Date.now() + 30 * day - 1);
  await run('removal of canceled sessions');
  expect(await meetingRowOf(cancelled.id)).toMatchObject({ id: cancelled.id });
  vi.setSystemTime(Date.now() + 1);
  await run('removal of canceled sessions');
  expect(await meetingRowOf(cancelled.id)).toBeUndefined();
  expect(await meetingRowOf(kept.id)).toMatchObject({ id: kept.id });
  expect(loggedEvents('cancelled_meetings_removed')).toMatchObject([
    { meetings: 0, is_done: true },
    { meetings: 1, is_done: true },
  ]);
});
