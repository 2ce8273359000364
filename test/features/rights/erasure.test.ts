import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { ask as askDatabase } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import {
  blockedAddresses,
  cohortErasures,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { findActivity } from '#features/roster/find-roster.ts';
import { crons } from '#settings.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn, runByClock } from '#support/context.ts';
import { minute } from '#support/days.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { linkIn, mailsTo, requestTokenIn } from '#support/resend.ts';
import { complained, deliver } from '#support/webhook.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import {
  ask,
  confirmPath,
  createOwner,
  enrollmentRow,
  personRow,
  refused,
  setTime,
} from '../places/support.ts';
import { call, expectRefusal, linkFor, placesOf, rightsTokenIn, tokenFor } from './rights.ts';

const day = 24 * 60 * minute;
const given = startFresh();
beforeEach(async () => {
  await db.delete(cohortErasures);
  await db.delete(blockedAddresses);
  await db.delete(enrollmentRequests);
});

/** An instructor with two full cohorts of one place each. */
async function createTwo() {
  const values = { publishedAt: new Date(start), capacity: 1, waitlist: true };
  const owner = await createOwner(values);
  return { ...owner, first: owner.cohort, second: await createCohortRow(owner.course, values) };
}

type Cohort = Awaited<ReturnType<typeof createTwo>>['first'];

async function statusOf(id: string) {
  return (await enrollmentRow(id))?.status;
}

/** What the owner of a cohort reads about what has happened. */
async function activityOf({ id, ownerId }: Cohort) {
  const ctx = contextOn();
  const { rows } = await askDatabase(ctx, { rows: findActivity(id)(ctx, sql`${ownerId}`) });
  return rows;
}

test('someone who erases their data is in no table, and their places go on', async () => {
  const { accepted } = given.resend;
  const { first, second } = await createTwo();
  const { person } = await createEnrollment(first, {}, { name: 'Zoë Qwerty' });
  // In the second cohort they are offered a place, and the offer holds it.
  const offered = { status: 'offered', expiresAt: new Date(start + day) } as const;
  await createEnrollment(second, { personId: person.id, ...offered });
  const waiting = await createEnrollment(first, { status: 'waitlisted', queueNo: 1 });
  const next = await createEnrollment(second, { status: 'waitlisted', queueNo: 1 });
  // They ask again, and an email to them is due.
  await ask(first.slug, { email: person.email });
  await call('new-link', { link: await linkFor(person), email: person.email });
  await db.update(mailsDue).set({ sentAt: null, dueAt: new Date(start + day), attempts: 0 });
  await call('data-link', { link: await linkFor(person) });
  const token = rightsTokenIn(mailsTo(person.email, accepted).at(-1), 'data');
  expect((await placesOf(person.email)).length).toBeGreaterThan(3);
  accepted.length = 0;
  expect((await call('erase', { token })).status).toBe(204);

  expect(await placesOf(person.email)).toEqual([]);
  expect(await placesOf(person.id)).toEqual([]);
  expect(await placesOf('qwerty')).toEqual([]);
  expect([await statusOf(waiting.id), await statusOf(next.id)]).toEqual(['offered', 'offered']);
  const served = [waiting.person.email, next.person.email];
  expect(accepted.map(({ to }) => to).sort()).toEqual(served.sort());
  setTime(start + 2 * day);
  await drainOutbox(contextOn(), null);
  expect(mailsTo(person.email, accepted)).toEqual([]);
  expect(loggedEvents('person_erased')).toMatchObject([{ by: 'person' }]);
});

test('the instructor reads that someone has erased their data, without whom, or that they did', async () => {
  const { first, second, send } = await createTwo();
  const { person } = await createEnrollment(first);
  await createEnrollment(second);
  await call('erase', { token: await tokenFor('data', person) });

  expect(await activityOf(first)).toMatchObject([{ kind: 'erased', actor: 'person' }]);
  expect((await activityOf(second)).map(({ kind }) => kind)).toEqual(['changed']);
  const other = await createEnrollment(first);
  setTime(start + minute);
  const path = `/api/people/${other.person.id}/`;
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('DELETE', path)).status).toBe(404);
  expect(await placesOf(other.person.email)).toEqual([]);
  expect(await activityOf(first)).toMatchObject([{ actor: 'owner' }, { actor: 'person' }]);
});

test('an erasure leaves what other instructors keep of the same address, and other people', async () => {
  const { first } = await createTwo();
  const { first: elsewhere } = await createTwo();
  const { person } = await createEnrollment(first);
  const { person: same } = await createEnrollment(elsewhere, {}, { email: person.email });
  const neighbor = await createEnrollment(first, { status: 'left' });
  await call('new-link', { link: await linkFor(same), email: same.email });
  await call('erase', { token: await tokenFor('data', person) });

  expect(await placesOf(person.email)).toEqual([
    'mails_due.to_address',
    'mails_due.to_canonical',
    'people.email',
    'people.email_canonical',
  ]);
  expect(await db.$count(people, eq(people.id, same.id))).toBe(1);
  expect(await statusOf(neighbor.id)).toBe('left');
});

