import { eq, isNull } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollmentEvents, enrollments } from '#db/schema/people.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { loggedEvents } from '#support/console.ts';
import { day, hour, minute } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { complained, deliver } from '#support/webhook.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, refused } from '../places/support.ts';
import {
  afterEachMail,
  createDue,
  createMail,
  createOffer,
  createSpam,
  drain,
  drainAt,
  drainByClock,
  mailOf,
  mailRow,
  messageMail,
  payloadUntil,
  repeat,
  suppress,
} from './support.ts';

const now = new Date(start);
const given = startFresh();
const strangers = { consentedAt: null };

/** The ids of the emails that have gone. */
function sentIds() {
  return given.resend.accepted.map(({ idempotencyKey }) => idempotencyKey);
}

type Due = Awaited<ReturnType<typeof createDue>>;

/** Emails of this many owners, each below all of its own limits. */
function createOfOwners(
  count: number,
  kind: 'added' | 'new_link' | 'message' | 'enrolled',
): Promise<Due[]> {
  return repeat(count, (no) => createDue({ kind, dueAt: new Date(start - count + no) }));
}

/** An invitation that is due. */
function createInvitation(
  values: Parameters<typeof createDue>[0] = {},
  person: Parameters<typeof createDue>[2] = {},
) {
  const ends = start + 72 * hour;
  const mail = { kind: 'invitation' as const, payload: payloadUntil(ends), ...values };
  return createDue(mail, { status: 'invited', expiresAt: new Date(ends) }, person);
}

/** Emails of an owner that were sent, the first of them marked as spam. */
function createSent(ownerId: string, count: number, complaints: number) {
  return repeat(count, (no) =>
    createMail({
      ownerId,
      toAddress: uniqueEmail(),
      sentAt: new Date(start - (count - no) * hour),
      complainedAt: no < complaints ? now : null,
    }),
  );
}

/** Has ten of an owner's invitations accepted, by ten people if they have no address in common. */
async function acceptTen(
  ownerId: string,
  { addressOf = uniqueEmail as (no: number) => string, correctedAt = null as Date | null },
) {
  const cohort = await createCohortRow(await createCourseRow(ownerId, { courseType: 'cohort' }));
  await repeat(10, async (no) => {
    const email = addressOf(no);
    const person = { email, emailCanonical: email, correctedAt };
    const { id: enrollmentId } = await createEnrollment(cohort, {}, person);
    const event = { actor: 'person', fromStatus: 'invited', toStatus: 'enrolled' } as const;
    await db.insert(enrollmentEvents).values({ ownerId, enrollmentId, at: now, ...event });
  });
}

test('all owners share a budget of emails', async () => {
  const budget = { LIMITS: { cohort_mails: ['3/h'] } };
  const mails = await createOfOwners(5, 'message');
  await drainByClock(budget);
  const dueAt = new Date(start + 5 * minute);
  const waiting = await mailRow(mails[4]?.id ?? '');
  expect(waiting).toMatchObject({ attempts: 0, failedAt: null, dueAt });
  await drainAt(start + 5 * minute, budget);
  expect(sentIds()).toHaveLength(3);
  await drainAt(start + hour, budget);

  expect(sentIds()).toHaveLength(5);
});

test('a flood of what no one has asked for leaves emails for those who enroll', async () => {
  const budget = { LIMITS: { cohort_mails: ['4/h'], unasked_cohort_mails: ['2/h'] } };
  await createOfOwners(5, 'message');
  await createOfOwners(5, 'added');
  await drainByClock(budget);
  expect(sentIds()).toHaveLength(2);
  const ids = (await createOfOwners(3, 'enrolled')).map(({ id }) => id);
  await drain(ids, budget);

  expect(sentIds()).toHaveLength(4);
  expect(ids).toEqual(expect.arrayContaining(sentIds().slice(2)));
});

