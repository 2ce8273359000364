import { expect, test } from 'vitest';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { makeReminders } from '#features/reminders/make-reminders.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { cohortPath, createTeacher, noWindow } from '../cohorts/support.ts';
import { meetingsPath } from '../meetings/support.ts';
import { setTime } from '../people/support.ts';
import { clockAt, createMeeting, day, evening, hour, made, reminded, startAt } from './support.ts';

const minute = 60 * 1000;

startAt(reminded - day);

/** A cohort with someone in it and a session, and how its owner moves both. */
async function createPlan(switches: Parameters<typeof createCohortRow>[1]) {
  const { client, course } = await createTeacher();
  const cohort = await createCohortRow(course, {
    publishedAt: new Date(made),
    startReminderAt: new Date(reminded),
    ...switches,
  });
  await createEnrollment(cohort);
  const session = await createMeeting(cohort);
  let now = { starts_on: cohort.startsOn, ends_on: cohort.endsOn };
  const zone = { time_zone: cohort.timeZone };
  return {
    async moveCohort(starts_on: string) {
      const next = { starts_on, ends_on: '2027-03-31' };
      const expected = { ...now, ...zone, ...noWindow };
      const input = { ...next, ...zone, expected, notify: false };
      const moved = await client.post(cohortPath(cohort.id, 'move/'), input);
      expect(moved.status, await moved.clone().text()).toBe(200);
      now = next;
    },
    async moveSession(date: string) {
      const path = meetingsPath(cohort.id, session.id);
      const input = { starts_local: `${date}T18:00` };
      const moved = await client.request('PATCH', path, input);
      expect(moved.status, await moved.clone().text()).toBe(200);
    },
  };
}

const ofStart = { remindsDayBefore: false, remindsHourBefore: false };
const ofSessions = { remindsStart: false, remindsHourBefore: true };
const before = [evening - day, evening - hour];

test.each([
  ['the first day', 'moveCohort', ['2027-02-01', '2027-01-04'], ofStart, [reminded]],
  ['a session, with its cohort', 'moveCohort', ['2027-02-01', '2027-01-04'], ofSessions, before],
  ['a session', 'moveSession', ['2027-02-02', '2027-01-05'], ofSessions, before],
] as const)(
  'people are reminded of a time that was moved away and back: %s',
  async (_what, move, [away, back], switches, moments) => {
    const { accepted } = fakeResend();
    const plan = await createPlan(switches);
    for (const moment of moments) {
      setTime(moment);
      await makeReminders(contextOn());
      await plan[move](away);
      await drainOutbox(contextOn(), null);
      expect(accepted).toEqual([]);
      setTime(moment + minute);
      await plan[move](back);
      await clockAt(moment + 2 * minute);
      expect(accepted.splice(0)).toHaveLength(1);
    }
  },
);
