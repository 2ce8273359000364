import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { instantsOf } from '#features/cohorts/cohort-times.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { addDays } from '#lib/time/calendar.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { meetingsPath } from '../meetings/support.ts';
import { setTime } from '../places/support.ts';
import { cohortPath, createTeacher, noWindow } from '../planning/support.ts';
import {
  changeCohort,
  changeMeeting,
  clockAt,
  createCohort,
  createMeeting,
  day,
  evening,
  hour,
  made,
  mailsOf,
  reminded,
  startAt,
} from './reminders.ts';

startAt(made);

test('people are reminded of the first day once, three days before it at nine', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ welcomeNote: 'Bring a pen.' });
  const { person } = await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await clockAt(reminded - 1);
  expect(accepted).toEqual([]);
  await clockAt(reminded);
  await clockAt(reminded + 5 * 60 * 1000);

  expect(accepted).toMatchObject([
    {
      to: person.email,
      from: '"Anna Martin via Lectern" <hello@lectern.test>',
      subject: 'Writing starts on Monday, January 4, 2027',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  ]);
  expect(accepted[0]?.text).toContain('A word from Anna Martin:\n\nBring a pen.');
  expect(loggedEvents('reminders_made')).toMatchObject([{ count: 1 }]);
});

test('the reminder of the first day says when the first session is that takes place', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort();
  await createMeeting(cohort, { title: 'Second draft', startsAt: new Date(evening + day) });
  await createMeeting(cohort);
  await createMeeting(cohort, { startsAt: new Date(evening - day), cancelledAt: new Date(made) });
  await createEnrollment(cohort);
  await clockAt(reminded);

  expect(accepted[0]?.text).toMatch(
    /The first session is on Tuesday, January 5, 6:00\s.\s7:30\sPM \(Paris\)/,
  );
});

test.each([
  ['Europe/Paris', '2027-01-04', '2027-01-01T08:00:00.000Z'],
  // The clocks change between the two.
  ['Europe/Paris', '2027-03-29', '2027-03-26T08:00:00.000Z'],
  ['Australia/Lord_Howe', '2027-04-05', '2027-04-01T22:00:00.000Z'],
])('nine in the morning is that of the cohort: %s, %s', (time_zone, starts_on, expected) => {
  const days = { starts_on, ends_on: starts_on, time_zone };
  const { startReminderAt } = instantsOf({ ...days, ...noWindow });

  expect(startReminderAt.toISOString()).toBe(expected);
});

test('live sessions are reminded of a day before, an hour before, both or not at all', async () => {
  const { accepted } = fakeResend();
  const cases = [
    { remindsDayBefore: true, remindsHourBefore: true },
    { remindsDayBefore: true, remindsHourBefore: false },
    { remindsDayBefore: false, remindsHourBefore: true },
    { remindsDayBefore: false, remindsHourBefore: false },
  ];
  const readers: string[] = [];
  for (const switches of cases) {
    const cohort = await createCohort({ remindsStart: false, ...switches });
    await createMeeting(cohort);
    const { person } = await createEnrollment(cohort);
    readers.push(person.email);
  }
  const sentTo = () => accepted.splice(0).map(({ to }) => readers.indexOf(to));
  await clockAt(evening - day - 1);
  expect(sentTo()).toEqual([]);
  await clockAt(evening - day);
  await clockAt(evening - day + 5 * 60 * 1000);
  expect(sentTo().sort()).toEqual([0, 1]);
  await clockAt(evening - hour - 1);
  expect(sentTo()).toEqual([]);
  await clockAt(evening - hour);

  expect(sentTo().sort()).toEqual([0, 2]);
});

test('a reminder says when and where, in the time of the cohort, and keeps the link to join', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsStart: false });
  await createMeeting(cohort, { place: 'Room 4', joinUrl: 'https://meet.example.com/secret' });
  await createEnrollment(cohort, {}, { language: 'fr' });
  await clockAt(evening - day);

  expect(accepted[0]).toMatchObject({
    subject: 'Writing\u00a0: First draft, mardi 5 janvier 2027, 18:00',
  });
  expect(accepted[0]?.text).toContain('Room 4');
  expect(accepted[0]?.text).not.toContain('meet.example.com');
});

