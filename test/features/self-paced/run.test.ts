import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { lessonMarks, runCounts } from '#db/schema/learning.ts';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { renewInstants } from '#features/cohorts/renew-instants.ts';
import { endWaitlists } from '#features/places/sweep.ts';
import { emptyTrash } from '#features/planning/change-state.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';
import { feedOf, read as readCalendar } from '../calendar/support.ts';
import { startFresh } from '../places/fresh.ts';
import { ask, enrollBy, refused } from '../places/support.ts';
import { learningOf } from './clock.ts';
import { createSelfPaced } from './owner.ts';

const fresh = startFresh();

const farDate = /210[01]/;

test('its settings are changed, as far as they have nothing to do with dates', async () => {
  const { read, send } = await createSelfPaced();
  const settings = {
    join_mode: 'approval',
    capacity: 30,
    waitlist: false,
    offer_hours: 72,
    shows_places_left: false,
    access_days: 90,
    price_minor: 6_000,
    currency: 'EUR',
    sends_receipts: true,
    payment_note: 'By transfer.',
    payment_url: 'https://pay.example.com/',
    terms_url: 'https://example.com/terms',
    question: 'Why?',
    welcome_note: 'Welcome.',
    refund_note: 'Within 14 days.',
    description: 'All of it.',
    second_teacher: 'Ada Byron',
    language: 'fr',
    sends_certificates: false,
    enrollment_override: 'closed',
  };
  const changed = await send('PATCH', '', settings);
  expect(changed).toMatchObject({ status: 200, body: { ...settings, enrollment_state: 'closed' } });
  expect(JSON.stringify(changed.body)).not.toMatch(farDate);
  for (const value of ['open', null]) {
    await send('PATCH', '', { enrollment_override: 'closed' });
    await send('PATCH', '', { enrollment_override: value });
    expect(await read()).toMatchObject({ enrollment_override: null, enrollment_state: 'approval' });
  }
});

test('it takes no settings of cohorts, except as it is shown to be', async () => {
  const { read, run, send } = await createSelfPaced();
  for (const input of [
    { name: 'Spring' },
    { starts_on: '2027-01-04' },
    { ends_on: '2027-01-04' },
    { time_zone: 'Europe/Paris' },
    { enrollment_opens_local: '2027-01-04T09:00' },
    { enrollment_closes_local: '2027-01-04' },
    { early_price_minor: 100, early_until_local: '2027-01-04' },
    { minimum_people: 3 },
    { place: 'Room 4' },
    { join_url: 'https://meet.example.com/' },
  ]) {
    const answer = await send('PATCH', '', { ...input, capacity: 3 });
    expect(answer, JSON.stringify(input)).toMatchObject(refused('course_self_paced'));
  }
  expect(await read()).toEqual(run);
  const { name, time_zone, enrollment_closes_local, early_price_minor } = run;
  const same = { name, time_zone, enrollment_closes_local, early_price_minor, capacity: 5 };
  expect(await send('PATCH', '', same)).toMatchObject({ status: 200, body: { capacity: 5 } });
});

test('it refuses what is for cohorts alone, and tells no one', async () => {
  const { read, run, send, user } = await createSelfPaced();
  await createEnrollment({ id: run.id, ownerId: user.id });
  const before = await read();
  const days = { starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };
  const window = { enrollment_opens_local: null, enrollment_closes_local: null };
  const meeting = { title: 'Dialogue', starts_local: '2027-01-05T18:00', duration_minutes: 60 };
  for (const [method, path, input] of [
    ['POST', 'move/', { ...days, expected: { ...days, ...window } }],
    ['POST', 'duplicate/', { name: 'Summer', starts_on: '2027-06-07' }],
    ['POST', 'publish/', {}],
    ['POST', 'unpublish/', {}],
    ['POST', 'archive/', {}],
    ['POST', 'unarchive/', {}],
    ['DELETE', '', {}],
    ['POST', 'restore/', {}],
    ['POST', 'purge/', {}],
    ['GET', 'meetings/'],
    ['POST', 'meetings/', meeting],
    ['GET', 'schedule/'],
    ['GET', 'attendance/'],
    ['GET', 'attendance.csv'],
    ['POST', 'completions/', { at_least: 1 }],
    ['POST', 'learning/completions/', {}],
    ['POST', 'announcements/', {}],
    ['POST', 'announcements/dismiss/', {}],
  ] as const) {
    const answer = await send(method, path, input);
    expect(answer, `${method} ${path}`).toMatchObject(refused('course_self_paced'));
  }
  expect(await read()).toEqual(before);
  expect(fresh.resend.accepted).toEqual([]);
});

