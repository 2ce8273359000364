import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { crons } from '#settings.ts';
import { runByClock } from '#support/context.ts';
import { createCohortRow, createCourseRow, createUser, db } from '#support/factories.ts';
import { startFresh } from '../places/fresh.ts';
import { setTime } from '../places/support.ts';
import { enrollMany } from './reminders.ts';

const minute = 60 * 1000;
const hour = 60 * minute;
const morning = Date.UTC(2026, 10, 25, 8);
const given = startFresh();
const [owners, offers] = env.EVERY_CASE === '1' ? [10_000, 300] : [200, 6];
/** A paid plan at Cloudflare, and a plan at Resend that such an operator has. */
const operator = {
  REQUESTS_PER_RUN: 1_000,
  LIMITS: { cohort_mails: ['40000/h'], unasked_cohort_mails: ['30000/h'] },
};

/** Counts up to a number, as rows `n(no)`. */
const upTo = (count: number) =>
  sql`WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n WHERE no < ${count})`;

/** Runs the clock every five minutes. Returns when each kind of email went, in minutes. */
async function play(from: number, until: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let time = from; time <= until; time += 5 * minute) {
    setTime(time);
    await runByClock(operator, { cron: crons.often });
    const sent = await db.all<{ kind: string; count: number }>(sql`SELECT kind, count(*) AS count
      FROM mails_due WHERE sent_at = ${time} GROUP BY kind`);
    for (const { kind, count } of sent) {
      times.set(kind, [...(times.get(kind) ?? []), ...Array(count).fill((time - from) / minute)]);
    }
  }
  return times;
}

/** This many courses, each with its own owner and a cohort of two people. */
async function createCohorts(count: number) {
  const made = [];
  for (let n = 0; n < count; n += 1) {
    const owner = await createUser();
    const course = await createCourseRow(owner.id, { courseType: 'cohort' });
    const before = new Date(morning - 24 * hour);
    const cohort = await createCohortRow(course, { publishedAt: before, updatedAt: before });
    await enrollMany(cohort, 2);
    made.push(cohort.id);
  }
  return made;
}

test(`the morning of ${owners} instructors: nothing is lost or sent twice, and no offer waits`, async () => {
  const { accepted } = given.resend;
  // At eight, all have news, and offers of the night before have run out.
  await db.run(sql`${upTo(owners)} INSERT INTO users (id, first_name, last_name, email,
      email_canonical, email_verified_at, language, roster_news, created_at)
    SELECT 'owner-' || no, 'Anna', 'Martin', 'owner-' || no || '@example.com',
      'owner-' || no || '@example.com', 1, 'en', 1, 1 FROM n`);
  await db.run(sql`${upTo(owners)} INSERT INTO mails_due (id, dedupe_key, owner_id, to_address,
      to_canonical, kind, payload, due_at)
    SELECT 'news-' || no, 'news-' || no, 'owner-' || no, 'owner-' || no || '@example.com',
      'owner-' || no || '@example.com', 'roster_news',
      '{"name":"Anna","language":"en","cohorts":[]}', ${morning} FROM n`);
  const waiting = await createCohorts(offers);
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(waiting)}))`;
  await db.run(sql`UPDATE enrollments SET status = 'waitlisted', queue_no = 1, over_capacity = 0
    WHERE cohort_id IN ${ids} AND id LIKE '%00000002'`);
  await db.run(sql`UPDATE enrollments SET status = 'offered', expires_at = ${morning}
    WHERE cohort_id IN ${ids} AND id LIKE '%00000001'`);
  await db.run(sql`UPDATE cohorts SET capacity = 1 WHERE id IN ${ids}`);
  await db.run(sql`DELETE FROM news_due`);
  const early = await play(morning, morning + hour);
  expect(early.get('offer')).toHaveLength(offers);
  expect(early.get('roster_news')).toHaveLength(owners);

  // How late the last of each kind came, in minutes.
  const lasts = [...early].map(([kind, minutes]) => [kind, Math.max(...minutes)]);
  expect(Object.fromEntries(lasts)).toEqual({ offer: 0, offer_expired: 0, roster_news: 0 });
  const keys = accepted.map(({ to, subject }) => `${to} ${subject}`);
  expect(new Set(keys).size).toBe(keys.length);
  const [lost] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM mails_due
    WHERE failed_at IS NOT NULL OR (sent_at IS NULL AND due_at <= ${morning + hour})`);
  expect(lost?.count).toBe(0);
});