test('someone who enrolls later gets no reminder that has gone out, and no one gets one of what is near already', async () => {
  const { attempts } = fakeResend();
  const cohort = await createCohort();
  await createMeeting(cohort);
  await clockAt(reminded);
  await createEnrollment(cohort);
  await clockAt(reminded + hour);
  // A session that is only five hours away when it is added.
  const soon = new Date(reminded + 6 * hour);
  await createMeeting(cohort, { startsAt: soon, updatedAt: new Date(reminded + hour) });
  await clockAt(reminded + hour + 1);

  expect(attempts).toEqual([]);
  expect(await mailsOf(cohort)).toEqual([]);
});

test('what moves is reminded of at its new time, and once for each time', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsStart: false });
  const meeting = await createMeeting(cohort);
  await createEnrollment(cohort);
  await clockAt(evening - day);
  const startsAt = new Date(evening + 2 * day);
  await changeMeeting(meeting, { startsLocal: '2027-01-07T18:00', startsAt });
  await clockAt(evening + day - 1);
  expect(accepted).toHaveLength(1);
  await clockAt(evening + day);
  expect(accepted).toHaveLength(2);
  // Moved back, and again: people are told both times.
  await changeMeeting(meeting, { startsAt: new Date(evening), startsLocal: '2027-01-05T18:00' });
  await clockAt(evening + day + 1);
  await changeMeeting(meeting, { startsAt, startsLocal: '2027-01-07T18:00' });
  await clockAt(evening + day + 2);

  expect(accepted).toHaveLength(2);
});

test('a country that changes its clocks overnight has no one reminded twice', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsStart: false });
  const meeting = await createMeeting(cohort);
  await createEnrollment(cohort);
  await clockAt(evening - day);
  await changeMeeting(meeting, { startsAt: new Date(evening + hour) });
  await clockAt(evening - day + hour);

  expect(accepted).toHaveLength(1);
});

/** Writes both reminders a moment before they are due, to be sent after something has changed. */
async function createWritten() {
  const cohort = await createCohort({ startReminderAt: new Date(evening - day) });
  const meeting = await createMeeting(cohort);
  const { id, person } = await createEnrollment(cohort);
  setTime(evening - day);
  await makeReminders(contextOn());
  expect(await mailsOf(cohort)).toHaveLength(2);
  return { cohort, meeting, id, person };
}
type Written = Awaited<ReturnType<typeof createWritten>>;

const both = ['meeting_reminder', 'starts_soon'];
const later = { startsOn: '2027-01-05', startReminderAt: new Date(evening) };

test.each<[string, (written: Written) => Promise<unknown>, string[]]>([
  ['a session that moved', ({ meeting }) => moveBy(meeting), ['meeting_reminder']],
  [
    'a session that was canceled',
    ({ meeting }) => changeMeeting(meeting, { cancelledAt: new Date() }),
    ['meeting_reminder'],
  ],
  [
    'reminders of sessions switched off',
    ({ cohort }) => changeCohort(cohort, { remindsDayBefore: false }),
    ['meeting_reminder'],
  ],
  [
    'the reminder of the first day switched off',
    ({ cohort }) => changeCohort(cohort, { remindsStart: false }),
    ['starts_soon'],
  ],
  ['a cohort that moved', ({ cohort }) => changeCohort(cohort, later), ['starts_soon']],
  [
    'a cohort in another zone',
    ({ cohort }) => changeCohort(cohort, { timeZone: 'Europe/Berlin' }),
    both,
  ],
  ['a cohort in the trash', ({ cohort }) => changeCohort(cohort, { deletedAt: new Date() }), both],
  [
    'someone who has left',
    ({ id }) => db.update(enrollments).set({ status: 'left' }).where(eq(enrollments.id, id)),
    both,
  ],
  [
    'someone who has unsubscribed',
    ({ person }) =>
      db.update(people).set({ noRemindersAt: new Date() }).where(eq(people.id, person.id)),
    both,
  ],
])('before it is sent, a reminder is looked at again: %s', async (_what, change, dropped) => {
  const { accepted } = fakeResend();
  const written = await createWritten();
  await change(written);
  await clockAt(evening - day + 1);

  expect(accepted).toHaveLength(2 - dropped.length);
  const mails = await mailsOf(written.cohort);
  const failed = mails.filter(({ failure }) => failure === 'not_needed');
  expect(failed.map(({ kind }) => kind).sort()).toEqual(dropped);
});

