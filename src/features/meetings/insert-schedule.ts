import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, type Query, query } from '#db/query.ts';
import { addDays, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
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
  const rows = meetings.map((row) => ({
    ...row,
    id: crypto.randomUUID(),
    startsAt: row.startsAt.getTime(),
  }));
  return query(
    {
      meetings: insertMeetings(rows, cohortId, now),
      announced: announceIfNobody(cohortId, now),
      daysOff: insertDaysOff(daysOff, cohortId, now),
    },
    () => null,
  );
}

/** Inserts sessions into a cohort `c`, with the names of their columns in Drizzle as keys. */
export function insertMeetings(rows: object[], cohortId: string, now: Date, where = sql`true`) {
  const at = now.getTime();
  return db.run(sql`INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local,
      duration_minutes, starts_at, place, join_url, note, public_line, created_at, updated_at)
    SELECT w.value ->> 'id', c.owner_id, c.id, w.value ->> 'title', w.value ->> 'startsLocal',
      w.value ->> 'durationMinutes', w.value ->> 'startsAt', w.value ->> 'place',
      w.value ->> 'joinUrl', w.value ->> 'note', w.value ->> 'publicLine', ${at}, ${at}
    FROM cohorts c JOIN json_each(${JSON.stringify(rows)}) w WHERE c.id = ${cohortId} AND ${where}`);
}

/**
 * Whether a cohort has just these sessions and days off. A schedule that was changed since the cohort
 * was created counts as the same.
 */
export function hasSchedule(
  { meetings, daysOff }: { meetings: InsertedMeeting[]; daysOff: DayOff[] },
  cohortId: SQL,
): Query<boolean> {
  const wanted = [
    ...meetings.map((one) => [one.startsLocal, one.title, one.durationMinutes, one.publicLine]),
    ...daysOff.map(({ on_date: date, reason }) => [date, reason ?? '', null, null]),
  ];
  return query(
    {
      rows: db.all<{ day: string; title: string; minutes: number; line: string; isFirst: 0 | 1 }>(
        sql`SELECT m.starts_local AS day, m.title, m.duration_minutes AS minutes,
            m.public_line AS line, m.updated_at = c.created_at AS isFirst
          FROM cohorts c JOIN meetings m ON m.cohort_id = c.id WHERE c.id = ${cohortId}
          UNION ALL SELECT o.on_date, o.reason, NULL, NULL, o.created_at = c.created_at
          FROM cohorts c JOIN days_off o ON o.cohort_id = c.id WHERE c.id = ${cohortId}`,
      ),
    },
    ({ rows }) =>
      rows.some(({ isFirst }) => !isFirst) ||
      keyOf(rows.map(({ day, title, minutes, line }) => [day, title, minutes, line])) ===
        keyOf(wanted),
  );
}

/** Equal for the same rows in any order. */
function keyOf(rows: (string | number | null)[][]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join();
}

/** Each day of spans of days off, but those on which one of the sessions is. */
export function everyDayOff(daysOff: DayOff[], startsLocal: string[]): DayOff[] {
  const sessions = new Set(startsLocal.map(dayOfWallTime));
  return daysOff.flatMap(({ on_date: from, until, reason }) =>
    until === null
      ? [{ on_date: from, until, reason }]
      : Array.from({ length: daysBetween(from, until) + 1 }, (_, index) => addDays(from, index))
          .filter((day) => !sessions.has(day))
          .map((day) => ({ on_date: day, until: null, reason })),
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
