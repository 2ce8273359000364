import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findRequest } from '#features/people/confirm-request.ts';
import { enrollmentRequests, enrollments, people } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import {
  createCohortRow,
  createCourseRow,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, mailsTo, requestTokenIn } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { call, expectRefusal, placesOf, rightsTokenIn, tokenFor } from './rights.ts';
import { start } from './storm.ts';
import { ask, confirmPath, enrollBy, setTime } from './support.ts';

const minute = 60 * 1000;

startFresh();

/** Someone who has enrolled, and has asked for a place elsewhere with the same instructor. */
async function createAsking() {
  const resend = fakeResend();
  const { client: owner, user } = await createSignedInClient();
  await owner.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
  const other = await createCohortRow(course, { publishedAt: new Date(start), question: 'Why?' });
  const { email, token: used } = await enrollBy(resend, cohort.slug);
  const answer = crypto.randomUUID();
  await ask(other.slug, { email, question: 'Why?', answer });
  const unused = requestTokenIn(mailsTo(email, resend.accepted).at(-1));
  const [person] = await db.select().from(people).where(eq(people.emailCanonical, email));
  if (person === undefined) {
    throw new Error('No one has enrolled.');
  }
  setTime(start + minute);
  return { resend, owner, cohort, other, email, answer, person, used, unused };
}

type Asking = Awaited<ReturnType<typeof createAsking>>;

const confirm = (token: unknown, bindings = {}) =>
  createClient().request('POST', confirmPath, { token }, { bindings });

const renew = async ({ person }: Asking) =>
  call('renew-link', { token: await tokenFor('data', person) });

const waysToEnd: [string, (asking: Asking) => Promise<Response>][] = [
  ['the person renews the link', renew],
  ['the instructor renews it', ({ owner, person }) => owner.post(`/api/people/${person.id}/link/`)],
  [
    'the instructor corrects the address',
    ({ owner, person }) =>
      owner.request('PATCH', `/api/people/${person.id}/`, { email: uniqueEmail() }),
  ],
  [
    'the person proves another address',
    async ({ person, resend }) => {
      const email = uniqueEmail();
      await call('new-address', { token: await tokenFor('data', person), email });
      const proof = rightsTokenIn(mailsTo(email, resend.accepted)[0], 'address');
      return call('confirm-address', { token: proof });
    },
  ],
];

test.each(waysToEnd)('when %s, what was emailed before confirms nothing', async (_way, end) => {
  const asking = await createAsking();
  const { cohort, other, email, answer, person, used, unused } = asking;
  expect((await end(asking)).ok).toBe(true);
  await settled();
  const after = await db.select().from(people).where(eq(people.id, person.id));
  expect(after).toMatchObject([{ linkVersion: 2 }]);
  // Asking again brings none of them back.
  for (const { slug } of [cohort, other, cohort]) {
    for (const token of [used, unused]) {
      await expectRefusal(await confirm(token), 400, 'person_link_invalid');
      expect(await findRequest(contextOn(), token)).toBeNull();
    }
    setTime(Date.now() + minute);
    await ask(slug, { email });
  }

  expect(await db.select().from(people).where(eq(people.id, person.id))).toEqual(after);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, other.id))).toBe(0);
  expect(await placesOf(answer)).toEqual([]);
});

test.each(['used', 'unused'] as const)(
  'a confirmation (%s) at the moment when the links end gives no new one',
  async (which) => {
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
  },
);

test('a request of someone else stays, and so does one after the new link', async () => {
  const asking = await createAsking();
  const { resend, cohort, other, email } = asking;
  const someone = await ask(other.slug);
  expect((await renew(asking)).status).toBe(204);
  const rows = await db
    .select()
    .from(enrollmentRequests)
    .where(eq(enrollmentRequests.ownerId, cohort.ownerId));
  expect(rows).toMatchObject([{ email: someone.email }]);
  setTime(start + 2 * minute);
  await ask(other.slug, { email });
  for (const address of [someone.email, email]) {
    const token = requestTokenIn(mailsTo(address, resend.accepted).at(-1));
    expect((await confirm(token)).status).toBe(200);
  }
  await settled();
});
