import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { mailKindsOf } from '#email/kinds.ts';
import type { CohortEmails } from '#features/emails/schema.ts';
import type { EmailPreview } from '#features/letters/schema.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { createMail, drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, refused } from '../places/support.ts';
import { createRunOwner } from '../self-paced/run-owner.ts';

const hour = 60 * 60 * 1000;

const fresh = startFresh();

test('every email of an open run can be read, without dates', async () => {
  const { send } = await createRunOwner({ priceMinor: 1_000, currency: 'EUR' });
  const { send: sendOfCohort } = await createOwner();
  for (const kind of mailKindsOf('open')) {
    const { status, body } = await send('GET', `emails/${kind}/`);
    expect(status).toBe(200);
    const { subject, text }: EmailPreview = body;
    const said = `${subject}\n${text}`.replaceAll(/https:\S+/g, '');
    expect(said, kind).not.toMatch(/cohort|2100|2101/i);
  }
  for (const kind of ['starts_soon', 'meeting_reminder', 'dates_moved'] as const) {
    expect(mailKindsOf('open')).not.toContain(kind);
    expect(await send('GET', `emails/${kind}/`)).toMatchObject(refused('not_found', 404));
  }
  expect(await sendOfCohort('GET', 'emails/nudge/')).toMatchObject(refused('not_found', 404));
});

test('someone who is added to an open run is told that they can start', async () => {
  const { send, run } = await createRunOwner();
  const person = { as: 'enrolled', name: 'Grace', email: uniqueEmail() };
  expect(await send('POST', 'enrollments/', person)).toMatchObject({ status: 201 });
  await drainByClock();
  const [mail] = fresh.resend.accepted;
  expect(mail?.subject).toBe('Anna Martin has enrolled you in Fiction');
  expect(`${mail?.text}${mail?.html}`).not.toMatch(/cohort|2100|calendar\//);
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.cohortId, run.id));
  expect(JSON.parse(row?.payload ?? '')).toMatchObject({ cohort: { kind: 'open' } });
});

test('an open run counts what went and what is due, and has no reminders of dates', async () => {
  const { send, read, run, user, enroll } = await createRunOwner();
  const { id, person } = await enroll('Grace');
  const to = { enrollmentId: id, toAddress: person.email };
  const of = { ownerId: user.id, cohortId: run.id, ...to };
  const dueAt = new Date(start + hour);
  await createMail({ ...of, kind: 'lessons_released', dueAt });
  await createMail({ ...of, kind: 'nudge', dueAt });
  await createMail({ ...of, kind: 'enrolled', sentAt: new Date(start) });
  expect(await read<CohortEmails>('emails/')).toMatchObject({
    announces_releases: true,
    sends_nudges: true,
    has_releases: false,
    due: [
      { kind: 'lessons_released', count: 1, next_at: dueAt.toISOString() },
      { kind: 'nudge', count: 1, next_at: dueAt.toISOString() },
    ],
    sent: [{ kind: 'enrolled', count: 1, last_at: new Date(start).toISOString() }],
  });

  const off = { announces_releases: false };
  expect(await send('PATCH', 'emails/', off)).toMatchObject({ status: 200, body: off });
  expect((await read<CohortEmails>('emails/')).due).toMatchObject([{ kind: 'nudge' }]);
  expect(await send('PATCH', 'emails/', { start_reminder: true })).toMatchObject(
    refused('course_self_paced'),
  );
  expect(await read('emails/')).toMatchObject({ start_reminder: false });
});
