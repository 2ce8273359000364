import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { acceptOffer } from '#features/places/places.ts';
import { hour } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import {
  actionsOn,
  brokenRules,
  contextAt,
  countsOf,
  createFive,
  createPeople,
  createPublished,
  createQueue,
  enrollmentOf,
  mailsOf,
  start,
  statusOf,
} from './storm.ts';

const begins = Date.parse('2027-01-03T23:00:00Z');
const soon = new Date(start + 1);

test.each([
  ['', 'open', []],
  [' who are approved', 'approval', ['applied']],
] as const)(
  'of 50 people%s at once, each by a request, 10 get the 10 places and 40 wait, with one email each',
  async (_, joinMode, before) => {
    const cohort = await createPublished({ capacity: 10, joinMode });
    const { enroll, approve } = actionsOn(cohort);
    const people = await createPeople(cohort, 50);
    await Promise.all(people.map((person) => enroll(start, person)));
    if (joinMode === 'approval') {
      expect(await countsOf(cohort)).toEqual({ applied: 50 });
      await Promise.all(people.map((person, n) => approve(start + 1 + (n % 3), [person])));
    }

    expect(await countsOf(cohort)).toEqual({ enrolled: 10, waitlisted: 40 });
    expect(await brokenRules(cohort, start + 9)).toEqual([]);
    for (const person of people) {
      expect(await mailsOf(person)).toEqual([...before, await statusOf(cohort, person)]);
    }
  },
);

test('a place that is left is offered to the first who waits, and no one overtakes them', async () => {
  const { cohort, ana, bob, eve, zoe, enroll, leave, accept } = await createQueue();
  // A link that was replaced leaves nothing.
  expect(await leave(start, { ...ana, linkVersion: 2 })).toBeNull();
  expect(await statusOf(cohort, ana)).toBe('enrolled');
  await leave(start + 1, ana);
  expect(await statusOf(cohort, bob)).toBe('offered');
  await enroll(start + 2, zoe);
  expect(await statusOf(cohort, zoe)).toBe('waitlisted');
  expect(await accept(start + 3, bob)).toMatchObject({ status: 'enrolled' });
  expect(await accept(start + 4, bob)).toBeNull();
  // At the end of the queue.
  await enroll(start + 5, ana);
  await leave(start + 6, bob);
  expect(await statusOf(cohort, eve)).toBe('offered');
  await leave(start + 7, eve);
  expect(await statusOf(cohort, eve)).toBe('declined');
  expect(await statusOf(cohort, zoe)).toBe('offered');

  expect(await mailsOf(bob)).toEqual(['waitlisted', 'offer', 'enrolled', 'left']);
  expect(await mailsOf(eve)).toEqual(['waitlisted', 'offer']);
  expect(await mailsOf(ana)).toEqual(['enrolled', 'left', 'waitlisted']);
});

test('an offer is kept for its hours and not a millisecond longer, and then goes on', async () => {
  const queue = await createQueue({ offerHours: 24 });
  const { cohort, ana, bob, eve, leave, accept, sweep } = queue;
  await leave(start, ana);
  await sweep(start + 24 * hour - 1);
  expect(await statusOf(cohort, bob)).toBe('offered');
  expect(await accept(start + 24 * hour, bob)).toBeNull();
  expect(await statusOf(cohort, bob)).toBe('expired');
  expect(await statusOf(cohort, eve)).toBe('offered');
  expect(await accept(start + 25 * hour, eve)).toMatchObject({ status: 'enrolled' });

  expect(await mailsOf(bob)).toEqual(['waitlisted', 'offer', 'offer_expired']);
  expect(await brokenRules(cohort, start + 25 * hour)).toEqual([]);
});

test('two clocks at once offer each free place once', async () => {
  const cohort = await createPublished({ capacity: 2, offerHours: 24 });
  const { enroll, leave, sweep } = actionsOn(cohort);
  const { ana, bob } = await createFive(cohort);
  const waiting = await createPeople(cohort, 4);
  for (const person of [ana, bob, ...waiting]) {
    await enroll(start, person);
  }
  await leave(start + 1, ana);
  await leave(start + 2, bob);
  const later = start + 25 * hour;
  await Promise.all([sweep(later), sweep(later), sweep(later)]);

  expect(await countsOf(cohort)).toEqual({ left: 2, expired: 2, offered: 2 });
  for (const person of waiting) {
    expect((await mailsOf(person)).filter((kind) => kind === 'offer')).toHaveLength(1);
  }
  expect(await brokenRules(cohort, later)).toEqual([]);
});

test('an offer that is over is not accepted, even before anything has ended it', async () => {
  const { cohort, ana, bob, leave } = await createQueue({ offerHours: 24 });
  await leave(start, ana);
  const id = await enrollmentOf(cohort, bob);
  // The statement alone, without the one before it that ends what is over.
  const acceptAt = async (time: number) =>
    (await ask(contextAt(time), { done: acceptOffer(contextAt(time), time, id, bob) })).done;
  expect(await acceptAt(start + 24 * hour)).toBeNull();
  expect(await acceptAt(start + 24 * hour - 1)).toMatchObject({ status: 'enrolled' });
});

