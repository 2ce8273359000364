import { expect, test } from 'vitest';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { createEnrollment } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { sawSecret } from '#support/secrets.ts';
import { enrollmentRow, personRow } from '../places/support.ts';
import {
  clockAt,
  createCohort,
  createMeeting,
  day,
  evening,
  made,
  mailsOf,
  reminded,
  startAt,
} from './reminders.ts';
import { createDue, drainByClock } from './support.ts';

startAt(made);

/** Someone who was reminded, with the address that their mail program was given. */
async function createReader() {
  const resend = fakeResend();
  const cohort = await createCohort();
  await createMeeting(cohort);
  const { id, person } = await createEnrollment(cohort);
  await clockAt(reminded);
  const [mail] = resend.accepted;
  const header = mail?.headers?.['List-Unsubscribe'] ?? '';
  const [, address = ''] = /^<https:\/\/lectern\.test(.+)>$/.exec(header) ?? [];
  sawSecret(address.split('.')[2] ?? '');
  return { ...resend, cohort, enrollmentId: id, person, mail, address };
}

/** The request of a mail program: a form, from anywhere, without cookies. */
function oneClick(address: string) {
  return createClient().request('POST', address, undefined, {
    raw: 'List-Unsubscribe=One-Click',
    headers: {
      Origin: '',
      Cookie: '',
      'Sec-Fetch-Site': '',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  });
}

async function offSince(id: string) {
  return (await personRow(id))?.noRemindersAt ?? null;
}

test('one click ends reminders and messages of this instructor, and keeps the place', async () => {
  const { accepted, address, cohort, enrollmentId, mail, person } = await createReader();
  expect(address).toContain(`?u=reminder.${person.id}.`);
  expect(mail?.text).toContain('No more reminders or messages from Anna Martin');
  // A scanner that opens the link ends nothing.
  expect((await createClient().get(address)).status).toBe(302);
  expect(await offSince(person.id)).toBeNull();
  expect((await oneClick(address)).status).toBe(200);
  expect(await offSince(person.id)).toEqual(new Date(reminded));
  expect(loggedEvents('subscription_changed')).toMatchObject([{ kind: 'reminder', is_on: false }]);
  await clockAt(evening - day);

  expect(accepted).toHaveLength(1);
  expect(await mailsOf(cohort)).toHaveLength(1);
  expect(await enrollmentRow(enrollmentId)).toMatchObject({ status: 'enrolled' });
  // Emails about their own place still come.
  await createDue({ toAddress: person.email, toCanonical: person.emailCanonical });
  await drainByClock();
  expect(accepted).toHaveLength(2);
});

test('they may come again, and a link for invitations does not end them', async () => {
  const { accepted, address, person } = await createReader();
  const link = address.split('=')[1] ?? '';
  const forged = link.replace('reminder', 'invitation');
  expect((await oneClick(`/api/mail/unsubscribe/?u=${forged}`)).status).toBe(400);
  await oneClick(address);
  const again = { link, is_on: true };
  const back = await createClient().request('POST', '/api/mail/subscription/', again);
  expect(back.status).toBe(200);
  expect(await offSince(person.id)).toBeNull();
  await clockAt(evening - day);

  expect(accepted).toHaveLength(2);
});
