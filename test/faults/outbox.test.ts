import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting, lostConnection } from '#support/database.ts';
import { minute } from '#support/days.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { fakeResend } from '#support/resend.ts';
import { createCohort, enrollMany, mailsOf } from '../features/letters/reminders.ts';
import {
  createDue,
  createMail,
  drainByClock,
  mailRow,
  payloadUntil,
} from '../features/letters/support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');
const after = (minutes: number) => new Date(now.getTime() + minutes * minute);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  hurry();
  await db.delete(mailsDue);
});

async function drainAfter(minutes: number): Promise<void> {
  vi.setSystemTime(after(minutes));
  await drainByClock();
}

/** The clock in a worker that dies in its third trip: when it is about to record what it has sent. */
async function dieWhileSending(): Promise<void> {
  await expect(drainByClock({ DB: beforeWriting(lostConnection, 3) })).rejects.toThrow();
  takeNoise();
}

/** This many emails to other people each. */
function createMails(count: number) {
  const create = () => createMail({ toAddress: uniqueEmail(), kind: 'new_link' });
  return Promise.all(Array.from({ length: count }, create));
}

/** A cohort of this many people, who are to be reminded of its first day now. */
async function createReminded(count: number) {
  const cohort = await createCohort({ startReminderAt: now });
  await enrollMany(cohort, count);
  await makeReminders(contextOn());
  return cohort;
}

test('emails of a worker that died between sending and marking go out again under the same key, and none is lost', async () => {
  const { accepted } = fakeResend();
  const mails = [await createDue(), await createDue()];
  await dieWhileSending();
  // They are held: no one else takes them for two minutes.
  await drainByClock();
  expect(accepted).toHaveLength(2);
  await drainAfter(2);

  const keys = accepted.map(({ idempotencyKey }) => idempotencyKey);
  // Resend sends an email with the same key only once.
  expect(keys).toHaveLength(4);
  expect(new Set(keys)).toEqual(new Set(mails.map(({ id }) => id)));
  expect(new Set(accepted.map(({ html }) => html)).size).toBe(2);
  for (const { id } of mails) {
    expect(await mailRow(id)).toMatchObject({ sentAt: after(2) });
  }
});

test('while Resend is down, emails wait, one try at a time, and go out afterwards, each once', async () => {
  const down = fakeResend(...Array(1_000).fill({ status: 503 }));
  const mails = await createMails(10);
  for (let minutes = 0; minutes < 30; minutes += 5) {
    await drainAfter(minutes);
  }
  expect(down.accepted).toEqual([]);
  // Three attempts for one email in each run: the rest is spared.
  expect(down.attempts.length).toBeLessThanOrEqual(6 * 3);
  takeNoise();
  const rows = await Promise.all(mails.map(({ id }) => mailRow(id)));
  expect(rows.every(({ failedAt }) => failedAt === null)).toBe(true);

  const up = fakeResend();
  await drainAfter(3 * 60);
  await drainByClock();
  expect(up.accepted.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(
    mails.map(({ id }) => id).sort(),
  );
});

test('an email that is never accepted is given up after five tries in six hours, and kept with the reason', async () => {
  const { attempts } = fakeResend(...Array(100).fill({ status: 403 }));
  const [mail] = await createMails(1);
  const tries: number[] = [];
  for (let minutes = 0; minutes <= 7 * 60; minutes += 5) {
    const before = attempts.length;
    await drainAfter(minutes);
    tries.push(...(attempts.length > before ? [minutes] : []));
  }

  takeNoise();
  expect(tries).toEqual([0, 5, 15, 75, 365]);
  expect(await mailRow(mail?.id ?? '')).toMatchObject({
    attempts: 5,
    failure: 'not_accepted',
    sentAt: null,
  });
});

test('a clock that was off for five hours sends what is still true, and drops what is not', async () => {
  const { accepted } = fakeResend();
  const expiresAt = after(3 * 60);
  const offer = await createDue(
    { kind: 'offer', payload: payloadUntil(expiresAt.getTime()) },
    { status: 'offered', expiresAt },
  );
  const enrolled = await createDue();
  await drainAfter(5 * 60);

  expect(accepted.map(({ idempotencyKey }) => idempotencyKey)).toEqual([enrolled.id]);
  expect(await mailRow(offer.id)).toMatchObject({ failure: 'not_needed' });
});

test('a batch of a worker that died between sending and marking is not sent again, even if someone in it has left since', async () => {
  const { accepted, batches } = fakeResend();
  const cohort = await createReminded(13);
  await dieWhileSending();
  const [first] = await mailsOf(cohort);
  const id = first?.enrollmentId ?? '';
  await db.update(enrollments).set({ status: 'left' }).where(eq(enrollments.id, id));
  await drainAfter(2);

  expect(batches.map(({ mails }) => mails.length)).toEqual([13, 12]);
  expect(accepted).toHaveLength(13);
  const mails = await mailsOf(cohort);
  expect(mails.filter(({ sentAt }) => sentAt !== null)).toHaveLength(12);
  expect(mails.filter(({ failure }) => failure === 'not_needed')).toHaveLength(1);
});

test('what is written later never joins a batch that was tried', async () => {
  const down = fakeResend(...Array(3).fill({ status: 503 }));
  const cohort = await createReminded(12);
  await drainByClock();
  takeNoise();
  expect(down.accepted).toEqual([]);
  const other = await createReminded(12);
  await drainAfter(5);

  const keys = down.batches.map(({ idempotencyKey }) => idempotencyKey);
  expect(down.batches.map(({ mails }) => mails.length)).toEqual([12, 12, 12, 12, 12]);
  expect(new Set(keys).size).toBe(2);
  expect(down.accepted).toHaveLength(24);
  const mails = [...(await mailsOf(cohort)), ...(await mailsOf(other))];
  expect(mails.filter(({ sentAt }) => sentAt === null)).toEqual([]);
});

test('a Resend that asks to wait costs no try, of one email or of many, and all arrive later', async () => {
  const { accepted, batches } = fakeResend(...Array(6).fill({ status: 429 }));
  const [mail] = await createMails(1);
  await drainByClock();
  const cohort = await createReminded(150);
  await drainByClock();
  expect(batches).toHaveLength(3);
  for (const row of [await mailRow(mail?.id ?? ''), ...(await mailsOf(cohort))]) {
    expect(row).toMatchObject({ attempts: 0, sentAt: null, failedAt: null });
  }
  await drainAfter(5);

  expect(accepted).toHaveLength(151);
});

test('three clocks at once make each reminder once, and send it and every other email once', async () => {
  const { accepted } = fakeResend();
  await createMails(25);
  await enrollMany(await createCohort({ startReminderAt: now }), 250);
  const clock = async () => {
    await makeReminders(contextOn());
    await drainByClock();
  };
  await Promise.all([clock(), clock(), clock()]);
  vi.setSystemTime(after(5));
  await clock();

  expect(accepted).toHaveLength(275);
  expect(new Set(accepted.map(({ to }) => to)).size).toBe(275);
});
