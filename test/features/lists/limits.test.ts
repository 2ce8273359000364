import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { day } from '#support/days.ts';
import { createCohortRow, createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { updateRow } from '#support/rows.ts';
import { enrollMany } from '../letters/reminders.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import { createOwner, listOf, listsOf, said, statusesIn } from './support.ts';

startFresh();

/** Lets so many people accept an invitation that their instructor is proven. */
async function prove(cohort: Awaited<ReturnType<typeof createCohortRow>>) {
  for (let count = 0; count < 10; count += 1) {
    const expiresAt = new Date(start + day);
    const invited = await createEnrollment(cohort, { status: 'invited', expiresAt });
    await updateRow(enrollments, invited, { status: 'enrolled', expiresAt: null });
  }
}

test('a new account brings in as many as it may invite, and the same list goes on the next day', async () => {
  const { preview, importList, cohort } = await createOwner();
  const { text } = listOf(105);
  const rest =
    'Over today’s limit for new accounts: 5 people. You can import the rest from November 25 at 1:00 PM (Paris).';

  const seen = await preview({ text });
  expect(seen.body.counts).toMatchObject({ people: 100, unchanged: 5 });
  expect(seen.body.summary.slice(0, 2)).toEqual(['100 people will be invited.', rest]);
  expect(seen.body.summary.at(-1)).toContain('one after another');
  const first = await importList({ text });
  expect(first.body.counts.people).toBe(100);
  expect(first.body.summary[1]).toBe(rest);
  expect(said(first.body).slice(99, 101)).toEqual(['101 new invited', '102 over_limit -']);
  setTime(start + day - 1);
  expect((await importList({ text })).body).toMatchObject({
    counts: { people: 0 },
    summary: ['Nothing has changed.', rest, '100 lines change nothing.'],
  });
  setTime(start + day);
  expect((await importList({ text })).body.counts.people).toBe(5);
  expect(await statusesIn(cohort.id)).toHaveLength(105);
});

test('a proven account brings in no more strangers by lists than by hand', async () => {
  const { add, preview, importList, course } = await createOwner();
  await prove(await createCohortRow(course));
  const options = { bindings: { LIMITS: { proven_invitations_per_user: ['2/d'] } } };
  const { text } = listOf(5);
  const summary = expect.arrayContaining([
    'Over today’s limit: 3 people. You can import 2 more from November 25 at 1:00 PM (Paris).',
  ]);

  expect((await preview({ text }, options)).body).toMatchObject({ counts: { people: 2 }, summary });
  expect((await importList({ text }, options)).body).toMatchObject({
    counts: { people: 2 },
    summary,
  });
  expect((await add({ as: 'invited' }, options)).status).toBe(429);
});

test('people who have enrolled by themselves before do not count toward the limit of strangers', async () => {
  const { importList, course, cohort } = await createOwner();
  const options = { bindings: { LIMITS: { invitations_per_user: ['2/d'] } } };
  const other = await createCohortRow(course);
  const emails: string[] = [];
  for (const consentedAt of [new Date(start), null, new Date(start), null, null]) {
    const { person } = await createEnrollment(other, {}, { consentedAt, consentVersion: 1 });
    emails.push(person.email);
  }
  const text = emails.map((email) => `N,${email}`).join('\n');

  const { body } = await importList({ text }, options);
  const invited = [1, 2, 3, 4].map((line) => `${line} known invited`);
  expect(said(body)).toEqual([...invited, '5 over_limit -']);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(4);
  setTime(start + 1);
  expect((await importList({ text: `N,${uniqueEmail()}` }, options)).body.counts.people).toBe(0);
});

test('a list counts before it is read, also one that is refused for what is in it', async () => {
  const { importList } = await createOwner();
  const options = { bindings: { LIMITS: { import_previews_per_user: ['3/h'] } } };

  expect((await importList({ text: '' }, options)).body.code).toBe('import_empty');
  expect((await importList({ text: 'a', and: 'more' }, options)).body.code).toBe(
    'validation_failed',
  );
  expect((await importList({ text: listOf(1).text }, options)).status).toBe(200);
  const unread = await importList({ text: 'a', and: 'more' }, options);
  expect(unread).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test('imports are limited, and what changes nothing does not count', async () => {
  const { course, client } = await createOwner();
  const { text } = listOf(1);
  const options = { bindings: { LIMITS: { imports_per_user: ['2/h'] } } };
  let time = start;
  const importInto = async (cohort: { id: string }) => {
    time += 1;
    setTime(time);
    return (await listsOf(client, cohort.id).importList({ text }, options)).status;
  };
  const first = await createCohortRow(course);
  for (let count = 0; count < 4; count += 1) {
    expect(await importInto(first)).toBe(200);
  }
  expect(await importInto(await createCohortRow(course))).toBe(200);
  expect(await importInto(await createCohortRow(course))).toBe(429);
});

/** An account without a limit brings in any number. */
const proven = { LIMITS: { invitations_per_user: [] } };

/** The lines of a list below its first, each tenth of most of them with a fault. */
function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const isFaulty = index < count * 0.6 && index % 10 === 9;
    const name = `Élodie Blanc ${'ABCDEFGHIJ'[index % 10]}`;
    return `${name},${isFaulty ? 'nobody@' : `person${index}@example.com`},Sits in row ${index}`;
  });
}