test('a place that others wait for goes to no newcomer and no one invited, even too late for offers', async () => {
  const { cohort, ana, bob, zoe, max, ...actions } = await createQueue();
  await actions.invite(begins - hour, zoe);
  await actions.leave(begins - hour / 2, ana);
  expect(await statusOf(cohort, bob)).toBe('waitlisted');
  await actions.enroll(begins - hour / 3, max);
  await actions.acceptInvitation(begins - hour / 4, zoe);
  expect(await countsOf(cohort)).toEqual({ left: 1, waitlisted: 4 });
});

test('offers end when the cohort begins, and an hour before that none is made', async () => {
  const { cohort, ana, bob, eve, leave, accept } = await createQueue({}, begins - 3 * hour);
  await leave(begins - hour, ana);
  expect(await statusOf(cohort, bob)).toBe('offered');
  expect(await accept(begins, bob)).toBeNull();

  // Bob's place is free once the cohort begins, but no offer is made without time to accept it.
  expect(await statusOf(cohort, bob)).toBe('expired');
  expect(await statusOf(cohort, eve)).toBe('waitlisted');
});

test('the waitlist is served when it is closed, and joined only while it is open', async () => {
  const { cohort, ana, bob, eve, zoe, enroll, leave } = await createQueue();
  await updateRow(cohorts, cohort, { waitlist: false });
  expect(await enroll(start, zoe)).toBeNull();
  await leave(start, ana);
  expect(await statusOf(cohort, bob)).toBe('offered');
  await leave(start + 1, bob);
  await leave(start + 1, eve);
  expect(await enroll(start + 2, zoe)).toMatchObject({ status: 'enrolled' });
});

test.each([
  ['24 hours is sent 6 before its end', start, [start + 18 * hour]],
  ['12 hours is sent 3 before its end', begins - 12 * hour, [begins - 3 * hour]],
  ['10 hours is not sent', begins - 10 * hour, []],
])('the reminder of an offer of %s', async (_what, time, expected) => {
  const { cohort, ana, bob, leave } = await createQueue({ offerHours: 24 }, time);
  await leave(time, ana);
  expect(await statusOf(cohort, bob)).toBe('offered');
  const isReminder = and(eq(mailsDue.toAddress, bob.email), eq(mailsDue.kind, 'offer_expiring'));
  const mails = await db.select().from(mailsDue).where(isReminder);

  expect(mails.map(({ dueAt }) => dueAt.getTime())).toEqual(expected);
});

test.each([
  ['a draft', { publishedAt: null }, undefined],
  ['in the trash', { deletedAt: new Date(start) }, undefined],
  ['archived', { archivedAt: new Date(start) }, undefined],
  ['by invitation', { joinMode: 'invitation' }, undefined],
  ['not open yet', { enrollmentOpensAt: soon }, undefined],
  ['closed', { enrollmentClosesAt: new Date(start) }, undefined],
  ['closed by hand', { enrollmentOverride: 'closed' }, undefined],
  ['begun', { startsAt: new Date(start) }, undefined],
  ['over', { endsAt: new Date(start), enrollmentOverride: 'open' }, undefined],
  ['opened by hand', { enrollmentOverride: 'open', enrollmentOpensAt: soon }, 'enrolled'],
  ['running and open', { startsAt: new Date(start), enrollmentClosesAt: soon }, 'enrolled'],
] as const)('who asks alone for a place in a cohort that is %s', async (_, values, status) => {
  const cohort = await createPublished(values);
  const { ana } = await createFive(cohort);
  await actionsOn(cohort).enroll(start, ana);

  expect(await statusOf(cohort, ana)).toBe(status);
});

test('someone who was removed does not come back by themselves; the owner can add or invite them', async () => {
  const cohort = await createPublished();
  const { enroll, remove, invite, acceptInvitation, add } = actionsOn(cohort);
  const { ana } = await createFive(cohort);
  await enroll(start, ana);
  await remove(start + 1, ana);
  expect(await enroll(start + 2, ana)).toBeNull();
  expect(await invite(start + 3, ana)).toMatchObject({ status: 'invited' });
  expect(await acceptInvitation(start + 4, ana)).toMatchObject({ status: 'enrolled' });
  await remove(start + 5, ana);
  expect(await add(start + 6, ana)).toMatchObject({ status: 'enrolled' });

  const kinds = ['enrolled', 'removed', 'invitation', 'enrolled', 'removed', 'added'];
  expect(await mailsOf(ana)).toEqual(kinds);
});

test('an invitation keeps no place, is taken by the public form, and leads to the waitlist when all is full', async () => {
  const cohort = await createPublished({ capacity: 1 });
  const { enroll, invite, acceptInvitation } = actionsOn(cohort);
  const { ana, bob, eve } = await createFive(cohort);
  await invite(start, ana);
  await invite(start, bob);
  await enroll(start, ana);
  expect(await statusOf(cohort, ana)).toBe('enrolled');
  expect(await acceptInvitation(start + 1, bob)).toMatchObject({ status: 'waitlisted' });
  await invite(start, eve);
  expect(await acceptInvitation(start + 14 * 24 * hour, eve)).toBeNull();
  expect(await statusOf(cohort, eve)).toBe('expired');
});

