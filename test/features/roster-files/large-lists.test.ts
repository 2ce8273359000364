import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { enrollments } from '#features/people/table.ts';
import { maxBytes } from '#features/roster-files/list-size.ts';
import { db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { startFresh } from '../people/fresh.ts';
import { start } from '../people/storm.ts';
import { refused, setTime } from '../people/support.ts';
import { createOwner, said } from './support.ts';

/** An account without a limit brings in any number. */
const proven = { LIMITS: { invitations_per_user: [] } };
const timeout = 60_000;

startFresh();

/** Lines 2 to 5,001; each tenth of the first 3,000 has a fault. */
const rows = Array.from({ length: 5_000 }, (_, index) => {
  const isFaulty = index < 3_000 && index % 10 === 9;
  return `Élodie Blanc ${'ABCDEFGHIJ'[index % 10]},${isFaulty ? 'nobody' : `person${index}`}@${isFaulty ? '' : 'example.com'},Sits in row ${index}`;
});
const list = ['name,email,note', ...rows].join('\r\n');

test('5,000 lines, 300 of them with faults, are judged exactly and imported in one batch, once', {
  timeout,
}, async () => {
  const { preview, send, cohort } = await createOwner();
  const recording = recordDatabase(env.DB);
  const options = { bindings: { ...proven, DB: recording.db } };

  const seen = await preview({ text: list }, options);
  expect(seen.body.counts).toEqual({ lines: 5_000, people: 4_700, unchanged: 0, faulty: 300 });
  expect(seen.body.summary).toEqual([
    '4,700 people will be invited.',
    '300 lines have errors and will be skipped.',
    'Their emails go out one after another, the last one in 16\u00a0hours.',
  ]);
  expect(said(seen.body)).toEqual(
    Array.from({ length: 300 }, (_, index) => `${index * 10 + 11} invalid_email -`),
  );
  const fileOfFaults = seen.body.faulty_lines?.split('\r\n') ?? [];
  expect(fileOfFaults).toHaveLength(302);
  expect(fileOfFaults[1]).toBe(
    '"Élodie Blanc J","nobody@","Sits in row 9","This is not an email address"',
  );
  recording.take();

  const done = await send({ text: list }, options);
  const { statements, trips } = recording.take();
  expect(done.body.counts.people).toBe(4_700);
  // For the session and the cohort, the limit, and all people. The other two send the first email.
  expect(trips).toBe(5);
  expect(statements.filter(({ sql }) => sql.startsWith('INSERT INTO enrollments'))).toHaveLength(1);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(4_700);
  // Each has an invitation and, later, a reminder.
  expect(await db.$count(mailsDue, eq(mailsDue.ownerId, cohort.ownerId))).toBe(9_400);

  setTime(start + 1);
  const counts = { lines: 5_000, people: 0, unchanged: 4_700, faulty: 300 };
  expect((await send({ text: list }, options)).body.counts).toEqual(counts);
  const again = recording.take();
  expect(again.trips).toBe(3);
  // That there was a list.
  const written = again.statements.reduce((sum, one) => sum + (one.rowsWritten ?? 0), 0);
  expect(written).toBe(1);

  setTime(start + 2);
  const more = Array.from({ length: 301 }, (_, index) => `N,more${index}@example.com`).join('\n');
  expect(await send({ text: more }, options)).toMatchObject(refused('too_many_people'));
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(4_700);
});

test('5,000 lines of long Cyrillic names fit into what D1 takes', { timeout }, async () => {
  const name = 'Александра Монтгомери-Смит '.repeat(3);
  const lines = Array.from({ length: 5_000 }, (_, index) => {
    const no = String(index).padStart(4, '0');
    return `${name},alexandra.montgomery${no}@students.example.org`;
  });
  const text = ['name,email', ...lines].join('\n');
  const bytes = new TextEncoder().encode(text).byteLength;
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(bytes).toBeGreaterThan(0.95 * maxBytes);
  const { send, cohort } = await createOwner();
  const recording = recordDatabase(env.DB);
  const { status, body } = await send({ text }, { bindings: { ...proven, DB: recording.db } });

  expect(status, JSON.stringify(body).slice(0, 200)).toBe(200);
  expect(body.counts).toEqual({ lines: 5_000, people: 5_000, unchanged: 0, faulty: 0 });
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(5_000);
  const sizes = recording
    .take()
    .statements.flatMap(({ params }) => params)
    .map((param) => new TextEncoder().encode(String(param)).byteLength);
  expect(Math.max(...sizes)).toBeLessThan(1_900_000);
});

test('a list that is too long, too large or no text is refused in words', { timeout }, async () => {
  const { preview } = await createOwner();
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