// At night as many as a list can have.
const count = env.EVERY_CASE === '1' ? 5_000 : 500;
const [faulty, people] = [count * 0.06, count * 0.94];

test(`${count} lines, some of them with faults, are judged exactly and imported in one batch, once`, async () => {
  const { preview, importList, cohort } = await createOwner();
  const text = ['name,email,note', ...linesOf(count)].join('\r\n');
  const recording = recordDatabase(env.DB);
  const options = { bindings: { ...proven, DB: recording.db } };

  const seen = await preview({ text }, options);
  expect(seen.body.counts).toEqual({ lines: count, people, unchanged: 0, faulty });
  expect(seen.body.summary).toEqual([
    expect.stringMatching(/ people will be invited\.$/),
    expect.stringMatching(/^Names to be saved/),
    expect.stringMatching(/ lines have errors and will be skipped\.$/),
    expect.stringMatching(/^Their emails go out one after another, the last one in /),
  ]);
  expect(said(seen.body)).toEqual(
    Array.from({ length: faulty }, (_, index) => `${index * 10 + 11} invalid_email -`),
  );
  expect(seen.body.faulty_lines?.split('\r\n')).toHaveLength(faulty + 2);
  recording.take();

  const done = await importList({ text }, options);
  const { statements, trips } = recording.take();
  expect(done.body.counts.people).toBe(people);
  // For the session and the cohort, the limit, and all people. The other two send the first email.
  expect(trips).toBe(5);
  expect(statements.filter(({ sql }) => sql.startsWith('INSERT INTO enrollments'))).toHaveLength(1);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(people);
  // Each has an invitation and, later, a reminder.
  expect(await db.$count(mailsDue, eq(mailsDue.ownerId, cohort.ownerId))).toBe(2 * people);

  setTime(start + 1);
  const counts = { lines: count, people: 0, unchanged: people, faulty };
  expect((await importList({ text }, options)).body.counts).toEqual(counts);
  const again = recording.take();
  expect(again.trips).toBe(3);
  // The row that says that there was a list.
  const written = again.statements.reduce((sum, one) => sum + (one.rowsWritten ?? 0), 0);
  expect(written).toBe(1);
});

test('a cohort takes no list with more people than it can have', async () => {
  const { importList, cohort } = await createOwner();
  await enrollMany(cohort, 4_999);
  const options = { bindings: proven };
  const { text } = listOf(2);
  expect(await importList({ text, as: 'invited' }, options)).toMatchObject(
    refused('too_many_people'),
  );
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(4_999);
});

test('a list that is too long, too large or no text is refused in words', async () => {
  const { preview } = await createOwner();
  const list = ['name,email,note', ...linesOf(5_000)].join('\r\n');
  const more = `${list}\r\nOne more,more@example.com`;
  expect(await preview({ text: more }, { bindings: proven })).toMatchObject({
    status: 400,
    body: {
      code: 'import_too_many_rows',
      message: 'A list can have up to 5,000 lines. Please split it.',
    },
  });
  expect((await preview({ text: `${list}\r\n\r\n` }, { bindings: proven })).status).toBe(200);
  const large = await preview({ text: 'a,b\n'.repeat(275_000) });
  expect(large).toMatchObject(refused('import_too_large', 413));
  expect(large.body.message).toBe('A list can be up to 1 MB. Please split it.');
  // The server does not even read so much.
  const huge = await preview({ text: 'a,b\n'.repeat(600_000) });
  expect(huge).toMatchObject(refused('body_too_large', 413));
  const image = await preview({ text: '\u2030PNG\r\n\u001a\n\0\0\0\rIHDR' });
  expect([image.status, image.body.message]).toEqual([
    400,
    'This is not a text file. Please save your list as CSV, and choose that file.',
  ]);
});
