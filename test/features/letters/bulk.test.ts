import { isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollmentEvents } from '#db/schema/people.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { loggedEvents } from '#support/console.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { complained, deliver } from '#support/webhook.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, refused } from '../places/support.ts';
import { createDue, createMail, drainByClock, mailRow, payload, payloadUntil } from './support.ts';

const now = new Date(start);
const hour = 60 * 60 * 1000;
const expiresAt = new Date(now.getTime() + 72 * hour);

startFresh();

/** An invitation that is due. */
function createInvitation(
  values: Partial<typeof mailsDue.$inferInsert> = {},
  person: Parameters<typeof createEnrollment>[2] = {},
) {
  const about = payloadUntil(expiresAt.getTime());
  const mail = { kind: 'invitation' as const, payload: about, ...values };
  return createDue(mail, { status: 'invited', expiresAt }, person);
}

/** Emails of an owner that were sent, the first of them marked as spam. */
async function createSent(ownerId: string, count: number, complaints: number) {
  for (let index = 0; index < count; index += 1) {
    await createMail({
      ownerId,
      toAddress: uniqueEmail(),
      sentAt: new Date(now.getTime() - (count - index) * hour),
      complainedAt: index < complaints ? now : null,
    });
  }
}

/** Has ten of an owner's invitations accepted, by ten people if they have no address in common. */
async function acceptTen(
  ownerId: string,
  addressOf: (count: number) => string = uniqueEmail,
  correctedAt: Date | null = null,
) {
  const cohort = await createCohortRow(await createCourseRow(ownerId, { courseType: 'cohort' }));
  for (let count = 0; count < 10; count += 1) {
    const email = addressOf(count);
    const person = { email, emailCanonical: email, correctedAt };
    const { id: enrollmentId } = await createEnrollment(cohort, {}, person);
    const event = { actor: 'person', fromStatus: 'invited', toStatus: 'enrolled' } as const;
    await db.insert(enrollmentEvents).values({ ownerId, enrollmentId, at: now, ...event });
  }
}

test.each([
  ['a new owner, the first complaint', false, 1, 1, true],
  ['a new owner without one', false, 5, 0, false],
  ['a proven owner, two of a hundred', true, 100, 2, false],
  ['a proven owner, three of a hundred', true, 100, 3, true],
  ['a proven owner, three before the last hundred', true, 103, 3, false],
])('invitations pause or not: %s', async (_what, isProven, sent, complaints, isPaused) => {
  const { accepted } = fakeResend();
  const mail = await createInvitation();
  const ownerId = mail.ownerId ?? '';
  if (isProven) {
    await acceptTen(ownerId);
  }
  await createSent(ownerId, sent, complaints);
  await drainByClock();

  expect(accepted).toHaveLength(isPaused ? 0 : 1);
  const row = await mailRow(mail.id);
  expect(row.failedAt).toBeNull();
  expect(row.sentAt === null).toBe(isPaused);
  expect(row.attempts).toBe(isPaused ? 0 : 1);
});

const oneMailbox = (count: number) => `grace${'.'.repeat(count % 2)}x+${count}@example.com`;

test.each([
  ['of its spellings', oneMailbox, null],
  ['whose address was corrected after each', uniqueEmail, new Date(now.getTime() + hour)],
])('ten acceptances by one mailbox prove nothing: %s', async (_what, addressOf, correctedAt) => {
  const { accepted } = fakeResend();
  const mail = await createInvitation();
  await acceptTen(mail.ownerId ?? '', addressOf, correctedAt);
  await createSent(mail.ownerId ?? '', 1, 1);
  await drainByClock();

  expect(accepted).toEqual([]);
});

test('a pause holds back what strangers have not asked for, and nothing else; previews are no emails to others', async () => {
  const { accepted } = fakeResend();
  const added = await createDue({ kind: 'added' });
  const ownerId = added.ownerId ?? '';
  await createInvitation({ ownerId });
  await createSent(ownerId, 1, 1);
  for (let count = 0; count < 100; count += 1) {
    const sentAt = new Date(now.getTime() + count);
    await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'preview', sentAt });
  }
  const place = await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'new_link' });
  await drainByClock();

  expect(accepted.map(({ idempotencyKey }) => idempotencyKey)).toEqual([place.id]);
  expect(await mailRow(added.id)).toMatchObject({ sentAt: null, failedAt: null, attempts: 0 });
});

