import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createEnrollment } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { fakeResend } from '#support/resend.ts';
import {
  clockAt,
  createCohort,
  createMeeting,
  day,
  enrollMany,
  evening,
  made,
  mailsOf,
  reminded,
  startAt,
} from './reminders.ts';
import { createMail } from './support.ts';

const minute = 60 * 1000;

/** What Cloudflare's paid plan allows a run: queries to D1, and other requests. */
const paid = { queries: 1_000, requests: 1_000 };

startAt(made);

test('500 reminders are out within 15 minutes, each once, and no run comes near its limits', async () => {
  const { accepted, batches } = fakeResend();
  const cohort = await createCohort();
  await enrollMany(cohort, 500);
  for (let minutes = 0; minutes < 15; minutes += 5) {
    const recording = recordDatabase(env.DB);
    const before = batches.length;
    await clockAt(reminded + minutes * minute, { DB: recording.db });
    const { statements, trips } = recording.take();
    expect(statements.length).toBeLessThan(paid.queries / 10);
    expect(trips + batches.length - before).toBeLessThan(paid.requests / 10);
  }

  expect(batches.map(({ mails }) => mails.length)).toEqual([100, 100, 100, 100, 100]);
  expect(new Set(accepted.map(({ to }) => to)).size).toBe(500);
  expect(accepted).toHaveLength(500);
  const sent = (await mailsOf(cohort)).filter(({ sentAt }) => sentAt !== null);
  expect(sent).toHaveLength(500);
  expect(new Set(sent.map(({ providerId }) => providerId)).size).toBe(500);
});

test('reminders do not wait for an owner’s other emails, which wait for them', async () => {
  const { accepted } = fakeResend();
  const cohort = await createCohort({ remindsStart: false });
  await createMeeting(cohort);
  await createEnrollment(cohort);
  await createEnrollment(cohort);
  const { id, person } = await createEnrollment(cohort);
  const limited = { LIMITS: { bulk_mails_per_owner: ['1/h'] } } as never;
  await clockAt(evening - day, limited);
  expect(accepted).toHaveLength(3);
  const to = { toAddress: person.email, ownerId: cohort.ownerId, enrollmentId: id };
  await createMail({ ...to, kind: 'message' });
  await clockAt(evening - day + 5 * minute, limited);

  expect(accepted).toHaveLength(3);
});
