import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { databaseWith } from '#support/database.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { fakeResend } from '#support/resend.ts';
import { createCohort, enrollMany, mailsOf } from '../features/letters/reminders.ts';
import {
  createDue,
  createMail,
  drainByClock,
  mailRow,
  payload,
} from '../features/letters/support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');
const minute = 60 * 1000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  hurry();
  await db.delete(mailsDue);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker that dies in its third trip: when it is about to record what it has sent. */
function dyingWorker(): D1Database {
  let batches = 0;
  return databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === 3) {
        throw new Error('D1_ERROR: Network connection lost.');
      }
      return env.DB.batch<Row>(statements);
    },
  });
}

test('emails of a worker that died between sending and marking go out again under the same key, and none is lost', async () => {
  const { accepted } = fakeResend();
  const mails = [await createDue(), await createDue()];
  await expect(drainByClock({ DB: dyingWorker() })).rejects.toThrow();
  takeNoise();
  // They are held: no one else takes them for two minutes.
  await drainByClock();
  expect(accepted).toHaveLength(2);
  vi.setSystemTime(now.getTime() + 2 * minute);
  await drainByClock();

  const keys = accepted.map(({ idempotencyKey }) => idempotencyKey);
  // Resend sends an email with the same key only once.
  expect(keys).toHaveLength(4);
  expect(new Set(keys)).toEqual(new Set(mails.map(({ id }) => id)));
  expect(new Set(accepted.map(({ html }) => html)).size).toBe(2);
  for (const { id } of mails) {
    expect(await mailRow(id)).toMatchObject({ sentAt: new Date(now.getTime() + 2 * minute) });
  }
});

test('while Resend is down, emails wait, one try at a time, and go out afterwards, each once', async () => {
  const down = fakeResend(...Array(1_000).fill({ status: 503 }));
  const mails = [];
  for (let count = 0; count < 10; count += 1) {
    mails.push(await createMail({ toAddress: uniqueEmail(), kind: 'new_link' }));
  }
  for (let minutes = 0; minutes < 30; minutes += 5) {
    vi.setSystemTime(now.getTime() + minutes * minute);
    await drainByClock();
  }
  expect(down.accepted).toEqual([]);
  // Three attempts for one email in each run: the rest is spared.
  expect(down.attempts.length).toBeLessThanOrEqual(6 * 3);
  takeNoise();
  const rows = await Promise.all(mails.map(({ id }) => mailRow(id)));
  expect(rows.every(({ failedAt }) => failedAt === null)).toBe(true);

  const up = fakeResend();
  vi.setSystemTime(now.getTime() + 3 * 60 * minute);
  await drainByClock();
  await drainByClock();
  expect(up.accepted.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(
    mails.map(({ id }) => id).sort(),
  );
});

test('an email that is never accepted is given up after five tries in six hours, and kept with the reason', async () => {
  const { attempts } = fakeResend(...Array(100).fill({ status: 403 }));
  const { id } = await createMail({ toAddress: uniqueEmail(), kind: 'new_link' });
  const tries: number[] = [];
  for (let minutes = 0; minutes <= 7 * 60; minutes += 5) {
    vi.setSystemTime(now.getTime() + minutes * minute);
    const before = attempts.length;
    await drainByClock();
    if (attempts.length > before) {
      tries.push(minutes);
    }
  }

  takeNoise();
  expect(tries).toEqual([0, 5, 15, 75, 365]);
  expect(await mailRow(id)).toMatchObject({ attempts: 5, failure: 'not_accepted', sentAt: null });
});

test('two clocks at once send each email once', async () => {
  const { accepted } = fakeResend();
  const mails = [];
  for (let count = 0; count < 25; count += 1) {
    mails.push(await createMail({ toAddress: uniqueEmail(), kind: 'new_link' }));
  }
  await Promise.all([drainByClock(), drainByClock(), drainByClock()]);

  expect(accepted.map(({ to }) => to).sort()).toEqual(
    mails.map(({ toAddress }) => toAddress).sort(),
  );
});

test('a clock that was off for five hours sends what is still true, and drops what is not', async () => {
  const { accepted } = fakeResend();
  const expires = now.getTime() + 3 * 60 * minute;
  const enrollment = { expires_at: expires, offer_hours: 24, position: null };
  const offer = await createDue(
    { kind: 'offer', payload: JSON.stringify({ ...payload, enrollment }) },
    { status: 'offered', expiresAt: new Date(expires) },
  );
  const enrolled = await createDue();
  vi.setSystemTime(now.getTime() + 5 * 60 * minute);
  await drainByClock();

  expect(accepted.map(({ idempotencyKey }) => idempotencyKey)).toEqual([enrolled.id]);
  expect(await mailRow(offer.id)).toMatchObject({ failure: 'not_needed' });
});

/** A cohort of this many people, who are to be reminded of its first day now. */
async function createReminded(count: number) {
  const cohort = await createCohort({ startReminderAt: now });
  await enrollMany(cohort, count);
  await makeReminders(contextOn());
  return cohort;
}

test('a batch of a worker that died between sending and marking is not sent again, even if someone in it has left since', async () => {
  const { accepted, batches } = fakeResend();
  const cohort = await createReminded(13);
  await expect(drainByClock({ DB: dyingWorker() })).rejects.toThrow();
  takeNoise();
  const [first] = await mailsOf(cohort);
  await db
    .update(enrollments)
    .set({ status: 'left' })
    .where(eq(enrollments.id, first?.enrollmentId ?? ''));
  vi.setSystemTime(now.getTime() + 2 * minute);
  await drainByClock();

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
  vi.setSystemTime(now.getTime() + 5 * minute);
  await drainByClock();

  const keys = down.batches.map(({ idempotencyKey }) => idempotencyKey);
  expect(down.batches.map(({ mails }) => mails.length)).toEqual([12, 12, 12, 12, 12]);
  expect(new Set(keys).size).toBe(2);
  expect(down.accepted).toHaveLength(24);
  for (const mail of [...(await mailsOf(cohort)), ...(await mailsOf(other))]) {
    expect(mail.sentAt).not.toBeNull();
  }
});

test('a Resend that asks to wait costs no try, of one email or of many, and all arrive later', async () => {
  const { accepted, batches } = fakeResend(...Array(6).fill({ status: 429 }));
  const { id } = await createMail({ toAddress: uniqueEmail(), kind: 'new_link' });
  await drainByClock();
  const cohort = await createReminded(150);
  await drainByClock();
  expect(batches).toHaveLength(3);
  for (const mail of [await mailRow(id), ...(await mailsOf(cohort))]) {
    expect(mail).toMatchObject({ attempts: 0, sentAt: null, failedAt: null });
  }
  vi.setSystemTime(now.getTime() + 5 * minute);
  await drainByClock();

  expect(accepted).toHaveLength(151);
});

test('two clocks at once make and send each reminder once', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ startReminderAt: now });
  await enrollMany(cohort, 250);
  const clock = async () => {
    await makeReminders(contextOn());
    await drainByClock();
  };
  await Promise.all([clock(), clock(), clock()]);
  vi.setSystemTime(now.getTime() + 5 * minute);
  await clock();

  expect(accepted).toHaveLength(250);
  expect(new Set(accepted.map(({ to }) => to)).size).toBe(250);
});
