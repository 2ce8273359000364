import { expect, test, vi } from 'vitest';
import type { EnrollmentStatus } from '#db/values.ts';
import { findAttendance } from '#features/attendance/find-attendance.ts';
import { findScheduleTable } from '#features/meetings/change-schedule.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { findNextMeeting } from '#features/meetings/next-meeting.ts';
import { weekdaysInWords, weeklyPattern } from '#features/meetings/weekly-pattern.ts';
import { areWeeksFull, weeksOf } from '#features/meetings/weeks.ts';
import { openParticipant } from '#features/participant/find-participant.ts';
import { findNextCohort, findOwnCohort } from '#features/planning/own-cohorts.ts';
import { findPreview, findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { sealLink } from '#lib/signed-links.ts';
import { addDays } from '#lib/time/calendar.ts';
import { contextOn, readAs } from '#support/context.ts';
import { copyRow, createEnrollment, createUser } from '#support/factories.ts';
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
  const without = await findPublicPage(contextOn(), slug);
  expect(without?.cohort?.meetings).toMatchObject([{ id, isCancelled: 1 }]);
  await place.post('unpublish');
  expect(await findPublicPage(contextOn(), slug)).toBeNull();
});

/** What someone sees by their link. */
async function openBy(person: { id: string; linkVersion: number }) {
  return openParticipant(contextOn(), await sealLink(contextOn(), 'person', person));
}

test('where sessions meet online is for enrolled people only', async () => {
  const place = await createPlace({ join_url: 'https://meet.example/all' }, { isPublished: true });
  await addMeeting(place, link);
  await addMeeting(place, { starts_local: '2027-03-03T18:00' });
  const hidden = [
    { joinUrl: null, note: null },
    { joinUrl: null, note: null },
  ];
  const shown = [
    { joinUrl: 'https://meet.example/room', note: 'Bring a pen' },
    { joinUrl: 'https://meet.example/all', note: null },
  ];
  const states: [EnrollmentStatus, object, object[]][] = [
    ['enrolled', {}, shown],
    ['invited', { expiresAt: new Date('2027-02-25T09:00:00Z') }, hidden],
    ['waitlisted', { queueNo: 1 }, hidden],
    ['applied', {}, hidden],
    ['removed', {}, []],
  ];
  for (const [status, values, seen] of states) {
    const { person } = await createEnrollment(place.of, { status, ...values });
    expect((await openBy(person))?.meetings, status).toMatchObject(seen);
  }
});

test('a person sees the sessions of their own cohorts only', async () => {
  const place = await createPlace();
  await addMeeting(place);
  await addMeeting(await createNextPlace(place));
  await addMeeting(await createPlace());
  const { id: enrollmentId, person } = await createEnrollment(place.of);
  expect((await openBy(person))?.meetings).toMatchObject([{ enrollmentId }]);
});

test('nothing of the schedule of another instructor is found', async () => {
  const place = await createPlace();
  const { id } = await addMeeting(place);
  const stranger = await createUser();
  const cohortId = place.cohort.id;
  const read = async (userId: string) => [
    await readAs(userId, findSchedule(cohortId)),
    await readAs(userId, findScheduleTable(cohortId)),
    await readAs(userId, findAttendance(cohortId, '')),
    await readAs(userId, findPreview(cohortId)),
  ];
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
  const sheet = (address: string) => readAs(of.ownerId, findAttendance(of.id, address));
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
  const [first] = await addMeetings(place, { count: 3 });
  const next = async () => {
    const { id } = place.cohort;
    const found = await readAs(place.user.id, findNextMeeting(id));
    const home = await readAs(place.user.id, findNextCohort);
    expect(home?.nextMeeting ?? null).toEqual(found);
    const cohort = await readAs(place.user.id, findOwnCohort(id));
    return [found?.startsLocal ?? null, cohort?.meetingCount];
  };
  await place.send('POST', `/api/courses/${place.course.id}/select/`);
  expect(await next()).toEqual(['2027-03-02T18:00', 3]);
  await place.drop(first?.id);
  for (const [now, starts] of [
    ['2027-02-20T09:00:00Z', '2027-03-09T18:00'],
    ['2027-03-09T18:29:59Z', '2027-03-09T18:00'],
    ['2027-03-09T18:30:00Z', '2027-03-16T18:00'],
    ['2027-04-09T18:30:00Z', null],
  ] as const) {
    vi.setSystemTime(now);
    expect(await next()).toEqual([starts, 2]);
  }
});

