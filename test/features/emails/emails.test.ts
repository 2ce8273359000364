import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { mailKindsOf } from '#email/kinds.ts';
import type { CohortEmails } from '#features/emails/schema.ts';
import type { EmailPreview } from '#features/letters/schema.ts';
import { day, hour } from '#support/days.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { bounced, deliver } from '#support/webhook.ts';
import { createMail, payloadUntil } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner as createPlainOwner, refused } from '../places/support.ts';
import { createSelfPaced } from '../self-paced/owner.ts';

/** As a new cohort has them. */
const switches = {
  invitation_reminder: true,
  start_reminder: true,
  day_before_reminder: true,
  hour_before_reminder: false,
  announces_releases: true,
  sends_nudges: true,
};

const fresh = startFresh();

async function createOwner(values: Parameters<typeof createPlainOwner>[0] = {}) {
  const owner = await createPlainOwner(values);
  return { ...owner, read: () => owner.read<CohortEmails>('emails/') };
}

test('the page shows what went out, to how many and when, what is due, and what came back', async () => {
  const { add, user, cohort, read } = await createOwner();
  const none = {
    ...switches,
    late: [],
    unannounced: 0,
    schedule_mark: expect.any(String),
    messages: [],
    is_paused: false,
    has_releases: false,
    due: [],
    sent: [],
    returned: [],
  };
  expect(await read()).toEqual(none);
  // The invitation first: those of one moment follow one another.
  for (const as of ['invited', 'enrolled', 'enrolled']) {
    await add({ as });
  }
  const { enrollment_id, email, name } = await addReturned(user.id, cohort);

  const [at, reminder] = [start, start + 11 * day].map((time) => new Date(time).toISOString());
  expect(await read()).toEqual({
    ...none,
    is_paused: true,
    due: [{ kind: 'invitation_reminder', session: null, count: 1, next_at: reminder }],
    sent: [
      { kind: 'added', count: 2, last_at: at },
      { kind: 'waitlisted', count: 1, last_at: at },
      { kind: 'invitation', count: 1, last_at: at },
    ],
    returned: [
      { kind: 'waitlisted', email, name, enrollment_id, reason: 'complained', at },
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
  const to = { enrollmentId: id, toAddress: person.email };
  await createMail({ ...of, ...to, sentAt: at, complainedAt: at, kind: 'waitlisted' });
  const failedAt = new Date(start - hour);
  const failed = { ...of, dueAt: failedAt, failedAt, kind: 'confirm_request' as const };
  const gone = { ...failed, toAddress: 'gone@example.com' };
  await createMail({ ...gone, failure: 'not_accepted' });
  await createMail({ ...gone, failure: 'not_needed' });
  return { enrollment_id: id, email: person.email, name: person.name };
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
  const expires_at = start + 10 * day;
  const invited = { status: 'invited', expiresAt: new Date(expires_at) } as const;
  const about = { payload: payloadUntil(expires_at), dueAt: new Date(start + hour) };
  for (const values of [invited, { status: 'declined' } as const]) {
    const { id, person } = await createEnrollment(cohort, values);
    const to = { ownerId: user.id, cohortId: cohort.id, enrollmentId: id };
    await createMail({ ...to, ...about, kind: 'invitation_reminder', toAddress: person.email });
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
  const { accepted } = fresh.resend;
  const { send, user } = await createOwner({ language: 'fr' });
  const preview = (LIMITS = {}) =>
    send('POST', 'emails/offer/send/', undefined, { bindings: { LIMITS } });
  expect((await preview()).status).toBe(202);

  expect(accepted).toMatchObject([
    {
      to: user.email,
      from: '"Anna Martin via Lectern" <hello@lectern.test>',
      subject: expect.stringMatching(/^Aperçu\u00a0: /),
    },
  ]);
  expect(accepted[0]?.headers).toBeUndefined();
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.ownerId, user.id));
  expect(row).toMatchObject({ kind: 'preview', enrollmentId: null, cohortId: null });
  expect((await preview({ previews_per_user: ['1/h'] })).status).toBe(429);
  expect(accepted).toHaveLength(1);
});

test('an open run has emails of its own, and counts what went and what is due', async () => {
  const { send, read, run, user, enroll, post } = await createSelfPaced({}, 'Fiction');
  const { send: sendOfCohort } = await createOwner();
  for (const kind of ['starts_soon', 'meeting_reminder', 'dates_moved'] as const) {
    expect(mailKindsOf('open')).not.toContain(kind);
    expect(await send('GET', `emails/${kind}/`)).toMatchObject(refused('not_found', 404));
  }
  expect(await sendOfCohort('GET', 'emails/nudge/')).toMatchObject(refused('not_found', 404));

  const { id, person } = await enroll();
  const to = { enrollmentId: id, toAddress: person.email };
  const of = { ownerId: user.id, cohortId: run.id, ...to };
  const dueAt = new Date(start + hour);
  await createMail({ ...of, kind: 'lessons_released', dueAt });
  await createMail({ ...of, kind: 'nudge', dueAt });
  const added = { as: 'enrolled', name: 'Grace', email: uniqueEmail() };
  expect(await post('enrollments/', added)).toMatchObject({ status: 201 });
  const [mail] = mailsTo(added.email, fresh.resend.accepted);
  expect(mail?.subject).toBe('Anna Martin has enrolled you in Fiction');
  expect(`${mail?.text}${mail?.html}`).not.toMatch(/cohort|2100|calendar\//);
  const next_at = dueAt.toISOString();
  expect(await read<CohortEmails>('emails/')).toMatchObject({
    announces_releases: true,
    sends_nudges: true,
    has_releases: false,
    due: [
      { kind: 'lessons_released', count: 1, next_at },
      { kind: 'nudge', count: 1, next_at },
    ],
    sent: [{ kind: 'added', count: 1, last_at: new Date(start).toISOString() }],
  });

  const off = { announces_releases: false };
  expect(await send('PATCH', 'emails/', off)).toMatchObject({ status: 200, body: off });
  expect((await read<CohortEmails>('emails/')).due).toMatchObject([{ kind: 'nudge' }]);
  expect(await send('PATCH', 'emails/', { start_reminder: true })).toMatchObject(
    refused('course_self_paced'),
  );
  expect(await read('emails/')).toMatchObject({ start_reminder: false });
});
