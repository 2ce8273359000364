import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { enrollments } from '#features/people/table.ts';
import { createCohortRow, createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { noWindow } from '../cohorts/support.ts';
import { drainByClock } from '../outbox/support.ts';
import { startFresh } from '../people/fresh.ts';
import { start } from '../people/storm.ts';
import { setTime } from '../people/support.ts';
import { createOwner, listOf, listsOf, said, statusesIn } from './support.ts';

startFresh();

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Lets so many people accept an invitation that their instructor is proven. */
async function prove(cohort: Awaited<ReturnType<typeof createCohortRow>>) {
  for (let count = 0; count < 10; count += 1) {
    const expiresAt = new Date(start + day);
    const { id } = await createEnrollment(cohort, { status: 'invited', expiresAt });
    const enrolled = { status: 'enrolled', expiresAt: null } as const;
    await db.update(enrollments).set(enrolled).where(eq(enrollments.id, id));
  }
}

test('a new account brings in as many as it may invite, and the same list goes on the next day', async () => {
  const { preview, send, cohort } = await createOwner();
  const { text } = listOf(105);
  const rest =
    'Over today’s limit for new accounts: 5 people. You can import the rest from November 25 at 1:00 PM (Paris).';

  const seen = await preview({ text });
  expect(seen.body.counts).toMatchObject({ people: 100, unchanged: 5 });
  expect(seen.body.summary.slice(0, 2)).toEqual(['100 people will be invited.', rest]);
  expect(seen.body.summary[2]).toContain('one after another');
  const first = await send({ text });
  expect(first.body.counts.people).toBe(100);
  expect(first.body.summary[1]).toBe(rest);
  expect(said(first.body).slice(99, 101)).toEqual(['101 new invited', '102 over_limit -']);
  setTime(start + day - 1);
  expect((await send({ text })).body).toMatchObject({
    counts: { people: 0 },
    summary: ['Nothing has changed.', rest, '100 lines change nothing.'],
  });
  setTime(start + day);
  expect((await send({ text })).body.counts.people).toBe(5);
  expect(await statusesIn(cohort.id)).toHaveLength(105);
});

test('a proven account brings in no more strangers by lists than by hand', async () => {
  const { add, preview, send, course } = await createOwner();
  await prove(await createCohortRow(course));
  const options = { bindings: { LIMITS: { proven_invitations_per_user: ['2/d'] } } };
  const { text } = listOf(5);
  const summary = expect.arrayContaining([
    'Over today’s limit: 3 people. You can import 2 more from November 25 at 1:00 PM (Paris).',
  ]);

  expect((await preview({ text }, options)).body).toMatchObject({ counts: { people: 2 }, summary });
  expect((await send({ text }, options)).body).toMatchObject({ counts: { people: 2 }, summary });
  expect((await add({ as: 'invited' }, options)).status).toBe(429);
});

test('the rest of a list can be imported once as many others have left the day as it takes', async () => {
  const { preview, send } = await createOwner();
  const options = { bindings: { LIMITS: { invitations_per_user: ['3/d'] } } };
  const restOf = async (count: number) =>
    (await preview({ text: listOf(count).text }, options)).body.summary[1];
  await send({ text: listOf(1).text }, options);

  setTime(start + 2 * hour);
  expect(await restOf(3)).toContain(
    '1 person. You can import the rest from November 25 at 1:00 PM',
  );
  expect(await restOf(4)).toContain(
    '2 people. You can import the rest from November 25 at 3:00 PM',
  );
});

test('people who have enrolled by themselves before do not count toward the limit of strangers', async () => {
  const { send, course, cohort } = await createOwner();
  const options = { bindings: { LIMITS: { invitations_per_user: ['2/d'] } } };
  const other = await createCohortRow(course);
  const emails: string[] = [];
  for (const consentedAt of [new Date(start), null, new Date(start), null, null]) {
    const { person } = await createEnrollment(other, {}, { consentedAt, consentVersion: 1 });
    emails.push(person.email);
  }
  const text = emails.map((email) => `N,${email}`).join('\n');

  const { body } = await send({ text }, options);
  const invited = [1, 2, 3, 4].map((line) => `${line} known invited`);
  expect(said(body)).toEqual([...invited, '5 over_limit -']);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(4);
  setTime(start + 1);
  expect((await send({ text: `N,${uniqueEmail()}` }, options)).body.counts.people).toBe(0);
});

test('a list counts before it is read, also one that is refused for what is in it', async () => {
  const { send } = await createOwner();
  const options = { bindings: { LIMITS: { import_previews_per_user: ['3/h'] } } };

  expect((await send({ text: '' }, options)).body.code).toBe('import_empty');
  expect((await send({ text: 'a', and: 'more' }, options)).body.code).toBe('validation_failed');
  expect((await send({ text: listOf(1).text }, options)).status).toBe(200);
  const unread = await send({ text: 'a', and: 'more' }, options);
  expect(unread).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test('imports are limited, and what changes nothing does not count', async () => {
  const { send, course, client } = await createOwner();
  const { text } = listOf(1);
  for (let time = 0; time < 12; time += 1) {
    setTime(start + time);
    expect((await send({ text })).status).toBe(200);
  }
  for (let time = 0; time < 10; time += 1) {
    setTime(start + 100 + time);
    const cohort = await createCohortRow(course);
    const { status } = await listsOf(client, cohort.id).send({ text });
    expect(status, `import ${time + 2}`).toBe(time < 9 ? 200 : 429);
  }
});

test('a class that was imported on the first day reads that it was added, and the words of two moves', async () => {
  const { accepted } = fakeResend();
  const { cohort, post, send } = await createOwner();
  const { addresses, text } = listOf(30);
  expect((await send({ as: 'enrolled', text })).body.counts.people).toBe(30);
  let now = { starts_on: cohort.startsOn, ends_on: cohort.endsOn, time_zone: cohort.timeZone };
  let time = start;
  for (const [day, note] of [
    ['2027-01-11', 'The room is not free.'],
    ['2027-01-18', 'I am ill.'],
  ] as const) {
    const next = { ...now, starts_on: day };
    const expected = { ...now, ...noWindow };
    const moved = await post('move/', { ...next, expected, notify: true, note });
    expect(moved.status, moved.body.code).toBe(200);
    now = next;
    for (const end = time + hour; time < end; time += hour / 12) {
      setTime(time);
      await drainByClock();
    }
  }
  for (const address of addresses) {
    const [added, ...moves] = mailsTo(address, accepted);
    expect(added?.subject).toContain('has enrolled you');
    expect(moves.map((mail) => mail.text)).toEqual([
      expect.stringContaining('The room is not free.'),
      expect.stringContaining('I am ill.'),
    ]);
  }
});
