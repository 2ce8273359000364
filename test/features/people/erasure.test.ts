import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { ask as askDatabase, query } from '#db/query.ts';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { mailsDue } from '#features/outbox/table.ts';
import { findActivity } from '#features/people/find-roster.ts';
import {
  blockedAddresses,
  cohortErasures,
  enrollmentRequests,
  enrollments,
  people,
} from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo } from '#support/resend.ts';
import { complained, deliver } from '#support/webhook.ts';
import { startFresh } from './fresh.ts';
import { call, expectRefusal, linkFor, placesOf, rightsTokenIn, tokenFor } from './rights.ts';
import { start } from './storm.ts';
import { ask, setTime } from './support.ts';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

startFresh();
beforeEach(async () => {
  await db.delete(cohortErasures);
  await db.delete(blockedAddresses);
  await db.delete(enrollmentRequests);
});

/** An instructor with two full cohorts of one place each. */
async function createTwo() {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort', name: 'Writing' });
  const values = { publishedAt: new Date(start), capacity: 1, waitlist: true };
  const [first, second] = [
    await createCohortRow(course, values),
    await createCohortRow(course, values),
  ];
  return { client, user, first, second };
}

type Cohort = Awaited<ReturnType<typeof createTwo>>['first'];
type Person = Awaited<ReturnType<typeof createEnrollment>>['person'];

/** Puts a known person into another cohort. */
async function enrollToo(cohort: Cohort, person: Person, values = {}) {
  await db.insert(enrollments).values({
    id: crypto.randomUUID(),
    ownerId: cohort.ownerId,
    cohortId: cohort.id,
    personId: person.id,
    nameKey: person.nameKey,
    status: 'enrolled',
    changedBy: 'person',
    statusChangedAt: new Date(start - day),
    createdAt: new Date(start - day),
    ...values,
  });
}

async function statusOf(id: string) {
  const [row] = await db.select().from(enrollments).where(eq(enrollments.id, id));
  return row?.status;
}

/** What the owner of a cohort reads about what has happened. */
async function activityOf({ id, ownerId }: Cohort) {
  const ctx = contextOn();
  const { found } = await askDatabase(ctx, {
    found: query({ rows: findActivity(id)(ctx, sql`${ownerId}`) }, ({ rows }) => rows()),
  });
  return found;
}

test('someone who erases their data is in no table, and their places go on', async () => {
  const { accepted } = fakeResend();
  const { first, second } = await createTwo();
  const { person } = await createEnrollment(
    first,
    {},
    { name: 'Zoë Qwerty', nameKey: 'zoe qwerty' },
  );
  // In the second cohort they are offered a place, and the offer holds it.
  await enrollToo(second, person, { status: 'offered', expiresAt: new Date(start + day) });
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
  expect(accepted.map(({ to }) => to).sort()).toEqual(
    [waiting.person.email, next.person.email].sort(),
  );
  setTime(start + 2 * day);
  await drainOutbox(contextOn(), null);
  expect(mailsTo(person.email, accepted)).toEqual([]);
  expect(loggedEvents('person_erased')).toMatchObject([{ by: 'person' }]);
});

