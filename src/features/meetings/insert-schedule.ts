import 'server-only';
import { sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import { announceIfNobody } from './announcements.ts';
import type { DayOff } from './schema.ts';

/** A session that is inserted; what is not given is empty. */
type InsertedMeeting = {
  title: string;
  startsLocal: string;
  startsAt: Date;
  durationMinutes: number;
  publicLine: string | null;
  place?: string | null;
  joinUrl?: string | null;
  note?: string | null;
};

/** Inserts the sessions and days off of a new cohort, in the batch that inserts it; else nothing. */
export function insertSchedule(
  { meetings, daysOff }: { meetings: InsertedMeeting[]; daysOff: DayOff[] },
  cohortId: string,
  now: Date,
) {
  const at = now.getTime();
  const rows = meetings.map((row) => ({
    ...row,
    id: crypto.randomUUID(),
    startsAt: row.startsAt.getTime(),
  }));
  return query(
    {
      meetings: db.run(sql`INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local,
          duration_minutes, starts_at, place, join_url, note, public_line, created_at, updated_at)
        SELECT w.value ->> 'id', c.owner_id, c.id, w.value ->> 'title', w.value ->> 'startsLocal',
          w.value ->> 'durationMinutes', w.value ->> 'startsAt', w.value ->> 'place',
          w.value ->> 'joinUrl', w.value ->> 'note', w.value ->> 'publicLine', ${at}, ${at}
        FROM cohorts c JOIN json_each(${JSON.stringify(rows)}) w WHERE c.id = ${cohortId}`),
      announced: announceIfNobody(cohortId, now),
      daysOff: insertDaysOff(daysOff, cohortId, now),
    },
    () => null,
  );
}

/** Adds days off to a cohort `c`; those that it has stay as they are. */
export function insertDaysOff(daysOff: DayOff[], cohortId: string, now: Date, where = sql`true`) {
  const rows = daysOff.map(({ on_date, reason }) => [crypto.randomUUID(), on_date, reason ?? '']);
  return db.run(sql`INSERT INTO days_off (id, owner_id, cohort_id, on_date, reason, created_at)
    SELECT w.value ->> 0, c.owner_id, c.id, w.value ->> 1, w.value ->> 2, ${now.getTime()}
    FROM cohorts c JOIN json_each(${JSON.stringify(rows)}) w
    WHERE c.id = ${cohortId} AND ${where} ON CONFLICT DO NOTHING`);
}
