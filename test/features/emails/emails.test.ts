import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { locales, participantMailKinds } from '#db/values.ts';
import type { CohortEmails, EmailPreview } from '#features/emails/schema.ts';
import { mailsDue } from '#features/outbox/table.ts';
import { settled } from '#support/background.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { bounced, deliver } from '#support/webhook.ts';
import { createMail, payload } from '../outbox/support.ts';
import { start } from '../people/storm.ts';
import { setTime } from '../people/support.ts';

const hour = 60 * 60 * 1000;

/** As a new cohort has them. */
const switches = {
  invitation_reminder: true,
  start_reminder: true,
  day_before_reminder: true,
  hour_before_reminder: false,
};

beforeEach(() => setTime(start));
afterEach(async () => {
  await settled();
  vi.useRealTimers();
});

async function createOwner(values: Parameters<typeof createCohortRow>[1] = {}) {
  const resend = fakeResend();
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort', name: 'Writing' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  const path = `/api/cohorts/${cohort.id}/emails/`;
  const read = async () => (await client.get(path)).json<CohortEmails>();
  return { ...resend, client, user, cohort, path, read };
}

test('the page shows what went out, to how many and when, what is due, and what came back', async () => {
  const { client, user, cohort, read } = await createOwner();
  const none = { late: [], unannounced: 0, messages: [] };
  expect(await read()).toEqual({
    ...switches,
    ...none,
    is_paused: false,
    due: [],
    sent: [],
    returned: [],
  });
  // The invitation first: those of one moment follow one another.
  for (const as of ['invited', 'enrolled', 'enrolled']) {
    const input = { as, name: 'Grace Hopper', email: uniqueEmail() };
    await client.post(`/api/cohorts/${cohort.id}/enrollments/`, input);
    await settled();
  }
  const { enrollment, person } = await addReturned(user.id, cohort);

  const reminder = new Date(start + 11 * 24 * hour).toISOString();
  const sentAt = new Date(start).toISOString();
  expect(await read()).toEqual({
    ...switches,
    ...none,
    is_paused: true,
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
  await createMail({
    ...of,
    enrollmentId: id,
    toAddress: person.email,
    kind: 'waitlisted',
    sentAt: at,
    complainedAt: at,
  });
  const failedAt = new Date(start - hour);
  const gone = {
    ...of,
    toAddress: 'gone@example.com',
    kind: 'confirm_request' as const,
    dueAt: failedAt,
    failedAt,
  };
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
  const { client, cohort, path, read, user } = await createOwner();
  const expires_at = start + 10 * 24 * hour;
  const values = { status: 'invited' as const, expiresAt: new Date(expires_at) };
  const about = { ...payload, enrollment: { expires_at, offer_hours: 48, position: null } };
  for (const status of ['invited', 'declined'] as const) {
    const enrollment = status === 'invited' ? values : { status };
    const { id, person } = await createEnrollment(cohort, enrollment);
    await createMail({
      ownerId: user.id,
      cohortId: cohort.id,
      enrollmentId: id,
      toAddress: person.email,
      kind: 'invitation_reminder',
      payload: JSON.stringify(about),
      dueAt: new Date(start + hour),
    });
  }
  expect((await read()).due).toMatchObject([{ kind: 'invitation_reminder', count: 1 }]);
  const change = await client.request('PATCH', path, { invitation_reminder: false });
  expect(await change.json()).toEqual({ ...switches, invitation_reminder: false });

  expect(await read()).toMatchObject({ invitation_reminder: false, due: [] });
});

test.each(locales)('every email can be read in the language of a cohort: %s', async (language) => {
  const { client, path, user } = await createOwner({ language, welcomeNote: 'Bring a pen.' });
  const subjects = new Set<string>();
  for (const kind of participantMailKinds) {
    const answer = await client.get(`${path}${kind}/`);
    expect(answer.status).toBe(200);
    const preview = await answer.json<EmailPreview>();
    expect(preview).toMatchObject({ kind, reply_to: user.email });
    expect(preview.from).toContain('Anna Martin');
    subjects.add(preview.subject);
  }
  expect(subjects.size).toBe(participantMailKinds.length);
  const enrolled = await (await client.get(`${path}enrolled/`)).json<EmailPreview>();

  expect(enrolled.text).toContain('Bring a pen.');
  expect(enrolled.text).toContain(
    language === 'en' ? 'Hello Anna Martin,' : 'Bonjour Anna Martin,',
  );
  expect((await client.get(`${path}nonsense/`)).status).toBe(404);
});

test('“Send to me” goes to the viewer alone, as they will look, up to the limit', async () => {
  const { accepted, client, path, user } = await createOwner({ language: 'fr' });
  const send = (limits = {}) =>
    client.request('POST', `${path}offer/send/`, undefined, { bindings: { LIMITS: limits } });
  expect((await send()).status).toBe(202);
  await settled();

  expect(accepted).toHaveLength(1);
  expect(accepted[0]).toMatchObject({
    to: user.email,
    from: '"Anna Martin via Lectern" <hello@lectern.test>',
    subject: expect.stringMatching(/^Aperçu\u00a0: /),
  });
  expect(accepted[0]?.headers).toBeUndefined();
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.ownerId, user.id));
  expect(row).toMatchObject({ kind: 'preview', enrollmentId: null, cohortId: null });
  expect((await send({ previews_per_user: ['1/h'] })).status).toBe(429);
  await settled();
  expect(accepted).toHaveLength(1);
});

test('the emails of another user’s cohort do not exist', async () => {
  const { path, cohort } = await createOwner();
  const { client } = await createSignedInClient();
  await client.get('/api/health/');
  expect((await client.get(path)).status).toBe(404);
  expect((await client.get(`${path}enrolled/`)).status).toBe(404);
  expect((await client.post(`${path}enrolled/send/`, {})).status).toBe(404);
  const change = await client.request('PATCH', path, { invitation_reminder: false });
  expect(change.status).toBe(404);

  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.cohortId, cohort.id));
  expect(row).toBeUndefined();
});
