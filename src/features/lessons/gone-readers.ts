import { type SQL, sql } from 'drizzle-orm';
import { enrollmentStatuses } from '#db/values.ts';

const others = enrollmentStatuses.filter((status) => status !== 'enrolled');

/**
 * How many people of a cohort have read lessons and no longer take part, as SQL. What they have
 * opened and done stays in its counts.
 */
export function goneReaders(cohortId: SQL): SQL {
  return sql`(SELECT count(*) FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
    WHERE e.cohort_id = ${cohortId} AND e.status IN ${sql.raw(`('${others.join("', '")}')`)}
      AND g.last_seen_at IS NOT NULL)`;
}
