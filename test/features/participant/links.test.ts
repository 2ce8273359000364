import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollmentRequests, enrollments, people } from '#db/schema/people.ts';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { requireFound } from '#lib/app-error.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { day, minute } from '#support/days.ts';
import { createCohortRow, createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { linkIn, mailsTo, requestTokenIn } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, createPublished, start } from '../places/storm.ts';
import {
  ask,
  confirmPath,
  createOwner,
  enrollBy,
  participate,
  personRow,
  setTime,
} from '../places/support.ts';
import {
  call,
  expectRefusal,
  linkFor,
  placesOf,
  rightsTokenIn,
  tokenFor,
} from '../rights/rights.ts';

const given = startFresh();

const mailsFor = (email: string) => mailsTo(email, given.resend.accepted);

test('someone ends all their links by the one to their data, and gets a new one by email', async () => {
  const { id, person } = await createEnrollment(await createPublished());
  const [old, token] = [await linkFor(person), await tokenFor('data', person)];
  expect((await call('renew-link', { token })).status).toBe(204);

  const [mail, ...others] = mailsFor(person.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Your new link for Writing');
  expect(await participate('leave', old, id)).toMatchObject({ status: 400 });
  for (const path of ['data', 'erase', 'renew-link']) {
    await expectRefusal(await call(path, { token }), 400, 'rights_link_invalid');
  }
  const left = await participate('leave', linkIn(mail), id);
  expect(left).toMatchObject({ status: 200, body: { status: 'left' } });
});

test('a new link names all cohorts of its person, the newest first, but those that are gone', async () => {
  const cohort = await createPublished();
  const course = { id: cohort.courseId, ownerId: cohort.ownerId };
  const { person } = await createEnrollment(cohort);
  for (const [name, startsOn, values, status] of [
    ['In fall', '2027-09-06', {}, 'enrolled'],
    ['In summer', '2027-06-07', {}, 'left'],
    ['In the trash', '2027-05-03', { deletedAt: new Date(start) }, 'enrolled'],
    ['Removed from', '2027-05-04', {}, 'removed'],
  ] as const) {
    const days = { name, startsOn, endsOn: startsOn };
    const other = await createCohortRow(course, { ...days, ...values });
    await createEnrollment(other, { personId: person.id, status });
  }
  await call('renew-link', { token: await tokenFor('data', person) });

  const [mail] = mailsFor(person.email);
  expect(mail?.subject).toBe('Your new link');
  const lines = mail?.text?.split('\n').filter((line) => line.startsWith('Writing: '));
  expect(lines).toEqual(['In fall', 'In summer', cohort.name].map((name) => `Writing: ${name}`));
});

test('asked twice at once, one new link is sent', async () => {
  const { person } = await createEnrollment(await createPublished());
  const token = await tokenFor('data', person);
  const renew = (bindings = {}) =>
    createClient().request('POST', '/api/participation/renew-link/', { token }, { bindings });
  const DB = beforeWriting(async () => {
    setTime(start + minute);
    expect((await renew()).status).toBe(204);
  });
  const late = await renew({ DB });
  await settled();
  await expectRefusal(late, 400, 'rights_link_invalid');

  expect(mailsFor(person.email)).toHaveLength(1);
});

test('a dead link gets a new one by email, for its own address alone, and the answer is always the same', async () => {
  const { accepted } = given.resend;
  const { id, person } = await createEnrollment(await createPublished());
  const dead = `${person.id}.${'0'.repeat(64)}`;
  const renew = async (link: unknown, email: string) =>
    (await call('new-link', { link, email })).status;
  expect(await renew(dead, 'someone.else@example.com')).toBe(202);
  expect(await renew('nothing', person.email)).toBe(202);
  expect(accepted).toEqual([]);
  expect(await renew(dead, person.email.toUpperCase())).toBe(202);

  expect(accepted.map(({ subject }) => subject)).toEqual(['Your new link for Writing']);
  expect((await participate('leave', linkIn(accepted[0]), id)).status).toBe(200);
});

test('an email that was written before has the new link, made by the instructor or by the person', async () => {
  const { add, post } = await createOwner();
  const { body, email } = await add({ as: 'invited' });
  const { id, person } = body;
  setTime(start + minute);
  expect((await post(`/api/people/${person.id}/link/`)).status).toBe(204);
  setTime(start + 2 * minute);
  const token = await tokenFor('data', { id: person.id, linkVersion: 2 });
  expect((await call('renew-link', { token })).status).toBe(204);

  const isReminder = and(eq(mailsDue.enrollmentId, id), eq(mailsDue.kind, 'invitation_reminder'));
  const [reminder] = await db.select().from(mailsDue).where(isReminder);
  setTime(start + 12 * day);
  await drainOutbox(contextAt(start + 12 * day), [reminder?.id ?? '']);
  expect(mailsFor(email)).toHaveLength(4);
  const last = mailsFor(email).at(-1);
  expect(last?.subject).toContain('Your invitation to Writing expires');
  const accepting = await participate('accept', linkIn(last), id);
  expect(accepting).toMatchObject({ status: 200, body: { status: 'enrolled' } });
});

test('an owner sends an address three links a day, also if its person is erased and added again', async () => {
  const [owner, other] = [await createOwner(), await createOwner()];
  const email = uniqueEmail();
  const pathOf = async ({ add }: typeof owner) =>
    `/api/people/${(await add({ email })).body.person.id}/`;
  const first = await pathOf(owner);
  for (let n = 0; n < 3; n += 1) {
    setTime(start + n * minute);
    expect((await owner.post(`${first}link/`)).status).toBe(204);
  }
  expect((await owner.send('DELETE', first)).status).toBe(204);
  expect((await owner.post(`${await pathOf(owner)}link/`)).status).toBe(429);
  expect((await other.post(`${await pathOf(other)}link/`)).status).toBe(204);
  const links = mailsFor(email).filter(({ subject }) => subject === 'Your new link for Writing');
  expect(links).toHaveLength(4);
});

/** Someone who has enrolled, and has asked for a place elsewhere with the same instructor. */
async function createAsking() {
  const owner = await createOwner();
  const { cohort, course } = owner;
  const published = { publishedAt: new Date(start), question: 'Why?' };
  const other = await createCohortRow(course, published);
  const { email, token: used } = await enrollBy(given.resend, cohort.slug);
  const answer = crypto.randomUUID();
  await ask(other.slug, { email, question: 'Why?', answer });
  const unused = requestTokenIn(mailsFor(email).at(-1));
  const isTheirs = eq(people.emailCanonical, email);
  const person = requireFound(await db.select().from(people).where(isTheirs).get());
  setTime(start + minute);
  return { ...owner, other, email, answer, person, used, unused };
}

type Asking = Awaited<ReturnType<typeof createAsking>>;

const confirm = (token: unknown, bindings = {}) =>
  createClient().request('POST', confirmPath, { token }, { bindings });

const renew = async ({ person }: Asking) =>
  call('renew-link', { token: await tokenFor('data', person) });

const waysToEnd: Record<string, (asking: Asking) => Promise<{ status: number }>> = {
  'the person renews the link': renew,
  'the instructor renews it': ({ post, person }) => post(`/api/people/${person.id}/link/`),
  'the instructor corrects the address': ({ send, person }) =>
    send('PATCH', `/api/people/${person.id}/`, { email: uniqueEmail() }),
  'the person proves another address': async ({ person }) => {
    const email = uniqueEmail();
    await call('new-address', { token: await tokenFor('data', person), email });
    return call('confirm-address', { token: rightsTokenIn(mailsFor(email)[0], 'address') });
  },
};

test.each(Object.entries(waysToEnd))(
  'when %s, what was emailed before confirms nothing',
  async (_, end) => {
    const asking = await createAsking();
    const { cohort, other, email, answer, person, used, unused } = asking;
    expect((await end(asking)).status).toBeLessThan(300);
    const after = await personRow(person.id);
    expect(after).toMatchObject({ linkVersion: 2 });
    // Asking again brings none of them back.
    for (const { slug } of [cohort, other, cohort]) {
      for (const token of [used, unused]) {
        await expectRefusal(await confirm(token), 400, 'person_link_invalid');
        expect(await findRequest(contextOn(), token)).toBeNull();
      }
      setTime(Date.now() + minute);
      await ask(slug, { email });
    }

    expect(await personRow(person.id)).toEqual(after);
    expect(await db.$count(enrollments, eq(enrollments.cohortId, other.id))).toBe(0);
    expect(await placesOf(answer)).toEqual([]);
  },
);

test('a confirmation at the moment when the links end gives no new one', async () => {
  for (const which of ['used', 'unused'] as const) {
    const asking = await createAsking();
    const token = await tokenFor('data', asking.person);
    const DB = beforeWriting(async () => {
      const path = '/api/participation/renew-link/';
      expect((await createClient().request('POST', path, { token })).status).toBe(204);
    });
    await expectRefusal(await confirm(asking[which], { DB }), 400, 'person_link_invalid');
    await settled();
    const { id } = asking.other;
    expect(await db.$count(enrollments, eq(enrollments.cohortId, id))).toBe(0);
    setTime(start);
  }
});

test('a request of someone else stays, and so does one after the new link', async () => {
  const asking = await createAsking();
  const { cohort, other, email } = asking;
  const someone = await ask(other.slug);
  expect((await renew(asking)).status).toBe(204);
  const isOwners = eq(enrollmentRequests.ownerId, cohort.ownerId);
  const rows = await db.select().from(enrollmentRequests).where(isOwners);
  expect(rows).toMatchObject([{ email: someone.email }]);
  setTime(start + 2 * minute);
  await ask(other.slug, { email });
  for (const address of [someone.email, email]) {
    expect((await confirm(requestTokenIn(mailsFor(address).at(-1)))).status).toBe(200);
  }
  await settled();
});
