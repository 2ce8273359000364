import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { fragment, type Given } from '#db/prepared.ts';

/** From how long before its start a session leads, and can be marked. */
export const opensBeforeMs = 60 * 60 * 1000;

/** Whether enrollment `e` has ended after it had a place. */
const hasLeft = sql`(e.status IN ('left', 'removed') AND EXISTS (SELECT 1
  FROM enrollment_events v WHERE v.owner_id = e.owner_id AND v.enrollment_id = e.id
    AND v.to_status = 'enrolled'))`;

/** Whether enrollment `e` had a place when session `m` began. */
export const couldAttend = sql`(e.status = 'enrolled'
  OR (e.status_changed_at > m.starts_at AND ${hasLeft}))`;

/** Whether enrollment `e` has a place, or had one when the first session of its cohort began. */
export const hasAttendance = sql`(e.status = 'enrolled' OR (e.status_changed_at > (SELECT m.starts_at
    FROM meetings m WHERE m.cohort_id = e.cohort_id AND m.cancelled_at IS NULL
    ORDER BY m.starts_at LIMIT 1) AND ${hasLeft}))`;

/** Whether session `m` can be marked at `now`. One that was moved may have marks and be to come. */
export function isOpenAt(now: SQL): SQL {
  return sql`m.starts_at <= ${now} + ${opensBeforeMs}`;
}

/** The marks `a` of enrollment `e`, with their sessions `m`, that count at `now`. */
export function marksAt(now: SQL): SQL {
  return sql`attendance a JOIN meetings m ON m.owner_id = a.owner_id AND m.id = a.meeting_id
    WHERE a.owner_id = e.owner_id AND a.enrollment_id = e.id
      AND m.cohort_id = e.cohort_id AND m.cancelled_at IS NULL AND ${isOpenAt(now)}`;
}

/** How many sessions of its cohort enrollment `e` has attended at `now`. */
export function attendedCount(now: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM ${marksAt(now)} AND a.is_present)`;
}

/** The same marks as JSON, by the id of the session. */
export function marksAsJson(now: SQL): SQL {
  return sql`(SELECT json_group_object(a.meeting_id, a.is_present) FROM ${marksAt(now)})`;
}

/** What enrollment `e` attended, by the end of sessions at `now`; see `Attended`. */
export const attendedColumns = fragment(
  ({ now }: Given<'now'>) => sql`(SELECT json_object(
    'sessions', count(*), 'minutes', coalesce(sum(m.duration_minutes), 0),
    'attended', coalesce(sum(a.is_present), 0),
    'attendedMinutes', coalesce(sum(a.is_present * m.duration_minutes), 0),
    'isMarked', EXISTS (SELECT 1 FROM meetings y
      JOIN attendance x ON x.owner_id = y.owner_id AND x.meeting_id = y.id
      WHERE y.cohort_id = e.cohort_id AND y.cancelled_at IS NULL))
  FROM meetings m LEFT JOIN attendance a
    ON a.owner_id = m.owner_id AND a.meeting_id = m.id AND a.enrollment_id = e.id
  WHERE m.cohort_id = e.cohort_id AND m.cancelled_at IS NULL
    AND m.starts_at + m.duration_minutes * 60000 <= ${now})`,
);

/** The sessions of a cohort that are over, and those of them that someone attended. */
export type Attended = {
  sessions: number;
  minutes: number;
  attended: number;
  attendedMinutes: number;
  /** Whether attendance was marked in this cohort at all, but in canceled sessions. */
  isMarked: 0 | 1;
};