test.each(['removed', 'refused'] as const)(
  'someone who was %s does not come back by being erased, until the instructor lets them in',
  async (status) => {
    const { accepted } = given.resend;
    const { first, second, add } = await createTwo();
    const { person } = await createEnrollment(first, { status });
    const { response: before } = await ask(first.slug, { email: person.email });
    await call('erase', { token: await tokenFor('data', person) });
    accepted.length = 0;
    const { response } = await ask(first.slug, { email: person.email });

    // The same answer as for everyone, and the email says the rest.
    expect([before.status, await before.json()]).toEqual([response.status, await response.json()]);
    expect(accepted.map(({ subject }) => subject.split(' ', 2))).toEqual([['Your', 'request']]);
    // They were never removed from the other cohort.
    await ask(second.slug, { email: person.email });
    expect(accepted.at(-1)?.subject).toMatch(/^Confirm your place/);

    expect((await add({ as: 'invited', email: person.email })).status).toBe(201);
    expect(await db.$count(blockedAddresses)).toBe(0);
  },
);

test('a request from before the erasure is not confirmed after it', async () => {
  const { accepted } = given.resend;
  const { first } = await createTwo();
  const { email } = await ask(first.slug);
  const token = requestTokenIn(mailsTo(email, accepted)[0]);
  const { person } = await createEnrollment(first, { status: 'removed' }, { email });
  const [request] = await db.select().from(enrollmentRequests);
  await call('erase', { token: await tokenFor('data', person) });
  if (request !== undefined) {
    // As if the erasure had come between the two trips of a confirmation.
    await db.insert(enrollmentRequests).values(request);
  }
  const confirmed = await createClient().request('POST', confirmPath, { token });

  await expectRefusal(confirmed, 422, 'enrollment_removed');
  expect(await db.$count(people, eq(people.emailCanonical, email))).toBe(0);
});

test('“Remove me” erases who was added, and keeps the instructor from writing to them again', async () => {
  const { accepted } = given.resend;
  const { second, add, post } = await createTwo();
  const { email: address } = await add();
  const [mail] = mailsTo(address, accepted);
  expect(mail?.text).toContain('entered your name and email address');
  expect(linkIn(mail)).toBeDefined();
  const token = rightsTokenIn(mail, 'remove');
  expect((await call('remove-me', { token })).status).toBe(204);
  expect(await placesOf(address)).toEqual([]);
  await expectRefusal(await call('remove-me', { token }), 400, 'rights_link_invalid');

  for (const as of ['invited', 'enrolled']) {
    const again = { as, name: 'Grace Hopper', email: address };
    const answer = await post(`/api/cohorts/${second.id}/enrollments/`, again);
    expect(answer).toMatchObject(refused('invitations_unwanted'));
  }
  expect(await placesOf(address)).toEqual([]);
  // They can still enroll by themselves.
  await ask(second.slug, { email: address });
  expect(mailsTo(address, accepted).at(-1)?.subject).toMatch(/^Confirm your place/);
});

test('an instructor erases no complaint about their emails: it still counts, and invites no more', async () => {
  const { add, send } = await createTwo();
  const { body, email } = await add();
  const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.toAddress, email));
  const event = complained(email);
  await deliver({ ...event, data: { ...event.data, email_id: mail?.providerId ?? '' } });
  expect((await send('DELETE', `/api/people/${body.person.id}/`)).status).toBe(204);

  expect(await placesOf(email)).toEqual([]);
  expect(await add()).toMatchObject(refused('invitations_paused'));
  expect(await db.select().from(blockedAddresses)).toMatchObject([{ reason: 'no_invitations' }]);
});

test('people are removed 30 days after their last cohort was deleted, and not before', async () => {
  // The trigger has the clock of the database.
  vi.useRealTimers();
  const job = jobs.filter(({ name }) => name === 'removal of people');
  const removePeople = () => runByClock({}, { cron: crons.nightly, jobs: job });
  const { first, second } = await createTwo();
  await db.update(cohorts).set({ capacity: null }).where(eq(cohorts.ownerId, first.ownerId));
  const { person } = await createEnrollment(first);
  const { person: inBoth } = await createEnrollment(first);
  await createEnrollment(second, { personId: inBoth.id });
  const { person: returned, ...last } = await createEnrollment(first);

  await db.delete(cohorts).where(eq(cohorts.id, first.id));
  await db.insert(enrollments).values({ ...last, cohortId: second.id });
  setTime(Date.now() + 30 * day - minute);
  await removePeople();
  expect(await personRow(person.id)).toBeDefined();

  setTime(Date.now() + 2 * minute);
  await removePeople();
  expect(await personRow(person.id)).toBeUndefined();
  expect(await personRow(inBoth.id)).toBeDefined();
  expect(await personRow(returned.id)).toBeDefined();
  expect(loggedEvents('people_removed').at(-1)).toMatchObject({ is_done: true });
});
