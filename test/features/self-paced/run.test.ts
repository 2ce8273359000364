import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { lessonMarks, runCounts } from '#db/schema/learning.ts';
import { enrollments } from '#db/schema/people.ts';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { renewInstants } from '#features/cohorts/renew-instants.ts';
import type { OpenRun } from '#features/cohorts/schema.ts';
import {
  openCertificate,
  openParticipant,
  toParticipation,
} from '#features/participant/find-participant.ts';
import { endWaitlists } from '#features/places/sweep.ts';
import { emptyTrash } from '#features/planning/change-state.ts';
import { openRights } from '#features/rights/rights-holder.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from '#support/context.ts';
import { day, minute } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { feedOf, read as readCalendar } from '../calendar/support.ts';
import { startFresh } from '../places/fresh.ts';
import { ask, enrollBy, participate, refused } from '../places/support.ts';
import { settings as cohortSettings } from '../planning/support.ts';
import { learningOf } from './clock.ts';
import { createSelfPaced } from './owner.ts';

const fresh = startFresh();

const farDate = /210[01]/;

test('enrollment is opened once, also after it was set up closed, and not in a course of cohorts', async () => {
  const { client, user } = await createSignedInClient();
  const open = async (input: object) => {
    const course = await createCourseRow(user.id);
    const path = `/api/courses/${course.id}/enrollment/`;
    const [first, again] = [await client.post(path, input), await client.post(path, {})];
    expect([first.status, again.status]).toEqual([201, 200]);
    const run = await first.json<OpenRun>();
    expect(run).toMatchObject({ kind: 'open', name: course.name, starts_on: null, ends_at: null });
    const { id, enrollment_state } = run;
    expect(await again.json<OpenRun>()).toMatchObject({ id, enrollment_state });
    return run;
  };
  expect((await open({})).enrollment_state).toBe('open');
  const run = await open({ opens: false });
  expect(run).toMatchObject({ enrollment_state: 'closed', enrollment_override: 'closed' });
  const change = { enrollment_override: null };
  const opened = await client.request('PATCH', `/api/cohorts/${run.id}/`, change);
  expect(await opened.json()).toMatchObject({ enrollment_state: 'open', ends_at: null });

  const other = await createCourseRow(user.id, { courseType: 'cohort' });
  const refusal = await client.post(`/api/courses/${other.id}/enrollment/`, {});
  expect(await refusal.json()).toMatchObject({ code: 'course_is_cohort' });
});

test('with one place, the second person waits, and moves up when the first leaves', async () => {
  const { resend } = fresh;
  const { slug, read, items } = await createSelfPaced({ capacity: 1 });
  const first = await enrollBy(resend, slug);
  expect(first.status).toBe('enrolled');
  expect(await read()).toMatchObject({
    enrollment_state: 'waitlist',
    counts: { enrolled: 1, places_left: 0 },
  });
  const second = await enrollBy(resend, slug);
  expect(second).toMatchObject({ status: 'waitlisted', queue_position: 1 });

  const all = [...(await items()), ...(await items('?status=waitlisted'))];
  const ids = new Map(all.map(({ email, id }) => [email, id]));
  await participate('leave', first.link, ids.get(first.email));
  expect(await read()).toMatchObject({ counts: { enrolled: 0, offered: 1, places_left: 0 } });
  const accepted = await participate('accept', second.link, ids.get(second.email));
  expect(accepted.body).toMatchObject({ status: 'enrolled' });
  // Who has left can come back: here to the waitlist.
  const back = await participate('rejoin', first.link, ids.get(first.email));
  expect(back.body).toMatchObject({ status: 'waitlisted' });
  expect(await read()).toMatchObject({ counts: { enrolled: 1, waitlisted: 1 } });
});

test('where people enroll by invitation, no one else can', async () => {
  const { resend } = fresh;
  const { slug, post, read } = await createSelfPaced({ join_mode: 'invitation' });
  const { response } = await ask(slug);
  const message = 'This course is by invitation.';
  expect(await response.json()).toMatchObject({ code: 'course_invitation_only', message });
  const email = uniqueEmail();
  const invited = await post('enrollments/', { as: 'invited', name: 'Ada', email });
  expect(invited).toMatchObject({ status: 201, body: { status: 'invited' } });
  const link = linkIn(mailsTo(email, resend.accepted).at(-1));
  const came = await participate('accept', link, invited.body.id);
  expect(came.body).toMatchObject({ status: 'enrolled' });
  expect(await read()).toMatchObject({ counts: { enrolled: 1, invited: 0 } });
});

test('the price is charged, and the account is that of the course', async () => {
  const { resend } = fresh;
  const price = { price_minor: 6_000, currency: 'EUR' };
  const { course, run, slug, items, send, post } = await createSelfPaced(price);
  await enrollBy(resend, slug);
  const [place] = await items();
  const ledger = await send('GET', `/api/courses/${course.id}/payments/`);
  expect(ledger.body).toMatchObject([
    { cohort_id: run.id, cohort_name: 'Grammar', currency: 'EUR', charged_minor: 6_000 },
  ]);
  const payment = { kind: 'payment', method: 'cash', received_on: '2026-11-24' };
  expect((await post('ledger/', { enrollments: [place?.id], ...payment })).status).toBe(201);
  expect(await send('PATCH', '', { currency: 'USD' })).toMatchObject(refused('currency_in_use'));
});

