import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { type Moment, millisecondsOf } from '#db/prepared.ts';
import { cohorts } from '#db/schema/cohorts.ts';

/** How many people a cohort has at a moment, as columns; counted by an index that covers them. */
export function countColumns(now: Moment) {
  const at = millisecondsOf(now);
  return {
    enrolled: countOf(sql`e.status = 'enrolled'`).as('enrolled'),
    offered: countOf(sql`e.status = 'offered' AND e.expires_at > ${at}`).as('offered'),
    waitlisted: countOf(sql`e.status = 'waitlisted'`).as('waitlisted'),
    applied: countOf(sql`e.status = 'applied'`).as('applied'),
    invited: countOf(sql`e.status = 'invited' AND e.expires_at > ${at}`).as('invited'),
  };
}

function countOf(where: SQL): SQL<number> {
  // Named in full: Drizzle leaves out the table where there is only one, and `e` has an id too.
  return sql<number>`(SELECT count(*) FROM enrollments e
    WHERE e.cohort_id = ${cohorts}."id" AND ${where})`;
}
