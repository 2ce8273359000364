import { env } from 'cloudflare:workers';
import { asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { cleanOutbox } from '#features/letters/clean-outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { queueStatusMails } from '#features/outbox/status-mails.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn, runByClock } from '#support/context.ts';
import { day, minute } from '#support/days.ts';
import { createEnrollment, createUser, db, uniqueEmail } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, refused, setTime } from '../places/support.ts';
import {
  createDue,
  createMail,
  createMany,
  createOffer,
  createSpam,
  drain,
  drainAt,
  drainByClock,
  mailRow,
  payloadUntil,
  repeat,
  suppress,
} from './support.ts';

const now = new Date(start);
const given = startFresh();

/** The ids of the emails that have gone. */
function sentIds() {
  return given.resend.accepted.map(({ idempotencyKey }) => idempotencyKey);
}

test('what is due is sent once, under the id of its row, in the name of the instructor', async () => {
  const mail = await createDue();
  await drainByClock();
  await drainByClock();

  expect(given.resend.accepted).toMatchObject([
    {
      to: mail.toAddress,
      from: '"Anna Martin via Lectern" <hello@lectern.test>',
      reply_to: 'anna@example.com',
      idempotencyKey: mail.id,
    },
  ]);
  const sent = { sentAt: now, attempts: 1, providerId: expect.any(String), failedAt: null };
  expect(await mailRow(mail.id)).toMatchObject(sent);
});

test('a request sends its own emails only, and nothing before its time', async () => {
  const [own, other] = [await createDue(), await createDue()];
  const later = await createDue({ dueAt: new Date(start + 1) });
  await drain([own.id, later.id]);

  expect(sentIds()).toEqual([own.id]);
  for (const { id } of [other, later]) {
    expect(await mailRow(id)).toMatchObject({ attempts: 0 });
  }
});

test('all jobs of a run share its requests, and leave some to send emails', async () => {
  const { accepted, attempts } = given.resend;
  await db.run(sql`WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n WHERE no < 3000)
    INSERT INTO users (id, first_name, last_name, email, email_canonical, language, created_at)
    SELECT 'owner-' || no, 'Anna', 'Martin', 'owner-' || no, 'owner-' || no, 'en', 1 FROM n`);
  await db.run(sql`INSERT INTO news_due (owner_id, since, due_at)
    SELECT id, 1, 1 FROM users WHERE id LIKE 'owner-%'`);
  const mails = await repeat(3, () => createDue());
  const recording = recordDatabase(env.DB);
  await runByClock({ DB: recording.db }, { cron: crons.often });
  await db.run(sql`DELETE FROM news_due`);

  expect(recording.take().trips + attempts.length).toBeLessThanOrEqual(50);
  expect(accepted).toHaveLength(mails.length);
});

test('a run stops when its requests are used up, and the next one sends the rest', async () => {
  const { accepted } = given.resend;
  await createMany(1_605, 'new_link');
  const recording = recordDatabase(env.DB);
  await drainByClock({ DB: recording.db });
  expect(recording.take().trips + accepted.length / 100).toBeLessThanOrEqual(50);
  expect(accepted).toHaveLength(1_500);
  await drainByClock({ REQUESTS_PER_RUN: 1_000 });

  expect(new Set(accepted.map(({ to }) => to)).size).toBe(1_605);
  expect(loggedEvents('outbox_drained')).toMatchObject([
    { sent: 1_500, is_done: false },
    { sent: 105, is_done: true },
  ]);
});

const ends = start + day;
const offered = { status: 'offered', expiresAt: new Date(ends) } as const;