test('its settings are changed, as far as they have nothing to do with dates', async () => {
  const { read, send } = await createSelfPaced();
  const {
    minimum_people: _least,
    shows_minimum: _isShown,
    place: _place,
    ...shared
  } = cohortSettings;
  const settings = {
    ...shared,
    join_mode: 'approval',
    access_days: 90,
    sends_receipts: true,
    payment_note: 'By transfer.',
    payment_url: 'https://pay.example.com/',
    terms_url: 'https://example.com/terms',
    question: 'Why?',
    welcome_note: 'Welcome.',
    refund_note: 'Within 14 days.',
    second_teacher: 'Ada Byron',
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

test('a change of dates, name or place is refused, and values that stay the same are not', async () => {
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

test('what is only for cohorts is refused, and no one gets an email', async () => {
  const { enroll, read, send } = await createSelfPaced();
  await enroll();
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

test('a course of cohorts takes no one at their own pace, but those who have begun continue', async () => {
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
  // What its owner has closed stays so, whatever the type is in between.
  await send('PATCH', '', { enrollment_override: 'closed' });
  await become('cohort');
  await become('evergreen');
  expect(await read()).toMatchObject({ enrollment_state: 'closed' });
  expect(await (await ask(slug)).response.json()).toMatchObject({ code: 'enrollment_closed' });
  await send('PATCH', '', { enrollment_override: null });
  expect(await read()).toMatchObject({ enrollment_state: 'open' });
});

test('its course can be renamed, its people completed on any day, and it is deleted once they have left', async () => {
  const { course, enroll, post, read, run, send } = await createSelfPaced();
  await send('PATCH', `/api/courses/${course.id}/`, { name: 'Grammar for all' });
  expect(await read()).toMatchObject({ name: 'Grammar for all', public_url: run.public_url });
  const { id } = await enroll();
  expect(await post(`enrollments/${id}/complete/`)).toMatchObject({ status: 200 });
  expect(await learningOf({ id })).toMatchObject({ standing: 'completed', quietAt: null });
  const remove = () => send('DELETE', `/api/courses/${course.id}/`);
  expect(await remove()).toMatchObject(refused('course_has_learners'));
  await post('enrollments/remove/', { enrollments: [id] });
  expect(await remove()).toMatchObject({ status: 204 });
});

test('no list, file or export of cohorts has it, or one of its dates', async () => {
  const { client, course, enroll, run, send, slug, user } = await createSelfPaced();
  const { personId } = await enroll();
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

test('the nightly jobs leave it as it is', async () => {
  const { run } = await createSelfPaced();
  const row = () => db.select().from(cohorts).where(eq(cohorts.id, run.id)).get();
  const before = await row();
  for (const job of [renewInstants, endWaitlists, emptyTrash]) {
    await job(contextOn());
  }
  expect(await row()).toEqual(before);
});

test('someone moves from a cohort to the open run and back, with what they have done', async () => {
  const { course, run, post, items } = await createSelfPaced();
  const lesson = await createLessonRow(await createSectionRow(course), { publishedAt: new Date() });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const place = await createEnrollment(cohort);
  await createMark(place, lesson);
  const path = `/api/cohorts/${cohort.id}/enrollments/${place.id}/transfer/`;
  const moved = await post(path, { cohort_id: run.id });
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

test('what people read of their place has no dates, and until when they can read', async () => {
  const { enroll } = await createSelfPaced({ access_days: 90 });
  const { person, statusChangedAt } = await enroll();
  const link = await sealLink(contextOn(), 'person', person);
  const row = (await openParticipant(contextOn(), link))?.enrollments[0];
  if (row === undefined) {
    throw new Error('Nothing found.');
  }

  const days = (Number(row.accessEndsAt) - statusChangedAt.getTime()) / day;
  expect(days).toBeCloseTo(90, 1);
  const told = toParticipation(contextOn(), row);
  expect(told).toMatchObject({
    kind: 'open',
    cohort_name: 'Grammar',
    starts_on: null,
    ends_on: null,
    status: 'enrolled',
    actions: ['leave'],
  });
  expect(JSON.stringify(told)).not.toMatch(farDate);
});

test('a certificate, and a page about someone’s data, know whether they are of courses alone', async () => {
  const { course, enroll } = await createSelfPaced();
  const place = await enroll();
  await updateRow(enrollments, place, { completedAt: new Date() });
  const link = await sealLink(contextOn(), 'person', place.person);
  expect(await openCertificate(contextOn(), link, place.id)).toMatchObject({
    place: { kind: 'open', courseName: 'Grammar' },
    attended: { sessions: 0 },
  });

  const expiresAt = Date.now() + minute;
  const token = await sealLink(contextOn(), 'remove', { ...place.person, expiresAt });
  const isOnlyInRuns = async () => (await openRights(contextOn(), 'remove', token))?.isOnlyInRuns;
  expect(await isOnlyInRuns()).toBe(true);
  await createEnrollment(await createCohortRow(course), { personId: place.personId });
  expect(await isOnlyInRuns()).toBe(false);
});
