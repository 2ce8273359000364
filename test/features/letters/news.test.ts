import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { newsDue } from '#db/schema/news.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { users } from '#db/schema/users.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeNews } from '#features/letters/make-news.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, hour } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
} from '#support/factories.ts';
import { insertPaidCheckout } from '#support/payments.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { setTime } from '../places/support.ts';
import { startAt } from './reminders.ts';

/** 10 PM in Paris. */
const evening = Date.UTC(2026, 10, 24, 21);
/** 8 AM in Paris. */
const morning = Date.UTC(2026, 10, 25, 7);

startAt(evening);

async function createOwner(timeZone = 'Europe/Paris') {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(evening), timeZone });
  return { owner, course, cohort };
}

/** A change that happens now. */
function happens(
  cohort: Parameters<typeof createEnrollment>[0],
  values: Parameters<typeof createEnrollment>[1] = {},
) {
  return createEnrollment(cohort, { changedBy: 'person', statusChangedAt: new Date(), ...values });
}

async function clockAt(moment: number) {
  setTime(moment);
  const ctx = contextOn();
  await makeNews(ctx);
  await drainOutbox(ctx, null);
}

test('news says once who joined, left and waits, at eight by the newest cohort', async () => {
  const { accepted } = fakeResend();
  const { owner, course, cohort } = await createOwner('America/Vancouver');
  const newer = await createCohortRow(course, {
    name: 'Writing in summer',
    publishedAt: new Date(evening),
    timeZone: 'Europe/Paris',
    createdAt: new Date(cohort.createdAt.getTime() + 1),
  });
  await happens(cohort);
  await happens(cohort, { status: 'left' });
  await happens(newer, { status: 'waitlisted', queueNo: 1 });
  await happens(newer);
  await happens(newer, { status: 'applied' });
  await happens(newer, { status: 'applied' });
  await clockAt(evening);
  await clockAt(morning - 1);
  expect(accepted).toEqual([]);
  await clockAt(morning);
  await clockAt(morning + hour);

  const mails = mailsTo(owner.email, accepted);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'News about your cohorts: 2 people joined, 1 person left, 1 person is waiting, 2 people are asking for a place',
  ]);
  expect(mails[0]?.text).toMatch(/^Hello Anna,/);
  expect(mails[0]?.text).toContain(
    `Writing in spring: 1 person joined, 1 person left\nhttps://lectern.test/cohorts/${cohort.id}/roster`,
  );
  expect(mails[0]?.text).toContain(
    'Writing in summer: 1 person joined, 1 person is waiting, 2 people are asking for a place',
  );
  expect(mails[0]?.text).not.toContain('Hopper');
  expect(await db.select().from(newsDue)).toEqual([]);
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.ownerId, owner.id));
  expect(row?.dedupeKey).toBe(`news:${owner.id}:2026-11-25`);
  expect(loggedEvents('news_made')).toMatchObject([{ made: 1, planned: 0 }]);
});

test('a change after eight is news of the next day, and a day without one has none', async () => {
  const { accepted } = fakeResend();
  const { owner, cohort } = await createOwner();
  await happens(cohort);
  await clockAt(morning);
  await happens(cohort, { status: 'left', statusChangedAt: new Date(morning) });
  await clockAt(morning + 1);
  await clockAt(morning + day);
  await clockAt(morning + 2 * day);

  expect(mailsTo(owner.email, accepted).map(({ subject }) => subject)).toEqual([
    'News about your cohorts: 1 person joined',
    'News about your cohorts: 1 person left',
  ]);
});

test('what the owner or the clock has done is no news, nor is an invitation that was declined', async () => {
  const { cohort } = await createOwner();
  await happens(cohort, { changedBy: 'owner' });
  await happens(cohort, { changedBy: 'clock', status: 'expired' });
  await happens(cohort, { status: 'declined' });

  expect(await db.select().from(newsDue)).toEqual([]);
});