test('workers at the same time send no more than the budget and an address have room for', async () => {
  const mails = await createOfOwners(20, 'new_link');
  const budget = { LIMITS: { cohort_mails: ['7/h'] } };
  await Promise.all(mails.map(({ id }) => drain([id], budget)));
  expect(sentIds()).toHaveLength(7);

  const toAddress = uniqueEmail();
  const others = await repeat(15, () => createMail({ toAddress, kind: 'new_link' }));
  await Promise.all(others.map(({ id }) => drain([id])));
  expect(sentIds()).toHaveLength(17);
  await drainAt(start + hour);

  // Those that were over the budget go out now, and no more to the address.
  expect(sentIds()).toHaveLength(30);
});

test('an address gets no more offers of an owner than twice what it may get of them', async () => {
  const to = { toAddress: uniqueEmail(), ownerId: (await createUser()).id };
  await repeat(13, () => createMail({ ...to, kind: 'offer', sentAt: now }));
  await repeat(3, () => createOffer(to, start + day));
  await drainByClock();

  expect(sentIds()).toHaveLength(1);
});

test('what is not sent does not count, and the operator is told of half a budget', async () => {
  const budget = { LIMITS: { cohort_mails: ['4/h'] } };
  const gone = await createOfOwners(6, 'enrolled');
  await Promise.all(gone.map(suppress));
  await drainByClock(budget);
  expect(await mailRow(gone[0]?.id ?? '')).toMatchObject({ failure: 'suppressed' });
  await createOfOwners(3, 'new_link');
  await drainByClock(budget);

  expect(sentIds()).toHaveLength(3);
  expect(loggedEvents('mail_budget').at(-1)).toMatchObject({ limit: 'cohort_mails', percent: 50 });
});

test.each<[string, (mail: Due) => Promise<unknown>, string[]]>([
  ['an address that has bounced', suppress, ['suppressed']],
  [
    'someone who has left',
    ({ enrollmentId }) => updateRow(enrollments, { id: enrollmentId ?? '' }, { status: 'left' }),
    ['not_needed'],
  ],
  [
    'someone who has called the owner spam',
    ({ ownerId, toAddress }) => createSpam(ownerId, now, toAddress),
    ['unwelcome'],
  ],
  ['someone who was erased', ({ id }) => db.delete(mailsDue).where(eq(mailsDue.id, id)), []],
])('what is held for a second is not sent to %s meanwhile', async (_who, happens, failures) => {
  const [first, second] = [await createDue(), await createDue()];
  afterEachMail(async () => {
    vi.setSystemTime(Date.now() + 1_000);
    await happens(sentIds()[0] === first.id ? second : first);
  });
  await drain([first.id, second.id]);

  expect(sentIds()).toHaveLength(1);
  const found = (await db.select().from(mailsDue)).map(({ failure }) => failure);
  expect(found.filter((failure) => failure !== null)).toEqual(failures);
});

const oneMailbox = (no: number) => `grace${'.'.repeat(no % 2)}x+${no}@example.com`;
const corrected = { correctedAt: new Date(start + hour) };

test.each([
  ['a new owner, the first complaint', null, 1, 1, true],
  ['a new owner without one', null, 5, 0, false],
  ['a proven owner, two of a hundred', {}, 100, 2, false],
  ['a proven owner, three of a hundred', {}, 100, 3, true],
  ['a proven owner, three before the last hundred', {}, 103, 3, false],
  ['accepted ten times by one mailbox, the first', { addressOf: oneMailbox }, 1, 1, true],
  ['accepted by ten whose address was corrected since, the first', corrected, 1, 1, true],
])('invitations pause or not: %s', async (_what, accepted, sent, complaints, isPaused) => {
  const mail = await createInvitation();
  const ownerId = mail.ownerId ?? '';
  if (accepted !== null) {
    await acceptTen(ownerId, accepted);
  }
  await createSent(ownerId, sent, complaints);
  await drainByClock();

  expect(sentIds()).toEqual(isPaused ? [] : [mail.id]);
  const row = isPaused ? { sentAt: null, attempts: 0 } : { sentAt: now, attempts: 1 };
  expect(await mailRow(mail.id)).toMatchObject({ ...row, failedAt: null });
});

