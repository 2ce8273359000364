import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { meetings } from '#db/schema/meetings.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { instantsOf } from '#features/cohorts/cohort-times.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { addDays } from '#lib/time/calendar.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';
import { meetingsPath } from '../meetings/support.ts';
import { enrollmentRow, personRow, setTime } from '../places/support.ts';
import { cohortPath, createTeacher, noWindow } from '../planning/support.ts';
import {
  clockAt,
  createCohort,
  createMeeting,
  evening,
  made,
  mailsOf,
  reminded,
  startAt,
} from './reminders.ts';
import { createDue, drainByClock } from './support.ts';

startAt(made);

test('people are reminded of the first day once, three days before it at nine, and of the first session that takes place', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ welcomeNote: 'Bring a pen.' });
  await createMeeting(cohort, { title: 'Second draft', startsAt: new Date(evening + day) });
  await createMeeting(cohort);
  await createMeeting(cohort, { startsAt: new Date(evening - day), cancelledAt: new Date(made) });
  const { person } = await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await clockAt(reminded - 1);
  expect(accepted).toEqual([]);
  await clockAt(reminded);
  await clockAt(reminded + 5 * minute);

  expect(accepted).toMatchObject([
    {
      to: person.email,
      from: '"Anna Martin via Lectern" <hello@lectern.test>',
      subject: 'Writing starts on Monday, January 4, 2027',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  ]);
  expect(accepted[0]?.text).toContain('A word from Anna Martin:\n\nBring a pen.');
  expect(accepted[0]?.text).toMatch(
    /The first session is on Tuesday, January 5, 6:00\s.\s7:30\sPM \(Paris\)/,
  );
  expect(loggedEvents('reminders_made')).toMatchObject([{ count: 1 }]);
});

