import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { crons } from '#settings.ts';
import { runByClock } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import {
  clockAt,
  createCohort,
  createMeeting,
  enrollMany,
  evening,
  mailsOf,
  reminded,
} from './reminders.ts';
import { createMail, createNews, repeat } from './support.ts';

const given = startFresh();

/** What Cloudflare's paid plan allows a run: queries to D1, and other requests. */
const paid = { queries: 1_000, requests: 1_000 };

test('500 reminders are out within 15 minutes, each once, and no run comes near its limits', async () => {
  const { accepted, batches } = given.resend;
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
  const sent = (await mailsOf(cohort)).filter(({ sentAt }) => sentAt !== null);
  expect(sent).toHaveLength(500);
  expect(new Set(sent.map(({ providerId }) => providerId)).size).toBe(500);
});

test('reminders do not wait for an owner’s other emails, which wait for them', async () => {
  const { accepted } = given.resend;
  const cohort = await createCohort({ remindsStart: false });
  await createMeeting(cohort);
  const [reader] = await repeat(3, () => createEnrollment(cohort));
  const limited = { LIMITS: { bulk_mails_per_owner: ['1/h'] } } as never;
  await clockAt(evening - day, limited);
  expect(accepted).toHaveLength(3);
  const to = { toAddress: reader?.person.email ?? '', enrollmentId: reader?.id ?? null };
  await createMail({ ...to, ownerId: cohort.ownerId, kind: 'message' });
  await clockAt(evening - day + 5 * minute, limited);

  expect(accepted).toHaveLength(3);
});

const morning = Date.UTC(2026, 10, 25, 8);
const [owners, offers] = env.EVERY_CASE === '1' ? [10_000, 300] : [200, 6];
/** A paid plan at Cloudflare, and a plan at Resend that such an operator has. */
const operator = {
  REQUESTS_PER_RUN: 1_000,
  LIMITS: { cohort_mails: ['40000/h'], unasked_cohort_mails: ['30000/h'] },
};

test(`the morning of ${owners} instructors: nothing is lost or sent twice, and no offer waits`, async () => {
  const { accepted } = given.resend;
  // At eight, all have news, and offers of the night before have run out.
  await createNews(owners, morning);
  const made = { publishedAt: new Date(start), updatedAt: new Date(start) };
  const cohorts = await repeat(offers, () => createCohort(made));
  await Promise.all(cohorts.map((cohort) => enrollMany(cohort, 2)));
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(cohorts.map(({ id }) => id))}))`;
  await db.run(sql`UPDATE enrollments SET status = 'waitlisted', queue_no = 1, over_capacity = 0
    WHERE cohort_id IN ${ids} AND id LIKE '%00000002'`);
  await db.run(sql`UPDATE enrollments SET status = 'offered', expires_at = ${morning}
    WHERE cohort_id IN ${ids} AND id LIKE '%00000001'`);
  await db.run(sql`UPDATE cohorts SET capacity = 1 WHERE id IN ${ids}`);
  await db.run(sql`DELETE FROM news_due`);
  for (let time = morning; time <= morning + hour; time += 5 * minute) {
    setTime(time);
    await runByClock(operator, { cron: crons.often });
  }

  const sent = await db.all(sql`SELECT kind, count(*) AS count, max(sent_at) - ${morning} AS late
    FROM mails_due WHERE sent_at IS NOT NULL GROUP BY kind ORDER BY kind`);
  expect(sent).toEqual([
    { kind: 'offer', count: offers, late: 0 },
    { kind: 'offer_expired', count: offers, late: 0 },
    { kind: 'roster_news', count: owners, late: 0 },
  ]);
  const keys = accepted.map(({ to, subject }) => `${to} ${subject}`);
  expect(new Set(keys).size).toBe(keys.length);
  const isLost = sql`failed_at IS NOT NULL OR (sent_at IS NULL AND due_at <= ${morning + hour})`;
  expect(await db.$count(mailsDue, isLost)).toBe(0);
});
