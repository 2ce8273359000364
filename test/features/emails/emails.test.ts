import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { mailKindsOf } from '#email/kinds.ts';
import type { CohortEmails } from '#features/emails/schema.ts';
import type { EmailPreview } from '#features/letters/schema.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { bounced, deliver } from '#support/webhook.ts';
import { createMail, payloadUntil } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner as createPlainOwner } from '../places/support.ts';

const hour = 60 * 60 * 1000;

/** As a new cohort has them. */
const switches = {
  invitation_reminder: true,
  start_reminder: true,
  day_before_reminder: true,
  hour_before_reminder: false,
  announces_releases: true,
  sends_nudges: true,
};

startFresh();

async function createOwner(values: Parameters<typeof createPlainOwner>[0] = {}) {
  const { accepted } = fakeResend();
  const owner = await createPlainOwner(values);
  return { ...owner, accepted, read: () => owner.read<CohortEmails>('emails/') };
}

test('the page shows what went out, to how many and when, what is due, and what came back', async () => {
  const { add, user, cohort, read } = await createOwner();
  const none = { late: [], unannounced: 0, schedule_mark: expect.any(String), messages: [] };
  expect(await read()).toEqual({
    ...switches,
    ...none,
    is_paused: false,
    has_releases: false,
    due: [],
    sent: [],
    returned: [],
  });
  // The invitation first: those of one moment follow one another.
  for (const as of ['invited', 'enrolled', 'enrolled']) {
    await add({ as });
  }
  const { enrollment, person } = await addReturned(user.id, cohort);

  const reminder = new Date(start + 11 * 24 * hour).toISOString();
  const sentAt = new Date(start).toISOString();
  expect(await read()).toEqual({
    ...switches,
    ...none,
    is_paused: true,
    has_releases: false,
    due: [{ kind: 'invitation_reminder', session: null, count: 1, next_at: reminder }],
    sent: [
      { kind: 'added', count: 2, last_at: sentAt },
      { kind: 'waitlisted', count: 1, last_at: sentAt },
      { kind: 'invitation', count: 1, last_at: sentAt },
    ],
    returned: [
      {
        kind: 'waitlisted',
        email: person.email,
        name: person.name,
        enrollment_id: enrollment,
        reason: 'complained',
        at: sentAt,
      },
      {
        kind: 'confirm_request',
        email: 'gone@example.com',
        name: null,
        enrollment_id: null,
        reason: 'failed',
        at: new Date(start - hour).toISOString(),
      },
    ],
  });
});

/** Emails that did not arrive, and one that was no longer needed. */
async function addReturned(ownerId: string, cohort: { id: string; ownerId: string }) {
  const { id, person } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const of = { ownerId, cohortId: cohort.id };
  const at = new Date(start);
  const spam = { ...of, sentAt: at, complainedAt: at, kind: 'waitlisted' as const };
  await createMail({ ...spam, enrollmentId: id, toAddress: person.email });
  const failedAt = new Date(start - hour);
  const failed = { ...of, dueAt: failedAt, failedAt, kind: 'confirm_request' as const };
  const gone = { ...failed, toAddress: 'gone@example.com' };
  await createMail({ ...gone, failure: 'not_accepted' });
  await createMail({ ...gone, failure: 'not_needed' });
  return { enrollment: id, person };
}

test('what bounced is shown with its email, though the address is blocked for all', async () => {
  const { user, cohort, read } = await createOwner();
  const toAddress = uniqueEmail();
  const of = { ownerId: user.id, cohortId: cohort.id, toAddress, sentAt: new Date(start) };
  await createMail({ ...of, kind: 'confirm_request', providerId: 'sent-to-nowhere' });
  await createMail({ ...of, kind: 'new_link', providerId: 'another' });
  const event = bounced(toAddress);
  await deliver({ ...event, data: { ...event.data, email_id: 'sent-to-nowhere' } });

  expect((await read()).returned).toMatchObject([{ kind: 'confirm_request', reason: 'bounced' }]);
});

test('what is due follows the present state: an answer and a switch end an invitation’s reminder', async () => {
  const { cohort, read, send, user } = await createOwner();
  const expires_at = start + 10 * 24 * hour;
  const values = { status: 'invited' as const, expiresAt: new Date(expires_at) };
  const due = { kind: 'invitation_reminder' as const, dueAt: new Date(start + hour) };
  for (const status of ['invited', 'declined'] as const) {
    const enrollment = status === 'invited' ? values : { status };
    const { id, person } = await createEnrollment(cohort, enrollment);
    const to = { ownerId: user.id, cohortId: cohort.id, enrollmentId: id };
    const about = { ...due, payload: payloadUntil(expires_at) };
    await createMail({ ...to, ...about, toAddress: person.email });
  }
  expect((await read()).due).toMatchObject([{ kind: 'invitation_reminder', count: 1 }]);
  const off = { invitation_reminder: false };
  expect((await send('PATCH', 'emails/', off)).body).toEqual({ ...switches, ...off });

  expect(await read()).toMatchObject({ invitation_reminder: false, due: [] });
});

test('every email can be read in the language of a cohort', async () => {
  const { base, client, user } = await createOwner({ language: 'fr', welcomeNote: 'Un stylo.' });
  const readMail = async (kind: string) => {
    const answer = await client.get(`${base}emails/${kind}/`);
    expect(answer.status).toBe(200);
    return answer.json<EmailPreview>();
  };
  const subjects = new Set<string>();
  for (const kind of mailKindsOf('dated')) {
    const preview = await readMail(kind);
    expect(preview).toMatchObject({ kind, reply_to: user.email });
    expect(preview.from).toContain('Anna Martin');
    subjects.add(preview.subject);
  }
  expect(subjects.size).toBe(mailKindsOf('dated').length);
  const { text } = await readMail('enrolled');

  expect(text).toContain('Un stylo.');
  expect(text).toContain('Bonjour Anna Martin,');
  expect((await client.get(`${base}emails/nonsense/`)).status).toBe(404);
});

test('“Send to me” goes to the viewer alone, as they will look, up to the limit', async () => {
  const { accepted, send, user } = await createOwner({ language: 'fr' });
  const preview = (LIMITS = {}) =>
    send('POST', 'emails/offer/send/', undefined, { bindings: { LIMITS } });
  expect((await preview()).status).toBe(202);

  expect(accepted).toHaveLength(1);
  expect(accepted[0]).toMatchObject({
    to: user.email,
    from: '"Anna Martin via Lectern" <hello@lectern.test>',
    subject: expect.stringMatching(/^Aperçu\u00a0: /),
  });
  expect(accepted[0]?.headers).toBeUndefined();
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.ownerId, user.id));
  expect(row).toMatchObject({ kind: 'preview', enrollmentId: null, cohortId: null });
  expect((await preview({ previews_per_user: ['1/h'] })).status).toBe(429);
  expect(accepted).toHaveLength(1);
});