function moveBy(meeting: { id: string }) {
  const startsAt = new Date(evening + 3 * day);
  return changeMeeting(meeting, { startsLocal: '2027-01-08T18:00', startsAt });
}

test('a reminder that comes late is sent while it is true, and dropped as late afterwards', async () => {
  const { accepted, attempts } = fakeResend();
  const early = await createCohort();
  await createEnrollment(early);
  await clockAt(reminded + 5 * hour);
  expect(accepted).toHaveLength(1);
  await db.delete(mailsDue);
  attempts.length = 0;
  const cohort = await createCohort();
  await createEnrollment(cohort);
  await clockAt(reminded + 4 * day);

  expect(attempts).toEqual([]);
  expect(await mailsOf(cohort)).toMatchObject([{ kind: 'starts_soon', failure: 'late' }]);
});

test('a reminder may be two hours late, but never comes after its session has begun', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsHourBefore: true });
  await createMeeting(cohort);
  await createEnrollment(cohort);
  await clockAt(reminded + 2 * hour);
  expect(accepted).toHaveLength(1);
  await clockAt(evening - day);
  expect(accepted).toHaveLength(2);
  await clockAt(evening);

  expect(accepted).toHaveLength(2);
  const mails = await mailsOf(cohort);
  expect(mails.filter(({ failure }) => failure === 'late')).toHaveLength(1);
});

test('nothing is written about a cohort that is a draft, archived or in the trash', async () => {
  const { attempts } = fakeResend();
  const none = [
    await createCohort({ publishedAt: null }),
    await createCohort({ archivedAt: new Date(made) }),
    await createCohort({ deletedAt: new Date(made) }),
  ];
  for (const cohort of none) {
    await createMeeting(cohort);
    await createEnrollment(cohort);
  }
  await clockAt(reminded);
  await clockAt(evening - day);

  expect(attempts).toEqual([]);
  expect((await Promise.all(none.map(mailsOf))).flat()).toEqual([]);
});

test.each([
  ['the first day', { remindsDayBefore: false }, reminded, false],
  ['a session, with its cohort', { remindsStart: false }, evening - day, false],
  ['a session', { remindsStart: false }, evening - day, true],
])(
  'people are reminded of a time that was moved away and back: %s',
  async (_what, switches, due, isAlone) => {
    const { accepted } = fakeResend();
    setTime(reminded - day);
    const { client, course } = await createTeacher();
    const published = { publishedAt: new Date(made), startReminderAt: new Date(reminded) };
    const cohort = await createCohortRow(course, { ...published, ...switches });
    await createEnrollment(cohort);
    const session = await createMeeting(cohort);
    const now = { starts_on: cohort.startsOn, ends_on: cohort.endsOn, time_zone: cohort.timeZone };
    const away = { ...now, starts_on: '2027-02-01', ends_on: '2027-03-31' };
    const move = async (from: object, to: typeof now) => {
      const starts_local = `${addDays(to.starts_on, 1)}T18:00`;
      const input = { ...to, expected: { ...from, ...noWindow }, notify: false };
      const moved = isAlone
        ? await client.request('PATCH', meetingsPath(cohort.id, session.id), { starts_local })
        : await client.post(cohortPath(cohort.id, 'move/'), input);
      expect(moved.status).toBe(200);
    };
    setTime(due);
    await makeReminders(contextOn());
    await move(now, away);
    await drainOutbox(contextOn(), null);
    expect(accepted).toEqual([]);
    setTime(due + 1);
    await move(away, now);
    await clockAt(due + 2);

    expect(accepted).toHaveLength(1);
  },
);