test('who paid online is news, with what all of a cohort paid, and what was reversed is none', async () => {
  const { accepted } = fakeResend();
  const { owner, course, cohort } = await createOwner();
  const other = await createCohortRow(course, { name: 'In yen', publishedAt: new Date(evening) });
  const pay = async (of: typeof cohort, minor: number, currency = 'EUR') => {
    const { id, person } = await createEnrollment(of, { changedBy: 'owner' });
    const paidAt = new Date();
    const values = { paidMinor: minor, paidCurrency: currency, currency, paidAt };
    await insertPaidCheckout({ cohort: of, id, person: person.id }, values);
    return id;
  };
  setTime(evening - 1);
  await pay(cohort, 50_000);
  await db.delete(newsDue);
  setTime(evening);
  for (const minor of [24_000, 20_000]) {
    await pay(cohort, minor);
  }
  const reversed = await pay(cohort, 9_000);
  const of = eq(ledgerEntries.enrollmentId, reversed);
  const entry = await db.select().from(ledgerEntries).where(of).get();
  await db.insert(ledgerEntries).values({
    ...(entry as typeof ledgerEntries.$inferInsert),
    ...{ id: crypto.randomUUID(), amountMinor: 9_000, reversesId: entry?.id, outsideId: 'failed' },
  });
  const back = eq(ledgerEntries.enrollmentId, await pay(other, 500, 'JPY'));
  const payment = await db.select().from(ledgerEntries).where(back).get();
  await db.insert(ledgerEntries).values({
    ...(payment as typeof ledgerEntries.$inferInsert),
    ...{ id: crypto.randomUUID(), kind: 'refund', amountMinor: 500, outsideId: 're_1' },
  });
  await clockAt(morning);

  const [mail] = mailsTo(owner.email, accepted);
  expect(mail?.subject).toBe(
    'News about your cohorts: 3 people paid online, 1 person was refunded',
  );
  expect(mail?.text).toContain('Writing in spring: 2 people paid online (€440)\n');
  expect(mail?.text).toContain(
    'In yen: 1 person paid online (¥500), 1 person was refunded (¥500)\n',
  );
});

test('there is no news for those who switch it off, also of what waits already, nor of a cohort in the trash', async () => {
  const { accepted } = fakeResend();
  const [off, late, gone] = [await createOwner(), await createOwner(), await createOwner()];
  await updateRow(users, off.owner, { rosterNews: false });
  for (const { cohort } of [off, late, gone]) {
    await happens(cohort);
  }
  await updateRow(cohorts, gone.cohort, { deletedAt: new Date(evening) });
  setTime(morning);
  await makeNews(contextOn());
  expect(await db.select().from(mailsDue)).toMatchObject([{ ownerId: late.owner.id }]);
  await updateRow(users, late.owner, { rosterNews: false });
  await clockAt(morning + day);

  expect(accepted).toEqual([]);
  expect(await db.select().from(newsDue)).toEqual([]);
});

test.each([
  ['fr', morning],
  ['en', morning + 6 * hour],
] as const)(
  'with courses in %s that begin on any day, news comes at eight where most read it',
  async (language, at) => {
    const { accepted } = fakeResend();
    const { owner, cohort } = await createOwner('UTC');
    await updateRow(users, owner, { language });
    await updateRow(cohorts, cohort, { kind: 'open' });
    await happens(cohort);
    await clockAt(at - 1);
    expect(accepted).toEqual([]);
    await clockAt(at);
    expect(mailsTo(owner.email, accepted)).toHaveLength(1);
  },
);

test('news is in the language of the account, at eight by UTC in a zone that this runtime no longer knows', async () => {
  const { accepted } = fakeResend();
  const { owner, cohort } = await createOwner('Europe/Nowhere');
  await updateRow(users, owner, { language: 'fr' });
  await happens(cohort);
  await clockAt(morning + hour - 1_000);
  expect(accepted).toEqual([]);
  await clockAt(morning + hour);

  expect(mailsTo(owner.email, accepted)[0]?.subject).toContain('1 personne');
});