test('a pause holds back what strangers have not asked for, and nothing else; previews are no emails to others', async () => {
  const added = await createDue({ kind: 'added' });
  const ownerId = added.ownerId ?? '';
  await createInvitation({ ownerId });
  await createSent(ownerId, 1, 1);
  await repeat(100, (no) => {
    const preview = { kind: 'preview', sentAt: new Date(start + no) } as const;
    return createMail({ ownerId, toAddress: uniqueEmail(), ...preview });
  });
  const place = await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'new_link' });
  await drainByClock();

  expect(sentIds()).toEqual([place.id]);
  expect(await mailRow(added.id)).toMatchObject({ sentAt: null, failedAt: null, attempts: 0 });
});

test.each([
  mailOf('lessons_released', { released: { sections: ['Buy'], lessons: 1, first: 'Buy' } }),
  mailOf('nudge', { progress: { done: 0, of: 1, next: 'Buy' } }),
  mailOf('receipt', {
    receipt: {
      ...{ entry_id: 'entry', minor: 24_000, currency: 'EUR', method: 'other' as const },
      ...{ word: 'Buy', day: '2026-11-20', left: null },
    },
  }),
])('a pause and the limit hold back $kind to strangers, not to people who agreed', async (mail) => {
  const limited = { LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } };
  const agreed = await createDue(mail);
  const ownerId = agreed.ownerId ?? '';
  const unasked = await repeat(2, () =>
    createDue({ ...mail, ownerId }, { changedBy: 'owner' }, strangers),
  );
  await createSent(ownerId, 1, 1);
  await drainByClock(limited);
  expect(sentIds()).toEqual([agreed.id]);
  await db.update(mailsDue).set({ complainedAt: null });
  await db.update(mailsDue).set({ dueAt: now }).where(isNull(mailsDue.sentAt));
  await drainByClock(limited);

  expect(sentIds()).toHaveLength(2);
  expect(unasked.map(({ id }) => id)).toContain(sentIds()[1]);
});

test('a limit on emails to strangers holds back neither others nor what people agreed to', async () => {
  const limited = { LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } };
  const agreed = await createDue(messageMail);
  const ownerId = agreed.ownerId ?? '';
  const invitations = await repeat(2, () => createInvitation({ ownerId }, strangers));
  // What went to people who had agreed does not count.
  await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'invitation', sentAt: now });
  await drainByClock(limited);
  const late = await createInvitation({ ownerId }, strangers);
  await drainByClock(limited);

  expect(sentIds()).toHaveLength(2);
  expect(sentIds()).toContain(agreed.id);
  expect(invitations.filter(({ id }) => sentIds().includes(id))).toHaveLength(1);
  expect((await mailRow(late.id)).dueAt).toEqual(new Date(start + hour));
});

test('the operator is told once in the log, by the complaint that pauses', async () => {
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
  const isComplaint = eq(suppressedAddresses.reason, 'complained');
  expect(await db.$count(suppressedAddresses, isComplaint)).toBe(0);
});

test('an owner’s invitations go out as far as their limit has room, and confirmations do not wait', async () => {
  const first = await createInvitation({ dueAt: new Date(start - 3) });
  const ownerId = first.ownerId ?? '';
  const second = await createInvitation({ ownerId });
  const neighbor = await createInvitation();
  await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'invitation', sentAt: now });
  const place = await createMail({ ownerId, toAddress: uniqueEmail(), kind: 'new_link' });
  await drainByClock({ LIMITS: { bulk_mails_per_owner: ['2/h'] } });

  expect(sentIds().sort()).toEqual([first.id, neighbor.id, place.id].sort());
  const dueAt = new Date(start + hour);
  expect(await mailRow(second.id)).toMatchObject({ attempts: 0, failedAt: null, dueAt });
});
