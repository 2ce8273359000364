import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { lessonCount } from '#db/shown-lessons.ts';
import { selectedBy } from '#features/courses/list-courses.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** What has happened in seven days. */
export type Week = { started: number; completed: number };

/**
 * How many people have started and completed the viewer's selected course in the last seven days,
 * in its cohorts that ran then; none without lessons. People who enroll early start with their
 * cohort.
 */
export function findWeek(ctx: Context, _ownerId: SQL, userId: SQL) {
  const now = ctx.now();
  const since = new Date(now.getTime() - 7 * dayMs);
  return query(
    { weeks: weekOf({ userId, now, since }) },
    ({ weeks: [week] }): Week => week ?? { started: 0, completed: 0 },
  );
}

// Each count is a range of an index.
const weekOf = prepared(({ userId, now, since }: Given<'userId' | 'now' | 'since'>) =>
  db.all<Week>(sql`SELECT coalesce(sum(CASE WHEN c.starts_at > ${since}
        THEN (SELECT count(*) FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status = 'enrolled')
        ELSE (SELECT count(*) FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
          WHERE e.cohort_id = c.id AND e.status_changed_at > ${since} AND e.status = 'enrolled'
            AND g.started_at > ${since}) END), 0) AS started,
      coalesce(sum((SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id
        AND e.completed_at > ${since} AND e.status = 'enrolled')), 0) AS completed
    FROM cohorts c
    WHERE (c.owner_id, c.course_id) = (${selectedBy(userId)}) AND c.kind = 'dated'
      AND c.published_at IS NOT NULL AND c.deleted_at IS NULL
      AND c.starts_at <= ${now} AND +c.ends_at > ${since}
      AND ${lessonCount} > 0`),
);