test('a first session that takes place while clocks change ends when they show it', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort();
  await createMeeting(cohort, {
    startsLocal: '2027-03-27T20:00',
    startsAt: new Date('2027-03-27T19:00Z'),
    durationMinutes: 720,
  });
  await createEnrollment(cohort);
  await clockAt(reminded);

  expect(accepted[0]?.text).toMatch(/Saturday, March 27, 8:00\sPM\s.\s9:00\sAM \(Paris\)/);
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

test('live sessions are reminded of a day before, an hour before, both or not at all, with when and where in the time of the cohort, but no link to join', async () => {
  const { accepted } = fakeResend();
  const readers: string[] = [];
  for (const switches of [
    { remindsDayBefore: true, remindsHourBefore: true },
    { remindsDayBefore: true, remindsHourBefore: false },
    { remindsDayBefore: false, remindsHourBefore: true },
    { remindsDayBefore: false, remindsHourBefore: false },
  ]) {
    const cohort = await createCohort({ remindsStart: false, ...switches });
    await createMeeting(cohort, { place: 'Room 4', joinUrl: 'https://meet.example.com/secret' });
    const { person } = await createEnrollment(cohort, {}, { language: 'fr' });
    readers.push(person.email);
  }
  const sentTo = () => accepted.splice(0).map(({ to }) => readers.indexOf(to));
  await clockAt(evening - day - 1);
  expect(sentTo()).toEqual([]);
  await clockAt(evening - day);
  expect(accepted[0]).toMatchObject({
    subject: 'Writing\u00a0: First draft, mardi 5 janvier 2027, 18:00',
    text: expect.stringContaining('Room 4'),
  });
  expect(accepted[0]?.text).not.toContain('meet.example.com');
  await clockAt(evening - day + 5 * minute);
  expect(sentTo().sort()).toEqual([0, 1]);
  await clockAt(evening - hour - 1);
  expect(sentTo()).toEqual([]);
  await clockAt(evening - hour);

  expect(sentTo().sort()).toEqual([0, 2]);
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

test('what moves is reminded of once for each time, but not when only the clocks of its country change', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsStart: false });
  const meeting = await createMeeting(cohort);
  await createEnrollment(cohort);
  const moveTo = (moment: number, startsLocal = meeting.startsLocal) =>
    updateRow(meetings, meeting, { startsAt: new Date(moment), startsLocal });
  await clockAt(evening - day);
  await moveTo(evening + hour);
  await clockAt(evening - day + hour);
  expect(accepted).toHaveLength(1);

  await moveTo(evening + 2 * day, '2027-01-07T18:00');
  await clockAt(evening + day - 1);
  expect(accepted).toHaveLength(1);
  await clockAt(evening + day);
  expect(accepted).toHaveLength(2);
  // Moved back, and again: people are told both times.
  await moveTo(evening);
  await clockAt(evening + day + 1);
  await moveTo(evening + 2 * day, '2027-01-07T18:00');
  await clockAt(evening + day + 2);

  expect(accepted).toHaveLength(2);
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
const [ofSession, ofStart] = [['meeting_reminder'], ['starts_soon']];
const sessionLater = { startsLocal: '2027-01-08T18:00', startsAt: new Date(evening + 3 * day) };
const cohortLater = { startsOn: '2027-01-05', startReminderAt: new Date(evening) };
const then = new Date(evening - day);

test.each<[string, (written: Written) => Promise<unknown>, string[]]>([
  ['a session moved', ({ meeting }) => updateRow(meetings, meeting, sessionLater), ofSession],
  [
    'a session was canceled',
    ({ meeting }) => updateRow(meetings, meeting, { cancelledAt: then }),
    ofSession,
  ],
  [
    'reminders of sessions were switched off',
    ({ cohort }) => updateRow(cohorts, cohort, { remindsDayBefore: false }),
    ofSession,
  ],
  [
    'the reminder of the first day was switched off',
    ({ cohort }) => updateRow(cohorts, cohort, { remindsStart: false }),
    ofStart,
  ],
  ['a cohort moved', ({ cohort }) => updateRow(cohorts, cohort, cohortLater), ofStart],
  [
    'a cohort is in another zone',
    ({ cohort }) => updateRow(cohorts, cohort, { timeZone: 'Europe/Berlin' }),
    both,
  ],
  [
    'a cohort is in the trash',
    ({ cohort }) => updateRow(cohorts, cohort, { deletedAt: then }),
    both,
  ],
  ['someone left', ({ id }) => updateRow(enrollments, { id }, { status: 'left' }), both],
  [
    'someone unsubscribed',
    ({ person }) => updateRow(people, person, { noRemindersAt: then }),
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

test('a reminder that comes late is sent while it is true, and dropped as late afterwards', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsHourBefore: true });
  await createMeeting(cohort);
  await createEnrollment(cohort);
  await clockAt(reminded + 5 * hour);
  expect(accepted).toHaveLength(1);
  await clockAt(evening - day);
  expect(accepted).toHaveLength(2);
  // The session begins, and this cohort did so yesterday.
  const begun = await createCohort();
  await createEnrollment(begun);
  await clockAt(evening);

  expect(accepted).toHaveLength(2);
  const late = (await mailsOf(cohort)).filter(({ failure }) => failure === 'late');
  expect(late).toMatchObject([{ kind: 'meeting_reminder' }]);
  expect(await mailsOf(begun)).toMatchObject([{ kind: 'starts_soon', failure: 'late' }]);
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

/** The request of a mail program: a form, from anywhere, without cookies. */
async function oneClick(address: string) {
  const headers = {
    Origin: '',
    Cookie: '',
    'Sec-Fetch-Site': '',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const raw = 'List-Unsubscribe=One-Click';
  return (await createClient().request('POST', address, undefined, { raw, headers })).status;
}

test('one click ends reminders and messages of this instructor, and keeps the place; they may come again', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsHourBefore: true });
  await createMeeting(cohort);
  const { id, person } = await createEnrollment(cohort);
  const offSince = async () => (await personRow(person.id))?.noRemindersAt ?? null;
  await clockAt(reminded);
  const [mail] = accepted;
  const header = mail?.headers?.['List-Unsubscribe'] ?? '';
  const [, address = ''] = /^<https:\/\/lectern\.test(.+)>$/.exec(header) ?? [];
  sawSecret(address.split('.')[2] ?? '');
  expect(address).toContain(`?u=reminder.${person.id}.`);
  expect(mail?.text).toContain('No more reminders or messages from Anna Martin');
  // Neither a scanner that opens the link ends them, nor a link for invitations.
  expect((await createClient().get(address)).status).toBe(302);
  expect(await oneClick(address.replace('reminder', 'invitation'))).toBe(400);
  expect(await offSince()).toBeNull();

  expect(await oneClick(address)).toBe(200);
  expect(await offSince()).toEqual(new Date(reminded));
  expect(loggedEvents('subscription_changed')).toMatchObject([{ kind: 'reminder', is_on: false }]);
  await clockAt(evening - day);
  expect(accepted).toHaveLength(1);
  expect(await mailsOf(cohort)).toHaveLength(1);
  expect(await enrollmentRow(id)).toMatchObject({ status: 'enrolled' });
  // Emails about their own place still come.
  await createDue({ toAddress: person.email });
  await drainByClock();
  expect(accepted).toHaveLength(2);

  const again = { link: address.split('=')[1], is_on: true };
  const back = await createClient().request('POST', '/api/mail/subscription/', again);
  expect(back.status).toBe(200);
  expect(await offSince()).toBeNull();
  await clockAt(evening - hour);
  expect(accepted).toHaveLength(3);
});