test('sessions need no place of their cohort if each has one or a link of its own', async () => {
  const place = await createPlace();
  const areAllPlaced = async () =>
    (await readAs(place.user.id, findOwnCohort(place.cohort.id)))?.areAllPlaced;
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

test('spans of days off appear in the weeks in which they begin, and fill those that they cover', async () => {
  const place = await createPlace({ starts_on: '2027-03-01', ends_on: '2027-03-28' });
  const meetings = [await addMeeting(place, { starts_local: '2027-03-09T18:00' })];
  const days = ['2027-03-02', '2027-03-08', '2027-03-11', '2027-03-16'];
  const daysOff = days.map((on_date) => ({ on_date, reason: '' }));
  const found = await weeksOf(place.cohort, meetings, daysOff);
  const shown = found.map(({ number, daysOff: off }) => [number, off.map(({ to }) => to)]);
  expect(shown).toEqual([
    [1, ['2027-03-08']],
    [2, ['2027-03-16']],
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

type Session = Parameters<typeof weeklyPattern>[0][number];

function at(day: string, clock = '18:30', values: Partial<Session> = {}): Session {
  return { startsLocal: `${day}T${clock}`, durationMinutes: 150, isCancelled: 0, ...values };
}

/** 2027-01-11 is a Monday. */
function weekly(first: string, count: number, clock?: string): Session[] {
  return Array.from({ length: count }, (_, week) => at(addDays(first, week * 7), clock));
}

test('ten Mondays at one time are a pattern, whose canceled sessions do not count', () => {
  const mondays = weekly('2027-01-11', 10);
  const pattern = weeklyPattern([...mondays, at('2027-04-01', '10:00', { isCancelled: 1 })]);

  expect(pattern).toEqual({ days: ['2027-01-11'], meetings: mondays, isEveryWeekday: true });
});

test('weekdays come in the order of the week, and are said in both languages', () => {
  const sessions = [...weekly('2027-01-14', 3), ...weekly('2027-01-11', 3)];
  const days = weeklyPattern(sessions)?.days ?? [];

  expect(days).toEqual(['2027-01-11', '2027-01-14']);
  expect(weekdaysInWords(days, 'en')).toBe('Mondays and Thursdays');
  expect(weekdaysInWords(days, 'fr')).toBe('lundis et jeudis');
});

test('a session at another time, or on another day, is an exception to the pattern', () => {
  const mondays = weekly('2027-01-11', 5);
  const later = at('2027-02-15', '19:00');
  const saturday = at('2027-02-20');

  expect(weeklyPattern([...mondays, later])).toEqual({
    days: ['2027-01-11'],
    meetings: mondays,
    isEveryWeekday: true,
  });
  expect(weeklyPattern([...mondays, saturday])).toEqual({
    days: ['2027-01-11'],
    meetings: [...mondays, saturday],
    isEveryWeekday: false,
  });
});

test('days in a row have a time, but no weekday', () => {
  const week = [0, 1, 2, 3, 4].map((days) => at(addDays('2027-01-11', days)));

  expect(weeklyPattern(week)).toMatchObject({ days: [], meetings: week, isEveryWeekday: false });
});

test.each([
  ['no session', []],
  ['one session', [at('2027-01-11')]],
  ['every session at another time', [at('2027-01-11', '09:00'), at('2027-01-18', '10:00')]],
  [
    'half of them',
    [...weekly('2027-01-11', 2), at('2027-02-01', '09:00'), at('2027-02-08', '10:00')],
  ],
  ['other lengths', [at('2027-01-11'), at('2027-01-18', '18:30', { durationMinutes: 60 })]],
])('%s is no pattern', (_, sessions) => {
  expect(weeklyPattern(sessions)).toBeNull();
});
