import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { loggedEvents } from '#support/console.ts';
import { createUser, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import {
  afterEachMail,
  createDue,
  createMail,
  createSpam,
  drain,
  drainByClock,
  mailRow,
  payloadUntil,
} from './support.ts';

const now = new Date(start);
const minute = 60 * 1000;
const hour = 60 * minute;

startFresh();

/** Emails of this many owners, each below all of its own limits. */
async function createOfOwners(count: number, kind: 'added' | 'new_link' | 'message' | 'enrolled') {
  const mails = [];
  for (let n = 0; n < count; n += 1) {
    mails.push(await createDue({ kind, dueAt: new Date(now.getTime() - count + n) }));
  }
  return mails;
}

test('all owners share a budget of emails', async () => {
  const { accepted } = fakeResend();
  const mails = await createOfOwners(5, 'message');
  const budget = { LIMITS: { cohort_mails: ['3/h'] } };
  await drainByClock(budget);
  expect(accepted).toHaveLength(3);
  const dueAt = new Date(now.getTime() + 5 * minute);
  const waiting = await mailRow(mails[4]?.id ?? '');
  expect(waiting).toMatchObject({ attempts: 0, failedAt: null, dueAt });
  vi.setSystemTime(now.getTime() + 5 * minute);
  await drainByClock(budget);
  expect(accepted).toHaveLength(3);
  vi.setSystemTime(now.getTime() + hour);
  await drainByClock(budget);

  expect(accepted).toHaveLength(5);
});

test('a flood of what no one has asked for leaves emails for those who enroll', async () => {
  const { accepted } = fakeResend();
  const budget = { LIMITS: { cohort_mails: ['4/h'], unasked_cohort_mails: ['2/h'] } };
  await createOfOwners(5, 'message');
  await createOfOwners(5, 'added');
  await drainByClock(budget);
  expect(accepted).toHaveLength(2);
  const ids = (await createOfOwners(3, 'enrolled')).map(({ id }) => id);
  await drain(ids, budget);

  expect(accepted).toHaveLength(4);
  for (const { idempotencyKey } of accepted.slice(2)) {
    expect(ids).toContain(idempotencyKey);
  }
});

test('workers at the same time send no more than the budget and an address have room for', async () => {
  const { accepted } = fakeResend();
  const mails = await createOfOwners(20, 'new_link');
  const budget = { LIMITS: { cohort_mails: ['7/h'] } };
  await Promise.all(mails.map(({ id }) => drain([id], budget)));
  expect(accepted).toHaveLength(7);

  const toAddress = uniqueEmail();
  const others = [];
  for (let n = 0; n < 15; n += 1) {
    others.push(await createMail({ toAddress, kind: 'new_link' }));
  }
  await Promise.all(others.map(({ id }) => drain([id])));
  expect(accepted).toHaveLength(17);
  vi.setSystemTime(now.getTime() + hour);
  await drainByClock();

  // Those that were over the budget go out now, and no more to the address.
  expect(accepted).toHaveLength(30);
});

test('an address gets no more offers of an owner than twice what it may get of them', async () => {
  const { accepted } = fakeResend();
  const toAddress = uniqueEmail();
  const { id: ownerId } = await createUser();
  for (let count = 0; count < 13; count += 1) {
    await createMail({ ownerId, toAddress, kind: 'offer', sentAt: now });
  }
  const expiresAt = new Date(now.getTime() + 24 * hour);
  const offer = { kind: 'offer' as const, payload: payloadUntil(expiresAt.getTime()) };
  for (let count = 0; count < 3; count += 1) {
    const to = { ownerId, toAddress, toCanonical: toAddress };
    await createDue({ ...offer, ...to }, { status: 'offered', expiresAt });
  }
  await drainByClock();

  expect(accepted).toHaveLength(1);
});

test('what is not sent does not count, and the operator is told of half a budget', async () => {
  const { accepted } = fakeResend();
  const budget = { LIMITS: { cohort_mails: ['4/h'] } };
  const gone = await createOfOwners(6, 'enrolled');
  for (const { toCanonical: emailCanonical } of gone) {
    await db.insert(suppressedAddresses).values({ emailCanonical, reason: 'bounced', since: now });
  }
  await drainByClock(budget);
  expect(await mailRow(gone[0]?.id ?? '')).toMatchObject({ failure: 'suppressed' });
  await createOfOwners(3, 'new_link');
  await drainByClock(budget);

  expect(accepted).toHaveLength(3);
  expect(loggedEvents('mail_budget').at(-1)).toMatchObject({ limit: 'cohort_mails', percent: 50 });
});

test.each([
  ['an address that has bounced meanwhile', 'suppressed'],
  ['someone who has left meanwhile', 'not_needed'],
  ['someone who has called the owner spam meanwhile', 'unwelcome'],
  ['someone who was erased meanwhile', null],
])('what is held for a second is not sent to %s', async (_who, failure) => {
  const { accepted } = fakeResend();
  const [first, second] = [await createDue(), await createDue()];
  afterEachMail(async () => {
    vi.setSystemTime(Date.now() + 1_000);
    const other = accepted[0]?.idempotencyKey === first.id ? second : first;
    const { ownerId, toAddress, enrollmentId, toCanonical: emailCanonical } = other;
    if (failure === 'suppressed') {
      const bounced = { emailCanonical, reason: 'bounced', since: now } as const;
      await db.insert(suppressedAddresses).values(bounced);
    } else if (failure === 'not_needed') {
      const isTheirs = eq(enrollments.id, enrollmentId ?? '');
      await db.update(enrollments).set({ status: 'left' }).where(isTheirs);
    } else if (failure === null) {
      await db.delete(mailsDue).where(eq(mailsDue.id, other.id));
    } else {
      await createSpam(ownerId, now, toAddress);
    }
  });
  await drain([first.id, second.id]);

  expect(accepted).toHaveLength(1);
  const failures = (await db.select().from(mailsDue)).map((row) => row.failure);
  expect(failures.filter((found) => found !== null)).toEqual(failure === null ? [] : [failure]);
});
