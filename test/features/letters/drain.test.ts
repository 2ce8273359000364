import { env } from 'cloudflare:workers';
import { asc, eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { cleanOutbox } from '#features/letters/clean-outbox.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn, runByClock } from '#support/context.ts';
import { createEnrollment, createUser, db, uniqueEmail } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, refused } from '../places/support.ts';
import {
  createDue,
  createMail,
  createMany,
  createSpam,
  drain,
  drainByClock,
  mailRow,
  payloadUntil,
} from './support.ts';

const now = new Date(start);
const minute = 60 * 1000;
const day = 24 * 60 * minute;

startFresh();

test('what is due is sent once, under the id of its row, in the name of the instructor', async () => {
  const { accepted } = fakeResend();
  const mail = await createDue();
  await drainByClock();
  await drainByClock();

  expect(accepted).toMatchObject([
    {
      to: mail.toAddress,
      from: '"Anna Martin via Lectern" <hello@lectern.test>',
      reply_to: 'anna@example.com',
      idempotencyKey: mail.id,
    },
  ]);
  expect(await mailRow(mail.id)).toMatchObject({
    sentAt: now,
    attempts: 1,
    providerId: expect.any(String),
    failedAt: null,
  });
});

test('a request sends its own emails only, and nothing before its time', async () => {
  const { accepted } = fakeResend();
  const [own, other] = [await createDue(), await createDue()];
  const later = await createDue({ dueAt: new Date(now.getTime() + 1) });
  await drain([own.id, later.id]);

  expect(accepted.map(({ idempotencyKey }) => idempotencyKey)).toEqual([own.id]);
  expect((await mailRow(other.id)).attempts).toBe(0);
  expect((await mailRow(later.id)).attempts).toBe(0);
});

test('all jobs of a run share its requests, and leave some to send emails', async () => {
  const { accepted, attempts } = fakeResend();
  await db.run(sql`WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n WHERE no < 3000)
    INSERT INTO users (id, first_name, last_name, email, email_canonical, language, created_at)
    SELECT 'owner-' || no, 'Anna', 'Martin', 'owner-' || no, 'owner-' || no, 'en', 1 FROM n`);
  await db.run(sql`INSERT INTO news_due (owner_id, since, due_at)
    SELECT id, 1, 1 FROM users WHERE id LIKE 'owner-%'`);
  const mails = [await createDue(), await createDue(), await createDue()];
  const recording = recordDatabase(env.DB);
  await runByClock({ DB: recording.db }, { cron: crons.often });
  await db.run(sql`DELETE FROM news_due`);

  expect(recording.take().trips + attempts.length).toBeLessThanOrEqual(50);
  expect(accepted).toHaveLength(mails.length);
});