test.each([
  ['someone who has left', 'enrolled', { status: 'left' }, null],
  ['someone who is back on the list', 'offer', { status: 'waitlisted', queueNo: 1 }, ends],
  ['an offer that was accepted', 'offer_expiring', {}, ends],
  ['an offer whose end has moved', 'offer', offered, ends + 1],
  ['an offer that is over', 'offer', { ...offered, expiresAt: now }, start],
  ['someone invited again', 'removed', { status: 'invited', expiresAt: new Date(ends) }, null],
] as const)('nothing is sent about %s', async (_what, kind, enrollment, expires_at) => {
  const mail = await createDue({ kind, payload: payloadUntil(expires_at) }, enrollment);
  await drainByClock();

  expect(given.resend.attempts).toEqual([]);
  expect(await mailRow(mail.id)).toMatchObject({ failedAt: now, failure: 'not_needed' });
});

test('nothing is sent about a cohort in the trash, except that it was canceled', async () => {
  const mail = await createDue();
  const { ownerId = null, enrollmentId = null, toAddress } = mail;
  await db
    .update(cohorts)
    .set({ deletedAt: now })
    .where(eq(cohorts.ownerId, ownerId ?? ''));
  const told = await createMail({ ownerId, enrollmentId, toAddress, kind: 'cohort_cancelled' });
  await drainByClock();

  expect(sentIds()).toEqual([told.id]);
  expect(await mailRow(mail.id)).toMatchObject({ failure: 'not_needed' });
});

test('a suppressed address gets nothing, and neither does one that has called this instructor spam', async () => {
  const [bounced, annoyed] = [await createDue(), await createDue()];
  const { ownerId, toAddress } = annoyed;
  await suppress(bounced);
  await createSpam(ownerId, now, toAddress);
  await drainByClock();

  expect(given.resend.attempts).toEqual([]);
  expect(await mailRow(bounced.id)).toMatchObject({ failure: 'suppressed' });
  expect(await mailRow(annoyed.id)).toMatchObject({ failure: 'unwelcome' });
  // Another instructor may still write.
  const other = await createMail({ toAddress, ownerId: bounced.ownerId, kind: 'new_link' });
  await drainByClock();
  expect(sentIds()).toEqual([other.id]);
});

test('an address gets ten emails a day, and the eleventh the day after; an offer never waits', async () => {
  const toAddress = uniqueEmail();
  await repeat(10, (no) => createMail({ toAddress, sentAt: new Date(start - no) }));
  const eleventh = await createDue({ toAddress, kind: 'added' });
  const offer = await createOffer({ toAddress }, ends);
  await drainByClock();
  expect(sentIds()).toEqual([offer.id]);
  expect(await mailRow(eleventh.id)).toMatchObject({ attempts: 0, sentAt: null, failedAt: null });
  await drainAt(start + day);

  expect(sentIds()).toEqual([offer.id, eleventh.id]);
});

test('an address gets at most ten emails at once', async () => {
  const email = uniqueEmail();
  const mails = await repeat(12, () =>
    createDue({ kind: 'message' }, {}, { email, emailCanonical: email }),
  );
  await drainByClock();

  expect(sentIds()).toHaveLength(10);
  const waiting = await Promise.all(mails.map(({ id }) => mailRow(id)));
  const due = waiting.filter(({ sentAt, failedAt }) => sentAt === null && failedAt === null);
  expect(due).toMatchObject(Array(2).fill({ attempts: 0, batchKey: null }));
});

test('a complaint is not forgotten with its email: the owner does not invite the address again', async () => {
  const { add, user } = await createOwner();
  const [toAddress, dueAt] = [uniqueEmail(), new Date(start - 90 * day)];
  const sent = { ownerId: user.id, toAddress, dueAt, sentAt: dueAt, payload: '' };
  const mail = await createMail({ ...sent, complainedAt: dueAt });
  await cleanOutbox(contextOn());
  await cleanOutbox(contextOn());

  await expect(mailRow(mail.id)).rejects.toThrow();
  const again = await add({ as: 'invited', email: toAddress });
  expect(again).toMatchObject(refused('invitations_unwanted'));
});

