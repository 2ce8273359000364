import { createEmulator } from 'emulate';
import { crons } from '../src/settings.ts';
import { median, printTable } from './figures.ts';
import { homeOf, withLectern } from './lectern.ts';
import type { Database, SignedIn } from './people.ts';
import { cpuMilliseconds, cpuOf, requireProcessAccounting, type Workerd } from './workerd.ts';

const rounds = 7;
const requests = 50;
const warmUpRuns = 10;
const dayMs = 24 * 60 * 60 * 1000;

/** How many people one run reminds: none, as most do, one group, and what three batches take. */
const groups = [0, 20, 300];

/**
 * Prints the CPU that a run of the clock takes which makes and sends reminders, beside that of a
 * page. With the database, which is in the same process here and another one at Cloudflare.
 */
export async function benchClock(): Promise<void> {
  requireProcessAccounting();
  const resend = await createEmulator({ service: 'resend', port: 0 });
  const settings = {
    resendPort: Number(new URL(resend.url).port),
    limits: { cohort_mails: [], unasked_cohort_mails: [], cohort_mails_per_address: [] },
  };
  await withLectern(settings, async ({ workerd, address, database, person }) => {
    await addGroup(database, person, Math.max(...groups));
    const rows: string[][] = [];
    for (const ask of [homeOf(person), { ...homeOf(person), path: '/cohorts/group/schedule' }]) {
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        times.push(await cpuOf(workerd, address, ask, requests));
      }
      // The first one is a warm-up.
      rows.push([`the page ${ask.path}`, median(times.slice(1)).toFixed(1)]);
    }
    for (const people of groups) {
      const times: number[] = [];
      for (let round = 0; round < warmUpRuns + rounds; round += 1) {
        await makeDue(database, people);
        const before = cpuMilliseconds(workerd.pid);
        await run(workerd);
        times.push(cpuMilliseconds(workerd.pid) - before);
        await requireSent(database, people);
      }
      const words = `a run that makes and sends ${people} reminders`;
      rows.push([words, median(times.slice(warmUpRuns)).toFixed(0)]);
    }
    printTable(['what', 'ms of CPU'], rows);
  }).finally(() => resend.close());
}

async function run({ miniflare }: Workerd): Promise<void> {
  const worker = await miniflare.getWorker('lectern');
  await worker.scheduled({ cron: crons.often });
}

/** A published cohort with as many people, and one live session. */
async function addGroup(database: Database, { courseIds }: SignedIn, count: number): Promise<void> {
  const now = Date.now();
  const made = now - 7 * dayMs;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  await database.batch([
    database
      .prepare(
        `INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on, time_zone,
          starts_at, ends_at, join_mode, waitlist, offer_hours, shows_minimum, shows_places_left,
          language, slug, published_at, created_at, updated_at)
        SELECT 'group', owner_id, id, 'Group', ?1, ?2, 'Europe/Paris', ?3, ?4, 'open', 1, 48, 0, 1,
          'en', 'group', ?3, ?3, ?3 FROM courses WHERE id = ?5`,
      )
      .bind(dayOf(made), dayOf(now + 30 * dayMs), made, now + 30 * dayMs, courseIds[0]),
    database
      .prepare(
        `INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local, duration_minutes,
          starts_at, created_at, updated_at)
        SELECT 'session', owner_id, id, 'Session', ?1, 90, ?2, ?3, ?3 FROM cohorts`,
      )
      .bind(`${dayOf(now + dayMs)}T18:00`, now + dayMs, made),
    database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source,
          link_version, created_at, updated_at)
        SELECT lower(hex(randomblob(16))), owner_id, 'p' || i || '@example.com',
          'p' || i || '@example.com', 'Person ' || i, 'person ' || i, 'en', 'added', 1, ?2, ?2
        FROM n, cohorts`,
      )
      .bind(count, made),
    database
      .prepare(
        `INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, changed_by,
          status_changed_at, created_at)
        SELECT 'e' || id, owner_id, 'group', id, name_key, 'enrolled', 'owner', ?1, ?1 FROM people`,
      )
      .bind(made),
  ]);
}

/** A reminder of the session is due for so many people, and no email was sent. */
async function makeDue(database: Database, people: number): Promise<void> {
  await database.batch([
    database.prepare('DELETE FROM mails_due'),
    database
      .prepare(`UPDATE people SET no_reminders_at = CASE WHEN id IN
        (SELECT id FROM people ORDER BY id LIMIT ?1) THEN NULL ELSE 1 END`)
      .bind(people),
    database
      .prepare('UPDATE meetings SET starts_at = ?1, reminded_day_for = ?2')
      .bind(Date.now() + dayMs - 60_000, people === 0 ? Date.now() + dayMs - 60_000 : null),
  ]);
}

async function requireSent(database: Database, people: number): Promise<void> {
  const sent = await database
    .prepare('SELECT count(sent_at) AS count FROM mails_due')
    .first<number>('count');
  if (sent !== people) {
    throw new Error(`${sent} reminders were sent, and not ${people}.`);
  }
}
