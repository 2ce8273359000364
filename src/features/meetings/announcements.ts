import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { type Moment, millisecondsOf } from '#db/prepared.ts';
import { db } from '#db/query.ts';

/**
 * What people know of the live sessions of a cohort, in SQL.
 *
 * A session is a change to announce if it is still to come, the cohort is published and has
 * enrolled people, and what was last announced to them (`meetings.announced`) differs from what it
 * is now, or they do not know of it yet. One that came and went without an email does not count.
 *
 * To announce is to write `announcedFacts` into `announced`, after queuing the emails in the same
 * batch. A write to a session does so too if there is no one to notify (`hasPeopleToNotify`).
 */

/** The names of the tables in a statement. */
type Names = { meeting?: string; cohort?: string };

/**
 * What is announced of a session, as it is now: the JSON that `announced` keeps.
 *
 * @param time one that the session does not have in this statement
 */
export function announcedFacts(
  { meeting = 'meetings', cohort = 'cohorts' }: Names = {},
  time: { startsLocal?: SQL; timeZone?: SQL } = {},
): SQL {
  const m = sql.raw(meeting);
  const c = sql.raw(cohort);
  const { startsLocal = sql`${m}.starts_local`, timeZone = sql`${c}.time_zone` } = time;
  return sql`json_object('title', ${m}.title, 'starts_local', ${startsLocal},
    'time_zone', ${timeZone}, 'duration_minutes', ${m}.duration_minutes,
    'place', coalesce(${m}.place, ${c}.place), 'is_cancelled', ${m}.cancelled_at IS NOT NULL)`;
}

/** Whether a cohort has anyone to notify of a change. */
function hasPeopleToNotify(cohort = 'cohorts'): SQL {
  const c = sql.raw(cohort);
  return sql`(${c}.published_at IS NOT NULL AND EXISTS (SELECT 1 FROM enrollments e
    WHERE e.cohort_id = ${c}.id AND e.status = 'enrolled'))`;
}

/** Whether a coming session differs from what people know, or is new to them. */
export function isUnannounced(now: Moment, names: Names = {}): SQL<number> {
  const m = sql.raw(names.meeting ?? 'meetings');
  return sql<number>`(${m}.starts_at > ${millisecondsOf(now)}
    AND CASE WHEN ${m}.announced IS NULL THEN ${m}.cancelled_at IS NULL
      ELSE ${m}.announced <> ${announcedFacts(names)} END
    AND ${hasPeopleToNotify(names.cohort)})`;
}

/**
 * Writes what the sessions of a cohort are as what people know of them, if there is no one to notify:
 * who comes later sees them as they are. Run after what changes them.
 *
 * @param now of the change, so that only what it wrote is read
 */
export function announceIfNobody(cohortId: string, now: Date) {
  return db.run(sql`UPDATE meetings SET announced = ${announcedFacts({ cohort: 'c' })}
    FROM cohorts c WHERE meetings.cohort_id = ${cohortId} AND meetings.updated_at = ${now.getTime()}
      AND c.id = meetings.cohort_id AND NOT ${hasPeopleToNotify('c')}`);
}