test('the owner lets people in over the capacity only if they say so, and each offer counts once', async () => {
  const queue = await createQueue();
  const { cohort, ana, bob, eve, zoe, enroll, add, offer, accept, leave } = queue;
  await enroll(start, zoe);
  expect(await add(start + 1, bob)).toBeNull();
  expect(await add(start + 1, bob, true)).toMatchObject({ status: 'enrolled' });
  expect(await offer(start + 2, zoe)).toBeNull();
  expect(await offer(start + 2, zoe, true)).toMatchObject({ status: 'offered' });
  expect(await accept(start + 3, zoe)).toMatchObject({ status: 'enrolled' });
  // Three people in one place: the first two to leave free none.
  await leave(start + 4, ana);
  await leave(start + 5, bob);
  expect(await statusOf(cohort, eve)).toBe('waitlisted');
  await leave(start + 6, zoe);
  expect(await statusOf(cohort, eve)).toBe('offered');
  expect(await add(start + 7, eve)).toMatchObject({ status: 'enrolled' });
  expect(await mailsOf(bob)).toEqual(['waitlisted', 'enrolled', 'left']);
});

test('more places are offered at once, and fewer take none away', async () => {
  const cohort = await createPublished({ capacity: 3 });
  const { enroll, resize } = actionsOn(cohort);
  const people = await createPeople(cohort, 8);
  for (const person of people) {
    await enroll(start, person);
  }
  await resize(start + 1, 5);
  expect(await countsOf(cohort)).toEqual({ enrolled: 3, offered: 2, waitlisted: 3 });
  await resize(start + 2, 1);
  expect(await countsOf(cohort)).toEqual({ enrolled: 3, offered: 2, waitlisted: 3 });
  await resize(start + 3, null);
  expect(await countsOf(cohort)).toEqual({ enrolled: 3, offered: 5 });
});

test('the database enforces the number of places for every kind of write', async () => {
  const cohort = await createPublished({ capacity: 1 });
  const { id } = await createEnrollment(cohort);
  const offered = { status: 'offered', expiresAt: new Date(Date.now() + 60_000) } as const;

  await expect(createEnrollment(cohort)).rejects.toThrow();
  await expect(createEnrollment(cohort, offered)).rejects.toThrow();
  const waiting = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const enrolled = { status: 'enrolled', queueNo: null } as const;
  const cause = { message: expect.stringMatching(/cohort_full/) };
  await expect(updateRow(enrollments, waiting, enrolled)).rejects.toMatchObject({ cause });
  await updateRow(enrollments, waiting, { ...enrolled, overCapacity: true });
  // Someone who is in can be changed, even to no longer count as over capacity.
  await updateRow(enrollments, { id }, { completedAt: new Date() });
  await updateRow(enrollments, waiting, { overCapacity: false });
});

const joinMode = 'approval';

test('no one is let in once the cohort is archived, not even at that very moment', async () => {
  const cohort = await createPublished({ joinMode });
  const { enroll, approve } = actionsOn(cohort);
  const people = await createPeople(cohort, 2);
  await Promise.all(people.map((person) => enroll(start, person)));
  await updateRow(cohorts, cohort, { archivedAt: new Date(start) });
  expect(await approve(start + 1, people)).toEqual([]);
  await updateRow(cohorts, cohort, { archivedAt: null });
  expect(await approve(start + 2, people)).toHaveLength(2);
});

test('no one who is approved overtakes those who wait, unless the owner goes over the capacity', async () => {
  const cohort = await createPublished({ capacity: 2, joinMode });
  const { enroll, approve, leave, add } = actionsOn(cohort);
  const { ana, bob, eve, zoe, max } = await createFive(cohort);
  await add(start, ana);
  await add(start, bob);
  for (const person of [eve, zoe, max]) {
    await enroll(start + 1, person);
  }
  await approve(start + 2, [eve]);
  expect(await statusOf(cohort, eve)).toBe('waitlisted');
  await leave(start + 3, ana);
  expect(await statusOf(cohort, eve)).toBe('offered');
  await approve(start + 4, [zoe]);
  expect(await statusOf(cohort, zoe)).toBe('waitlisted');
  await approve(start + 5, [max], true);
  expect(await statusOf(cohort, max)).toBe('enrolled');
  const isOver = and(eq(enrollments.cohortId, cohort.id), eq(enrollments.overCapacity, true));
  expect(await db.select().from(enrollments).where(isOver)).toMatchObject([{ personId: max.id }]);
  expect(await brokenRules(cohort, start + 5)).toEqual([]);
});

test('someone invited needs no decision', async () => {
  const cohort = await createPublished({ joinMode });
  const { enroll, invite } = actionsOn(cohort);
  const { ana } = await createFive(cohort);
  await invite(start, ana);
  await enroll(start + 1, ana);
  expect(await statusOf(cohort, ana)).toBe('enrolled');
});