test('the instructor reads that someone has erased their data, without whom', async () => {
  const { first, second, client } = await createTwo();
  const { person } = await createEnrollment(first);
  await createEnrollment(second);
  await call('erase', { token: await tokenFor('data', person) });

  expect(await activityOf(first)).toMatchObject([{ kind: 'erased', actor: 'person' }]);
  expect((await activityOf(second)).map(({ kind }) => kind)).toEqual(['changed']);
  const other = await createEnrollment(first);
  setTime(start + minute);
  expect((await client.request('DELETE', `/api/people/${other.person.id}/`)).status).toBe(204);
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

test('an instructor erases their own people, and no one else’s', async () => {
  const { first, client } = await createTwo();
  const { first: theirs } = await createTwo();
  const mine = await createEnrollment(first);
  const other = await createEnrollment(theirs);
  for (const method of ['DELETE', 'GET'] as const) {
    const path = `/api/people/${other.person.id}/${method === 'GET' ? 'export/' : ''}`;
    await expectRefusal(await client.request(method, path), 404, 'not_found');
  }
  expect(await statusOf(other.id)).toBe('enrolled');
  expect(await db.$count(cohortErasures)).toBe(0);

  expect((await client.request('DELETE', `/api/people/${mine.person.id}/`)).status).toBe(204);
  expect(await statusOf(mine.id)).toBeUndefined();
  expect(await placesOf(mine.person.email)).toEqual([]);
  expect((await client.request('DELETE', `/api/people/${mine.person.id}/`)).status).toBe(404);
});

test('someone who was removed does not come back by being erased, until the instructor lets them in', async () => {
  const { accepted } = fakeResend();
  const { first, second, client } = await createTwo();
  const { person } = await createEnrollment(first, { status: 'removed' });
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

  const input = { as: 'invited', name: 'Grace Hopper', email: person.email };
  expect((await client.post(`/api/cohorts/${first.id}/enrollments/`, input)).status).toBe(201);
  expect(await db.$count(blockedAddresses)).toBe(0);
});

test('a request from before the erasure is not confirmed after it', async () => {
  const { accepted } = fakeResend();
  const { first } = await createTwo();
  const asked = await ask(first.slug);
  const token = /token=([\w.-]+)$/m.exec(mailsTo(asked.email, accepted)[0]?.text ?? '')?.[1];
  const { person } = await createEnrollment(
    first,
    { status: 'removed' },
    { email: asked.email, emailCanonical: asked.email },
  );
  const [request] = await db.select().from(enrollmentRequests);
  await call('erase', { token: await tokenFor('data', person) });
  if (request !== undefined) {
    // As if the erasure had come between the two trips of a confirmation.
    await db.insert(enrollmentRequests).values(request);
  }
  const confirmed = await createClient().request('POST', '/api/public/requests/confirm/', {
    token,
  });

  await expectRefusal(confirmed, 422, 'enrollment_removed');
  expect(await db.$count(people, eq(people.emailCanonical, asked.email))).toBe(0);
});

test('“Remove me” erases who was added, and keeps the instructor from writing to them again', async () => {
  const { accepted } = fakeResend();
  const { first, second, client } = await createTwo();
  const input = { as: 'enrolled', name: 'Grace Hopper', email: 'grace.removed@example.com' };
  await client.post(`/api/cohorts/${first.id}/enrollments/`, input);
  await settled();
  const [mail] = mailsTo(input.email, accepted);
  expect(mail?.text).toContain('entered your name and email address');
  expect(linkIn(mail)).toBeDefined();
  const token = rightsTokenIn(mail, 'remove');
  expect((await call('remove-me', { token })).status).toBe(204);
  expect(await placesOf(input.email)).toEqual([]);
  await expectRefusal(await call('remove-me', { token }), 400, 'rights_link_invalid');

  for (const as of ['invited', 'enrolled']) {
    const again = { ...input, as };
    const refused = await client.post(`/api/cohorts/${second.id}/enrollments/`, again);
    await expectRefusal(refused, 422, 'invitations_unwanted');
  }
  expect(await placesOf(input.email)).toEqual([]);
  // They can still enroll by themselves.
  const { email } = await ask(second.slug, { email: input.email });
  expect(mailsTo(email, accepted).at(-1)?.subject).toMatch(/^Confirm your place/);
});

test('an instructor erases no complaint about their emails: it still counts, and invites no more', async () => {
  fakeResend();
  const { first, client } = await createTwo();
  const input = { as: 'enrolled', name: 'Grace Hopper', email: 'grace.complains@example.com' };
  const path = `/api/cohorts/${first.id}/enrollments/`;
  const { person } = await (await client.post(path, input)).json<{ person: { id: string } }>();
  await settled();
  const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.toAddress, input.email));
  const event = complained(input.email);
  await deliver({ ...event, data: { ...event.data, email_id: mail?.providerId ?? '' } });
  expect((await client.request('DELETE', `/api/people/${person.id}/`)).status).toBe(204);

  expect(await placesOf(input.email)).toEqual([]);
  const refused = await client.post(path, { ...input, email: 'someone@example.com' });
  await expectRefusal(refused, 422, 'invitations_paused');
  expect(await db.select().from(blockedAddresses)).toMatchObject([{ reason: 'no_invitations' }]);
});

test('someone who was never in a cohort is forgotten like someone who has left their last', async () => {
  const { first, client } = await createTwo();
  await createEnrollment(first);
  const input = { as: 'enrolled', name: 'Grace Hopper', email: 'grace.full@example.com' };
  const refused = await client.post(`/api/cohorts/${first.id}/enrollments/`, input);
  await expectRefusal(refused, 422, 'cohort_full');
  const [row] = await db.select().from(people).where(eq(people.email, input.email));

  expect(row?.unlinkedAt).toEqual(new Date(start));
});
