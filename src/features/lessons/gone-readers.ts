import { type SQL, sql } from 'drizzle-orm';
import { enrollmentStatuses } from '#db/values.ts';

const others = enrollmentStatuses.filter((status) => status !== 'enrolled');

/**
 * Which cohorts of a course are its own, as SQL: those with dates, or the open run of an evergreen
 * one. There are others after its type has changed.
 */
export function kindOf(courseType: SQL): SQL {
  return sql`CASE ${courseType} WHEN 'evergreen' THEN 'open' ELSE 'dated' END`;
}

/** How many people take part, as SQL; in an open run counted by triggers, because they may be many. */
export function readersIn(cohortId: SQL, kind: SQL): SQL {
  return sql`CASE ${kind} WHEN 'open'
    THEN (SELECT coalesce(sum(r.people), 0) FROM run_counts r WHERE r.cohort_id = ${cohortId})
    ELSE (SELECT count(*) FROM enrollments e
      WHERE e.cohort_id = ${cohortId} AND e.status = 'enrolled') END`;
}

/**
 * How many people of a cohort have read lessons and no longer take part, as SQL. What they have
 * opened and done stays in its counts. Not asked of an open run, where they may be many.
 */
export function goneReaders(cohortId: SQL, kind: SQL): SQL {
  return sql`CASE ${kind} WHEN 'open' THEN 0 ELSE (SELECT count(*) FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
    WHERE e.cohort_id = ${cohortId} AND e.status IN ${sql.raw(`('${others.join("', '")}')`)}
      AND g.last_seen_at IS NOT NULL) END`;
}