test('texts are kept for a week, rows for 90 days, and what is due as long as it takes', async () => {
  const [toAddress, owner] = [uniqueEmail(), await createUser()];
  const done = (days: number, values = {}) => {
    const dueAt = new Date(start - days * day);
    return createMail({ toAddress, ownerId: owner.id, dueAt, sentAt: dueAt, ...values });
  };
  const [young, old] = [await done(6), await done(7)];
  const gone = await done(90, { payload: '' });
  const due = await done(8, { sentAt: null });
  // The account of its instructor was deleted.
  const ownerless = await done(7, { ownerId: null });
  const lastWord = await done(8, { ownerId: null, sentAt: null });
  await cleanOutbox(contextOn());

  for (const { id } of [young, due, lastWord]) {
    expect((await mailRow(id)).payload).not.toBe('');
  }
  expect(await mailRow(old.id)).toMatchObject({ payload: '' });
  for (const { id } of [gone, ownerless]) {
    await expect(mailRow(id)).rejects.toThrow();
  }
  expect(loggedEvents('outbox_cleaned')).toMatchObject([{ emptied: 1, deleted: 2 }]);
});

test('an account’s outbox goes with it, except the emails that cancel its cohorts', async () => {
  const { accepted } = given.resend;
  const { cohort, send, user } = await createOwner();
  const { email } = (await createEnrollment(cohort)).person;
  const asking = await createEnrollment(cohort, { status: 'applied' });
  await createEnrollment(cohort, { status: 'refused' });
  const due = { ownerId: user.id, cohortId: cohort.id, toAddress: email };
  const [before, soon] = [new Date(start - 1), new Date(start + minute)];
  await createMail(due);
  await createMail({ ...due, dueAt: soon });
  await createMail({ ...due, sentAt: before });
  await createMail({ ...due, kind: 'roster_news' });
  await createMail({ ...due, kind: 'cohort_cancelled', failedAt: before });
  const waiting = await createMail({ ...due, kind: 'cohort_cancelled', dueAt: soon });
  const neighbor = await createDue({ dueAt: soon });
  expect((await send('DELETE', `/api/accounts/${user.id}/`)).status).toBe(204);

  expect(accepted.map(({ to }) => to).sort()).toEqual([email, asking.person.email].sort());
  for (const { subject, text } of accepted) {
    expect(subject).toContain('Canceled');
    expect(text).not.toContain('/p/');
  }
  const rows = await db.select().from(mailsDue).orderBy(asc(mailsDue.kind));
  expect(rows.map(({ kind, ownerId }) => `${kind} of ${ownerId}`)).toEqual([
    ...Array(3).fill('cohort_cancelled of null'),
    `enrolled of ${neighbor.ownerId}`,
  ]);
  expect(await mailRow(waiting.id)).toMatchObject({ sentAt: null, failedAt: null });
  expect(await db.$count(mailsDue, eq(mailsDue.ownerId, user.id))).toBe(0);
});

test('one email writes at most 20 rows, from its cause until it is forgotten', async () => {
  const { cohort } = await createOwner();
  await createEnrollment(cohort, { statusChangedAt: now });
  const recording = recordDatabase(env.DB);
  const ctx = contextOn({ DB: recording.db });
  await ask(ctx, { ids: queueStatusMails(ctx, start, [cohort.id]) });
  await drainOutbox(ctx, null);
  expect(given.resend.accepted).toHaveLength(1);
  // Its text is emptied, and then its row is deleted.
  for (const days of [7, 90]) {
    setTime(start + days * day);
    await cleanOutbox(ctx);
  }

  const written = recording
    .take()
    .statements.filter(({ sql }) => /^(INSERT INTO|UPDATE|DELETE FROM) mails_due/.test(sql))
    .map(({ rowsWritten }) => rowsWritten ?? 0);
  expect(written.length).toBeGreaterThanOrEqual(4);
  expect(written.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(20);
});