test('a run stops when its requests are used up, and the next one sends the rest', async () => {
  const { accepted } = fakeResend();
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

const ends = now.getTime() + day;
const offered = { status: 'offered', expiresAt: new Date(ends) } as const;

test.each([
  ['someone who has left', 'enrolled', { status: 'left' }, null],
  ['someone who is back on the list', 'offer', { status: 'waitlisted', queueNo: 1 }, ends],
  ['an offer that was accepted', 'offer_expiring', {}, ends],
  ['an offer whose end has moved', 'offer', offered, ends + 1],
  ['an offer that is over', 'offer', { ...offered, expiresAt: now }, now.getTime()],
  ['someone invited again', 'removed', { status: 'invited', expiresAt: new Date(ends) }, null],
] as const)('nothing is sent about %s', async (_what, kind, enrollment, expires_at) => {
  const { attempts } = fakeResend();
  const mail = await createDue({ kind, payload: payloadUntil(expires_at) }, enrollment);
  await drainByClock();

  expect(attempts).toEqual([]);
  expect(await mailRow(mail.id)).toMatchObject({ failedAt: now, failure: 'not_needed' });
});

test('nothing is sent about a cohort in the trash, except that it was canceled', async () => {
  const { accepted } = fakeResend();
  const mail = await createDue();
  await db
    .update(cohorts)
    .set({ deletedAt: now })
    .where(eq(cohorts.ownerId, mail.ownerId ?? ''));
  const { ownerId, enrollmentId, toAddress } = mail;
  const told = await createMail({ ownerId, enrollmentId, toAddress, kind: 'cohort_cancelled' });
  await drainByClock();

  expect(accepted).toHaveLength(1);
  expect(await mailRow(told.id)).toMatchObject({ sentAt: now, failure: null });
  expect(await mailRow(mail.id)).toMatchObject({ failure: 'not_needed' });
});

test('a suppressed address gets nothing, and neither does one that has called this instructor spam', async () => {
  const { attempts } = fakeResend();
  const [bounced, annoyed] = [await createDue(), await createDue()];
  const suppressed = { reason: 'bounced', since: now } as const;
  const { toCanonical: emailCanonical } = bounced;
  await db.insert(suppressedAddresses).values({ emailCanonical, ...suppressed });
  const { ownerId, toAddress } = annoyed;
  await createSpam(ownerId, now, toAddress);
  await drainByClock();

  expect(attempts).toEqual([]);
  expect((await mailRow(bounced.id)).failure).toBe('suppressed');
  expect((await mailRow(annoyed.id)).failure).toBe('unwelcome');
  // Another instructor may still write.
  const other = await createMail({ toAddress, ownerId: bounced.ownerId, kind: 'new_link' });
  await drainByClock();
  expect(attempts.map(({ idempotencyKey }) => idempotencyKey)).toEqual([other.id]);
});

test('an address gets ten emails a day, and the eleventh the day after; an offer never waits', async () => {
  const { accepted } = fakeResend();
  const toAddress = uniqueEmail();
  for (let count = 0; count < 10; count += 1) {
    await createMail({ toAddress, sentAt: new Date(now.getTime() - count) });
  }
  const eleventh = await createDue({ toAddress, toCanonical: toAddress, kind: 'added' });
  const to = { toAddress, toCanonical: toAddress };
  const offer = await createDue({ ...to, kind: 'offer', payload: payloadUntil(ends) }, offered);
  const ids = () => accepted.map(({ idempotencyKey }) => idempotencyKey);
  await drainByClock();
  expect(ids()).toEqual([offer.id]);
  expect(await mailRow(eleventh.id)).toMatchObject({ attempts: 0, sentAt: null, failedAt: null });
  vi.setSystemTime(now.getTime() + day);
  await drainByClock();

  expect(ids()).toEqual([offer.id, eleventh.id]);
});

test('an address gets at most ten emails at once', async () => {
  const { accepted } = fakeResend();
  const toAddress = uniqueEmail();
  const mails: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const mail = { toAddress, toCanonical: toAddress, kind: 'message' as const };
    const who = { email: toAddress, emailCanonical: toAddress };
    mails.push((await createDue(mail, {}, who)).id);
  }
  await drainByClock();

  expect(accepted).toHaveLength(10);
  const waiting = await Promise.all(mails.map(mailRow));
  const due = waiting.filter(({ sentAt, failedAt }) => sentAt === null && failedAt === null);
  expect(due).toMatchObject(Array(2).fill({ attempts: 0, batchKey: null }));
});

test('a complaint is not forgotten with its email: the owner does not invite the address again', async () => {
  const { add, user } = await createOwner();
  const [toAddress, dueAt] = [uniqueEmail(), new Date(now.getTime() - 90 * day)];
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
    const dueAt = new Date(now.getTime() - days * day);
    return createMail({ toAddress, ownerId: owner.id, dueAt, sentAt: dueAt, ...values });
  };
  const [young, old] = [await done(6), await done(7)];
  const gone = await done(90, { payload: '' });
  const due = await done(8, { sentAt: null });
  // The account of its instructor was deleted.
  const ownerless = await done(7, { ownerId: null });
  const lastWord = await done(8, { ownerId: null, sentAt: null });
  await cleanOutbox(contextOn());

  expect((await mailRow(young.id)).payload).not.toBe('');
  expect((await mailRow(old.id)).payload).toBe('');
  expect((await mailRow(due.id)).payload).not.toBe('');
  await expect(mailRow(gone.id)).rejects.toThrow();
  await expect(mailRow(ownerless.id)).rejects.toThrow();
  expect((await mailRow(lastWord.id)).payload).not.toBe('');
  expect(loggedEvents('outbox_cleaned')).toMatchObject([{ emptied: 1, deleted: 2 }]);
});

test('an account’s outbox goes with it, except the emails that cancel its cohorts', async () => {
  const { accepted } = fakeResend();
  const { cohort, send, user } = await createOwner();
  const { email } = (await createEnrollment(cohort)).person;
  const asking = await createEnrollment(cohort, { status: 'applied' });
  await createEnrollment(cohort, { status: 'refused' });
  const due = { ownerId: user.id, cohortId: cohort.id, toAddress: email };
  const ends = new Date(now.getTime() + minute);
  await createMail(due);
  await createMail({ ...due, dueAt: ends });
  await createMail({ ...due, sentAt: new Date(now.getTime() - 1) });
  await createMail({ ...due, kind: 'roster_news' });
  await createMail({ ...due, kind: 'cohort_cancelled', failedAt: new Date(now.getTime() - 1) });
  const waiting = await createMail({ ...due, kind: 'cohort_cancelled', dueAt: ends });
  const neighbor = await createDue({ dueAt: ends });
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
