import { eq } from 'drizzle-orm';
import { mailsDue } from '#db/schema/outbox.ts';
import { db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { createMeeting } from '../letters/reminders.ts';
import { createOwner as createPlainOwner } from '../places/support.ts';

/** An instructor with a published cohort, and what they write to it. */
export async function createOwner(values: Parameters<typeof createPlainOwner>[0] = {}) {
  const { accepted } = fakeResend();
  const owner = await createPlainOwner(values);
  const { cohort, post } = owner;
  return {
    ...owner,
    accepted,
    write: (input: object = {}, options = {}) =>
      post('messages/', { ...message, ...input }, options),
    announce: (input: object = {}, options = {}) => post('announcements/', input, options),
    mailCount: () => db.$count(mailsDue, eq(mailsDue.cohortId, cohort.id)),
  };
}

export const message = { subject: 'Bring chairs', text: 'And a pen.\n\nSee https://example.com.' };

export { createMeeting };
