import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { ask } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { findAttendance } from '#features/attendance/find-attendance.ts';
import { findScheduleTable } from '#features/meetings/change-schedule.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { findNextMeeting } from '#features/meetings/next-meeting.ts';
import { areWeeksFull, weeksOf } from '#features/meetings/weeks.ts';
import { openParticipant } from '#features/participant/find-participant.ts';
import { findNextCohort, findOwnCohort } from '#features/planning/own-cohorts.ts';
import { findPreview, findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from '#support/context.ts';
import { copyRow, createEnrollment, createUser } from '#support/factories.ts';
import { cohortPath } from '../planning/support.ts';
import {
  addMeeting,
  addMeetings,
  createNextPlace,
  createPlace,
  readMeetings,
  startAt,
} from './support.ts';

startAt('2027-02-20T09:00:00Z');

type Place = Awaited<ReturnType<typeof createPlace>>;

const link = { join_url: 'https://meet.example/room', note: 'Bring a pen' };

test('everyone sees titles, times and places of the sessions of a published cohort, nothing else', async () => {
  const place = await createPlace({ join_url: 'https://meet.example/all' }, { isPublished: true });
  const { id } = await addMeeting(place, { ...link, place: 'Room 4' });
  const slug = place.cohort.public_url.split('/').at(-1) ?? '';
  const found = await findPublicPage(contextOn(), slug);
  expect(found?.cohort?.meetings).toEqual([
    {
      id,
      title: 'Reading aloud',
      startsLocal: '2027-03-02T18:00',
      startsAt: Date.parse('2027-03-02T17:00:00Z'),
      durationMinutes: 90,
      place: 'Room 4',
      publicLine: null,
      isCancelled: 0,
    },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/meet\.example|Bring a pen/);

  await place.drop(id);
  expect(await findPublicPage(contextOn(), slug)).toMatchObject({
    cohort: { meetings: [{ id, isCancelled: 1 }] },
  });
  await place.client.post(cohortPath(place.cohort.id, 'unpublish/'));
  expect(await findPublicPage(contextOn(), slug)).toBeNull();
});

test('where sessions meet online is for enrolled people only', async () => {
  const place = await createPlace({ join_url: 'https://meet.example/all' }, { isPublished: true });
  await addMeeting(place, link);
  await addMeeting(place, { starts_local: '2027-03-03T18:00' });
  const later = new Date('2027-02-25T09:00:00Z');
  const states: [EnrollmentStatus, object, number][] = [
    ['enrolled', {}, 2],
    ['invited', { expiresAt: later }, 2],
    ['waitlisted', { queueNo: 1 }, 2],
    ['applied', {}, 2],
    ['removed', {}, 0],
  ];
  for (const [status, values, count] of states) {
    const { person } = await createEnrollment(place.of, { status, ...values });
    const found = await openParticipant(contextOn(), await sealLink(contextOn(), 'person', person));
    expect(found?.meetings, status).toHaveLength(count);
    const isIn = status === 'enrolled';
    const links = found?.meetings.map(({ joinUrl, note }) => [joinUrl, note]);
    expect(links, status).toEqual(
      [
        [isIn ? 'https://meet.example/room' : null, isIn ? 'Bring a pen' : null],
        [isIn ? 'https://meet.example/all' : null, null],
      ].slice(0, count),
    );
  }
});

test('a person sees the sessions of their own cohorts only', async () => {
  const place = await createPlace();
  await addMeeting(place);
  await addMeeting(await createNextPlace(place));
  await addMeeting(await createPlace());
  const { person } = await createEnrollment(place.of);
  const found = await openParticipant(contextOn(), await sealLink(contextOn(), 'person', person));
  expect(found?.meetings).toHaveLength(1);
  expect(found?.meetings[0]?.enrollmentId).toBe(found?.enrollments[0]?.id);
});

test('nothing of the schedule of another instructor is found', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const stranger = await createUser();
  const cohortId = place.cohort.id;
  const read = async (userId: string) => {
    const ctx = contextOn();
    const by = sql`${userId}`;
    const found = await ask(ctx, {
      schedule: findSchedule(cohortId)(ctx, by),
      table: findScheduleTable(cohortId)(ctx, by),
      attendance: findAttendance(cohortId, '')(ctx, by),
      preview: findPreview(cohortId)(ctx, by),
    });
    return [found.schedule, found.table, found.attendance, found.preview];
  };
  await createEnrollment(place.of);
  const noOne = { people: [], next: null, isFirst: true, meetings: [], counts: [] };
  const noTable = { mark: '', meetings: [], days_off: [] };
  expect(await read(stranger.id)).toEqual([[], noTable, noOne, null]);
  expect(await read(place.user.id)).toMatchObject([
    [{ id }],
    { meetings: [{ id }] },
    { people: [{}], meetings: [{ id }] },
    { meetings: [{ id }] },
  ]);
});

test('the attendance sheet leaves out no one: more than 100 names have several pages', async () => {
  const { of } = await createPlace({}, { isPublished: true });
  const { id, person } = await createEnrollment(of, {}, { name: 'Ana 000' });
  // In reverse, and two of the same name at the end of a page.
  const key = "printf('ana %03d', 101 - n)";
  await copyRow('people', person.id, 100, {
    ...{ name: "printf('Ana %03d', 101 - n)", name_key: key },
    ...{ email: 'n || email', email_canonical: 'n || email' },
  });
  await copyRow('enrollments', id, 100, { person_id: 'person_id || n', name_key: key });
  await createEnrollment(of, {}, { name: 'Ana 099' });
  await createEnrollment(of, { status: 'left' }, { name: 'Ana 000' });
  const ctx = contextOn();
  const sheet = async (address: string) => {
    const query = findAttendance(of.id, address)(ctx, sql`${of.ownerId}`);
    return (await ask(ctx, { page: query })).page;
  };
  const first = await sheet('');
  const second = await sheet(`after=${first.next}`);
  expect(first).toMatchObject({ isFirst: true, next: first.people[99]?.id });
  expect(second).toMatchObject({ isFirst: false, next: null });
  const names = Array.from({ length: 101 }, (_, index) => `Ana ${String(index).padStart(3, '0')}`);
  expect([...first.people, ...second.people].map(({ name }) => name)).toEqual(
    [...names, 'Ana 099'].sort(),
  );
});

test('the next session is one that takes place and is not over, also while it runs', async () => {
  const place = await createPlace({}, { isPublished: true });
  const [first, second, third] = await addMeetings(place, { count: 3 });
  expect([first, second, third]).not.toContain(undefined);
  const next = async () => {
    const ctx = contextOn();
    const ownerId = sql`${place.user.id}`;
    const found = await ask(ctx, {
      cohort: findOwnCohort(place.cohort.id)(ctx, ownerId),
      next: findNextMeeting(place.cohort.id)(ctx, ownerId),
      home: findNextCohort(ctx, ownerId, ownerId),
    });
    const nextMeeting = found.next;
    const { meetingCount } = found.cohort ?? {};
    expect(found.home?.nextMeeting ?? null).toEqual(nextMeeting);
    return [nextMeeting?.startsLocal ?? null, meetingCount];
  };
  await place.client.post(`/api/courses/${place.course.id}/select/`);
  expect(await next()).toEqual(['2027-03-02T18:00', 3]);
  await place.drop(first?.id);
  expect(await next()).toEqual(['2027-03-09T18:00', 2]);
  vi.setSystemTime('2027-03-09T18:29:59Z');
  expect(await next()).toEqual(['2027-03-09T18:00', 2]);
  vi.setSystemTime('2027-03-09T18:30:00Z');
  expect(await next()).toEqual(['2027-03-16T18:00', 2]);
  vi.setSystemTime('2027-04-09T18:30:00Z');
  expect(await next()).toEqual([null, 2]);
});

test('sessions need no place of their cohort if each has one or a link of its own', async () => {
  const place = await createPlace();
  const areAllPlaced = async () => {
    const ctx = contextOn();
    const found = findOwnCohort(place.cohort.id)(ctx, sql`${place.user.id}`);
    return (await ask(ctx, { found })).found?.areAllPlaced;
  };
  expect(await areAllPlaced()).toBe(false);
  await addMeeting(place, { place: 'Room 4' });
  await addMeeting(place, { join_url: 'https://meet.example.com/abc' });
  expect(await areAllPlaced()).toBe(true);
  await addMeeting(place);
  expect(await areAllPlaced()).toBe(false);
});

async function weeks(place: Place) {
  const found = await weeksOf(place.cohort, await readMeetings(place));
  return found.map(({ meetings, daysOff: _none, ...week }) => ({
    ...week,
    count: meetings.length,
  }));
}

test('weeks begin with the first day of the cohort, and clock changes stand between them', async () => {
  const place = await createPlace({ starts_on: '2027-03-03', ends_on: '2027-04-06' });
  for (const day of ['03-01', '03-03', '03-09', '03-10', '03-26', '03-29', '04-05', '04-12']) {
    await addMeeting(place, { starts_local: `2027-${day}T18:00` });
  }
  const spring = { day: '2027-03-28', minutes: 60 };
  expect(await weeks(place)).toEqual([
    { number: null, from: '2027-02-24', to: '2027-03-02', change: null, count: 1 },
    { number: 1, from: '2027-03-03', to: '2027-03-09', change: null, count: 2 },
    { number: 2, from: '2027-03-10', to: '2027-03-16', change: null, count: 1 },
    { number: 4, from: '2027-03-24', to: '2027-03-30', change: null, count: 1 },
    { number: 4, from: '2027-03-24', to: '2027-03-30', change: spring, count: 1 },
    { number: 5, from: '2027-03-31', to: '2027-04-06', change: null, count: 1 },
    { number: null, from: '2027-04-07', to: '2027-04-13', change: null, count: 1 },
  ]);
});

test('days off appear in their weeks, including weeks without a session', async () => {
  const place = await createPlace({ starts_on: '2027-03-01', ends_on: '2027-03-28' });
  const meetings = [await addMeeting(place, { starts_local: '2027-03-09T18:00' })];
  const daysOff = ['2027-03-02', '2027-03-08', '2027-03-11', '2027-03-16'].map((day) => ({
    on_date: day,
    reason: '',
  }));
  const found = await weeksOf(place.cohort, meetings, daysOff);
  expect(found.map(({ number, daysOff: off }) => [number, off.length])).toEqual([
    [1, 1],
    [2, 2],
    [3, 1],
  ]);
  expect(areWeeksFull(place.cohort, found)).toBe(false);
  expect(areWeeksFull({ ...place.cohort, ends_on: '2027-03-21' }, found)).toBe(true);
});

test.each([
  ['Europe/Paris', '2027-10-26T18:00', { day: '2027-10-31', minutes: -60 }],
  ['Australia/Lord_Howe', '2027-09-30T18:00', { day: '2027-10-03', minutes: 30 }],
  ['UTC', '2027-10-26T18:00', null],
])('clocks of %s', async (time_zone, starts_local, change) => {
  const place = await createPlace({ time_zone });
  await addMeetings(place, { starts_local, count: 2 });
  expect((await weeks(place)).map((week) => week.change)).toEqual([null, change]);
});
