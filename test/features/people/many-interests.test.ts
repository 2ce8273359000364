import { env } from 'cloudflare:workers';
import { getTableColumns, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import { tellInterested } from '#features/people/tell-interested.ts';
import { crons } from '#settings.ts';
import { runByClock } from '#support/context.ts';
import { createCohortRow, db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { contextAt, start } from './storm.ts';
import { setTime } from './support.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

startFresh();

/** So many courses that someone waits for, which open at a time; of owners of their own. */
async function createAwaited(count: number, opensAt: number) {
  const numbers = sql`WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n
    WHERE no < ${count})`;
  const id = (kind: string) => sql`${`${kind}-${opensAt}-`} || no`;
  const email = sql`${id('waiting')} || '@example.com'`;
  await db.run(sql`${numbers} INSERT INTO users (id, first_name, last_name, email, email_canonical,
      email_verified_at, language, created_at)
    SELECT ${id('u')}, 'Anna', 'Martin', ${id('u')}, ${id('u')}, 1, 'en', 1 FROM n`);
  await db.run(sql`${numbers} INSERT INTO courses (id, owner_id, name, course_type, slug, created_at,
      updated_at)
    SELECT ${id('k')}, ${id('u')}, 'Writing', 'cohort', ${id('k')}, 1, 1 FROM n`);
  await db.run(sql`${numbers} INSERT INTO course_interests (id, owner_id, course_id, email,
      email_canonical, language, consent_version, created_at, confirmed_at, expires_at)
    SELECT ${id('i')}, ${id('u')}, ${id('k')}, ${email}, ${email}, 'en', 1, 1, 1, ${start + 99 * day}
    FROM n`);
  const [{ user = '' } = {}] = await db.all<{ user: string }>(sql`SELECT ${id('u')} AS user
    FROM (SELECT 1 AS no)`);
  const sample = await createCohortRow(
    { id: user.replace('u-', 'k-'), ownerId: user },
    { publishedAt: new Date(start), enrollmentOpensAt: new Date(opensAt) },
  );
  const columns = Object.values(getTableColumns(cohorts)).map(({ name }) => sql.identifier(name));
  const values = Object.values(getTableColumns(cohorts)).map(({ name }) =>
    name === 'id' || name === 'slug'
      ? id('c')
      : name === 'owner_id'
        ? id('u')
        : name === 'course_id'
          ? id('k')
          : sql`c.${sql.identifier(name)}`,
  );
  await db.run(sql`${numbers} INSERT INTO cohorts (${sql.join(columns, sql`, `)})
    SELECT ${sql.join(values, sql`, `)} FROM n JOIN cohorts c ON c.id = ${sample.id} WHERE no > 1`);
}

test('courses that are not open yet cost the clock nothing, and 300 that open are told at once', async () => {
  const { accepted } = fakeResend();
  const rowsOfRun = async () => {
    const recording = recordDatabase(env.DB);
    await runByClock({ DB: recording.db }, { cron: crons.often });
    return recording
      .take()
      .statements.reduce(
        (sum, { rowsRead = 0, rowsWritten = 0 }) => sum + (rowsRead ?? 0) + (rowsWritten ?? 0),
        0,
      );
  };
  await createAwaited(10, start + 30 * day);
  await rowsOfRun();
  const few = await rowsOfRun();
  await createAwaited(10_000, start + 31 * day);
  for (let run = 0; run < 21; run += 1) {
    await tellInterested(contextAt(start));
  }
  expect(await rowsOfRun()).toBe(few);

  await createAwaited(300, start + hour);
  for (let minutes = 0; minutes <= 15; minutes += 5) {
    setTime(start + hour + minutes * 60_000);
    await runByClock({}, { cron: crons.often });
  }
  expect(new Set(accepted.map(({ to }) => to)).size).toBe(300);
  expect(accepted).toHaveLength(300);
});
