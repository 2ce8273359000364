import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { settled } from '#support/background.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from '../people/fresh.ts';
import { start } from '../people/storm.ts';
import { createDue, createMail, mailRow } from './support.ts';

startFresh();

test('an account’s outbox goes with it, except the emails that cancel its cohorts', async () => {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
  const told: string[] = [];
  for (const values of [
    { status: 'enrolled' },
    { status: 'applied' },
    { status: 'waitlisted', queueNo: 1 },
  ] as const) {
    told.push((await createEnrollment(cohort, values)).person.email);
  }
  await createEnrollment(cohort, { status: 'refused' });
  const due = { ownerId: user.id, cohortId: cohort.id, toAddress: told[0] ?? '' };
  const ends = new Date(start + 60_000);
  await createMail(due);
  await createMail({ ...due, dueAt: ends });
  await createMail({ ...due, sentAt: new Date(start - 1) });
  await createMail({ ...due, kind: 'roster_news' });
  await createMail({ ...due, kind: 'cohort_cancelled', failedAt: new Date(start - 1) });
  const waiting = await createMail({ ...due, kind: 'cohort_cancelled', dueAt: ends });
  const neighbor = await createDue({ dueAt: ends });
  const removed = await client.request('DELETE', `/api/accounts/${user.id}/`);
  expect(removed.status).toBe(204);
  await settled();

  expect(accepted.map(({ to }) => to).sort()).toEqual(told.toSorted());
  for (const { subject, text, from } of accepted) {
    expect(subject).toContain('Canceled');
    expect(from).toContain('Anna Martin');
    expect(text).not.toContain('/p/');
  }
  const rows = await db.select().from(mailsDue).orderBy(asc(mailsDue.kind));
  expect(rows.map(({ kind, ownerId }) => `${kind} of ${ownerId}`)).toEqual([
    ...Array.from({ length: 4 }, () => 'cohort_cancelled of null'),
    `enrolled of ${neighbor.ownerId}`,
  ]);
  expect(await mailRow(waiting.id)).toMatchObject({ sentAt: null, failedAt: null });
  expect(await db.$count(mailsDue, eq(mailsDue.ownerId, user.id))).toBe(0);
});