const aboutLessons: Partial<typeof mailsDue.$inferInsert>[] = [
  {
    kind: 'lessons_released',
    payload: JSON.stringify({
      ...payload,
      released: { sections: ['Buy now'], lessons: 1, first: 'Buy now' },
    }),
  },
  {
    kind: 'nudge',
    payload: JSON.stringify({ ...payload, progress: { done: 0, of: 1, next: 'Buy now' } }),
  },
];

test.each(aboutLessons)(
  'a pause and the limit hold back $kind to strangers, not to people who agreed',
  async (mail) => {
    const { accepted } = fakeResend();
    const LIMITS = { stranger_bulk_mails_per_owner: ['1/d'] };
    const strangers = { consentedAt: null };
    const agreed = await createDue(mail);
    const ownerId = agreed.ownerId ?? '';
    const unasked = [
      await createDue({ ...mail, ownerId }, { changedBy: 'owner' }, strangers),
      await createDue({ ...mail, ownerId }, { changedBy: 'owner' }, strangers),
    ];
    await createSent(ownerId, 1, 1);
    await drainByClock({ LIMITS });
    const keys = () => accepted.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys()).toEqual([agreed.id]);
    await db.update(mailsDue).set({ complainedAt: null });
    await db.update(mailsDue).set({ dueAt: now }).where(isNull(mailsDue.sentAt));
    await drainByClock({ LIMITS });

    expect(accepted).toHaveLength(2);
    expect(unasked.filter(({ id }) => keys().includes(id))).toHaveLength(1);
  },
);

test('the operator is told once in the log, by the complaint that pauses', async () => {
  fakeResend();
  const { add, user } = await createOwner();
  for (const providerId of ['one', 'two']) {
    const toAddress = uniqueEmail();
    await createMail({ ownerId: user.id, toAddress, sentAt: now, providerId });
    const event = complained(toAddress);
    const complaint = { ...event, data: { ...event.data, email_id: providerId } };
    expect((await deliver(complaint)).status).toBe(200);
  }

  expect(loggedEvents('invitations_paused')).toMatchObject([{ user_id: user.id }]);
  expect(await add({ as: 'invited' })).toMatchObject(refused('invitations_paused'));
  // A complaint never blocks logins.
  expect(await db.select().from(suppressedAddresses)).toEqual([]);
});

test('an owner’s invitations go out as far as their limit has room, and confirmations do not wait', async () => {
  const { accepted } = fakeResend();
  const first = await createInvitation({ dueAt: new Date(now.getTime() - 3) });
  const ownerId = first.ownerId ?? '';
  const second = await createInvitation({ ownerId });
  await createInvitation();
  await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'invitation', sentAt: now });
  const place = await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'new_link' });
  await drainByClock({ LIMITS: { bulk_mails_per_owner: ['2/h'] } });

  expect(accepted).toHaveLength(3);
  expect(await mailRow(first.id)).toMatchObject({ sentAt: now });
  expect(await mailRow(place.id)).toMatchObject({ sentAt: now });
  const dueAt = new Date(now.getTime() + hour);
  expect(await mailRow(second.id)).toMatchObject({ attempts: 0, failedAt: null, dueAt });
});

test('a limit on emails to strangers holds back neither others nor what people agreed to', async () => {
  const { accepted } = fakeResend();
  const strangers = { consentedAt: null };
  const message = { subject: 'Hello', text: 'Hi.' };
  const mail = { kind: 'message' as const, payload: JSON.stringify({ ...payload, message }) };
  const agreed = await createDue(mail);
  const ownerId = agreed.ownerId ?? '';
  const invitations = [
    await createInvitation({ ownerId }, strangers),
    await createInvitation({ ownerId }, strangers),
  ];
  // What went to people who had agreed does not count.
  await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'invitation', sentAt: now });
  await drainByClock({ LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } });
  const late = await createInvitation({ ownerId }, strangers);
  await drainByClock({ LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } });

  const sent = new Set(accepted.map(({ idempotencyKey }) => idempotencyKey));
  expect(sent.has(agreed.id)).toBe(true);
  expect(invitations.filter(({ id }) => sent.has(id))).toHaveLength(1);
  expect(accepted).toHaveLength(2);
  expect((await mailRow(late.id)).dueAt).toEqual(new Date(now.getTime() + hour));
});