test('a course of cohorts takes no one at their own pace, but those who have begun go on', async () => {
  const { resend } = fresh;
  const { course, read, send, slug } = await createSelfPaced();
  await enrollBy(resend, slug);
  const become = (type: string) =>
    send('PATCH', `/api/courses/${course.id}/`, { course_type: type });

  await become('cohort');
  expect(await read()).toMatchObject({ enrollment_state: 'closed', counts: { enrolled: 1 } });
  const { response } = await ask(slug);
  expect(await response.json()).toMatchObject({ code: 'enrollment_closed' });
  for (const value of ['open', null]) {
    expect(await send('PATCH', '', { enrollment_override: value })).toMatchObject(
      refused('course_is_cohort'),
    );
  }
  expect(await send('PATCH', '', { capacity: 9 })).toMatchObject({ status: 200 });

  await become('evergreen');
  expect(await read()).toMatchObject({ enrollment_override: null, enrollment_state: 'open' });
  // The same type again opens nothing.
  await send('PATCH', '', { enrollment_override: 'closed' });
  await become('evergreen');
  expect(await read()).toMatchObject({ enrollment_state: 'closed' });
});

test('its course can be renamed, and deleted once no one is in it', async () => {
  const { course, post, read, run, send, user } = await createSelfPaced();
  await send('PATCH', `/api/courses/${course.id}/`, { name: 'Grammar for all' });
  expect(await read()).toMatchObject({ name: 'Grammar for all', public_url: run.public_url });
  const { id } = await createEnrollment({ id: run.id, ownerId: user.id });
  const gone = () => send('DELETE', `/api/courses/${course.id}/`);
  expect(await gone()).toMatchObject(refused('course_has_learners'));
  await post('enrollments/remove/', { enrollments: [id] });
  expect((await gone()).status).toBe(204);
});

test('someone can be marked as completed on any day', async () => {
  const { run, send, user } = await createSelfPaced();
  const { id } = await createEnrollment({ id: run.id, ownerId: user.id });
  const completed = await send('POST', `enrollments/${id}/complete/`, {});
  expect(completed.status, JSON.stringify(completed.body)).toBe(200);
  expect(await learningOf({ id })).toMatchObject({ standing: 'completed', quietAt: null });
});

test('no list, file or export of cohorts has it, or one of its dates', async () => {
  const { client, course, run, send, slug, user } = await createSelfPaced();
  const { personId } = await createEnrollment({ id: run.id, ownerId: user.id });
  for (const state of ['current', 'archived', 'trash']) {
    const path = `/api/courses/${course.id}/cohorts/?state=${state}`;
    expect((await send('GET', path)).body).toEqual([]);
  }
  const choices = await send('GET', '/api/courses/choices/');
  expect(JSON.stringify(choices.body)).not.toMatch(/running|upcoming|210[01]/);
  expect((await readCalendar(calendarPaths.file(`/c/${slug}`))).status).toBe(404);
  await send('POST', '/api/calendar-feed/');
  for (const feed of [feedOf('i', user.id), feedOf('p', personId)]) {
    const calendar = await (await readCalendar(await feed)).text();
    expect(calendar).toContain('BEGIN:VCALENDAR');
    expect(calendar).not.toContain('VEVENT');
  }

  const exported = await client.get(`/api/accounts/${user.id}/export/`);
  const { cohorts: stored } = await exported.json<{ cohorts: Record<string, unknown>[] }>();
  expect(stored).toMatchObject([
    { id: run.id, kind: 'open', starts_on: null, ends_at: null, enrollment_closes_local: null },
  ]);
  expect(JSON.stringify(stored)).not.toMatch(farDate);
});

test('nights leave it alone', async () => {
  const { run } = await createSelfPaced();
  const row = () => db.select().from(cohorts).where(eq(cohorts.id, run.id)).get();
  const before = await row();
  for (const job of [renewInstants, endWaitlists, emptyTrash]) {
    await job(contextOn());
  }
  expect(await row()).toEqual(before);
});

test('someone moves from a cohort to the open run and back, with what they have done', async () => {
  const { course, run, post, items, send } = await createSelfPaced();
  const lesson = await createLessonRow(await createSectionRow(course), { publishedAt: new Date() });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const place = await createEnrollment(cohort);
  await createMark(place, lesson);
  const path = `/api/cohorts/${cohort.id}/enrollments/${place.id}/transfer/`;
  const moved = await send('POST', path, { cohort_id: run.id });
  expect(moved).toMatchObject({ status: 200, body: { status: 'enrolled' } });
  expect(await items()).toMatchObject([{ id: place.id }]);
  expect(await learningOf(place)).toMatchObject({ standing: 'under_way', done: 1 });
  expect(await marksIn(run.id)).toBe(1);

  const back = await post(`enrollments/${place.id}/transfer/`, { cohort_id: cohort.id });
  expect(back).toMatchObject({ status: 200, body: { status: 'enrolled' } });
  expect(await learningOf(place)).toMatchObject({ standing: null, quietAt: null, done: 1 });
  expect(await marksIn(cohort.id)).toBe(1);
  const counts = await db.select().from(runCounts).where(eq(runCounts.cohortId, run.id));
  expect(counts.map(({ people }) => people)).toEqual([0]);
});

function marksIn(cohortId: string) {
  return db.$count(lessonMarks, eq(lessonMarks.cohortId, cohortId));
}
