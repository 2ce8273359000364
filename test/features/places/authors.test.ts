import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { meetings } from '#db/schema/meetings.ts';
import { groupMessages } from '#db/schema/messages.ts';
import { enrollmentEvents } from '#db/schema/people.ts';
import { createCohortRow, createEnrollment, createPerson, db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { balancesOf } from '../ledger/support.ts';
import { createMeeting } from '../letters/reminders.ts';
import { startFresh } from './fresh.ts';
import { actionsOn, enrollmentOf, start } from './storm.ts';
import { createOwner, createTaught, setTime } from './support.ts';

startFresh();

const price = { priceMinor: 24_000, currency: 'EUR' };

/** What has happened to an enrollment, each with the user who did it. */
async function historyOf(enrollmentId = '') {
  const { enrollmentId: of, id } = enrollmentEvents;
  const rows = db.select().from(enrollmentEvents).where(eq(of, enrollmentId));
  const events = await rows.orderBy(asc(id));
  return events.map(({ toStatus, actor, actorUserId }) => [toStatus, actor, actorUserId]);
}

/** The entries of an account, each with the user who wrote it. */
async function accountOf(enrollmentId: string) {
  const { enrollmentId: of, createdAt, amountMinor: amount } = ledgerEntries;
  const rows = db.select().from(ledgerEntries).where(eq(of, enrollmentId));
  const entries = await rows.orderBy(asc(createdAt), asc(amount));
  return entries.map(({ amountMinor, createdByUserId }) => [amountMinor, createdByUserId]);
}

test('the history names the user who adds, moves and removes someone, approves, refuses, invites, imports and puts on the waitlist, and so do their charges', async () => {
  const { add, cohort, course, post, user } = await createTaught(price);
  const other = await createCohortRow(course, { ...price, publishedAt: new Date(start) });
  const { body } = await add();
  setTime(start + 1);
  await post(`enrollments/${body.id}/transfer/`, { cohort_id: other.id });
  setTime(start + 2);
  await post(`/api/cohorts/${other.id}/enrollments/${body.id}/remove/`);
  const [asking, turnedDown] = [
    await createEnrollment(cohort, { status: 'applied' }),
    await createEnrollment(cohort, { status: 'applied' }),
  ];
  await post('enrollments/approve/', { enrollments: [asking.id] });
  await post('enrollments/refuse/', { enrollments: [turnedDown.id] });
  const invited = (await add({ as: 'invited' })).body;
  const waiting = (await add({ as: 'waitlisted' })).body;
  const imported = await createPerson(user.id);
  await post('imports/', { text: `Ada,${imported.email}`, as: 'enrolled', informed: true });

  for (const [id, ...statuses] of [
    [body.id, 'enrolled', 'enrolled', 'removed'],
    [invited.id, 'invited'],
    [await enrollmentOf(cohort, imported), 'enrolled'],
  ]) {
    const byOwner = statuses.map((status) => [status, 'owner', user.id]);
    expect(await historyOf(id)).toEqual(byOwner);
  }
  expect((await historyOf(waiting.id))[0]).toEqual(['waitlisted', 'owner', user.id]);
  expect((await historyOf(asking.id)).at(-1)).toEqual(['enrolled', 'owner', user.id]);
  expect((await historyOf(turnedDown.id)).at(-1)).toEqual(['refused', 'owner', user.id]);
  expect(await accountOf(body.id)).toEqual([
    [24_000, user.id],
    [-24_000, user.id],
    [24_000, user.id],
  ]);
});

test('what people and the clock do names no one, even after the owner', async () => {
  const { cohort, user } = await createOwner({ ...price, capacity: 1 });
  const { accept, add, enroll, leave, sweep } = actionsOn(cohort);
  const [first, second] = [await createPerson(user.id), await createPerson(user.id)];
  await add(start, first);
  await enroll(start + 1, second);
  await leave(start + 2, first);
  await sweep(start + 3);
  await accept(start + 4, second);

  expect(await historyOf(await enrollmentOf(cohort, first))).toEqual([
    ['enrolled', 'owner', user.id],
    ['left', 'person', null],
  ]);
  const offered = await enrollmentOf(cohort, second);
  expect(await historyOf(offered)).toEqual([
    ['waitlisted', 'person', null],
    ['offered', 'clock', null],
    ['enrolled', 'person', null],
  ]);
  expect(await accountOf(offered)).toEqual([[24_000, null]]);
});

test('a payment, a reversal and charges of a later price name who writes them', async () => {
  const { client, cohort, send, user } = await createOwner();
  const { charge, pay, reverse } = balancesOf(client, cohort.id);
  const { id } = await createEnrollment(cohort);
  await send('PATCH', '', { price_minor: 24_000, currency: 'EUR' });
  await charge();
  setTime(start + 1);
  const { entries } = await pay(id, 100);
  setTime(start + 2);
  await reverse(entries[0]?.id ?? '');

  expect(await accountOf(id)).toEqual([
    [24_000, user.id],
    [-100, user.id],
    [100, user.id],
  ]);
});

test('a message and an announcement name who wrote them', async () => {
  const { cohort, post, user } = await createOwner();
  await createEnrollment(cohort);
  await post('messages/', { subject: 'Bring chairs', text: 'And a pen.' });
  const { id } = await createMeeting(cohort);
  await updateRow(meetings, { id }, { announced: null });
  await post('announcements/');

  const isOfCohort = eq(groupMessages.cohortId, cohort.id);
  const messages = await db.select().from(groupMessages).where(isOfCohort);
  expect(messages.map(({ createdByUserId }) => createdByUserId)).toEqual([user.id, user.id]);
});
