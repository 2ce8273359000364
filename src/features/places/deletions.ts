import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isLive } from '#db/people.ts';
import type { Query } from '#db/query.ts';
import type { CohortKind } from '#db/values.ts';
import { queueNotices } from '#features/outbox/notices.ts';

/** Tells the people of an owner's cohorts that these are canceled, in emails that outlive them. */
export function cancelCohorts(ctx: Context, ownerId: string): Query<string[]> {
  return queueNotices(
    ctx,
    'cohort_cancelled',
    sql`c.owner_id = ${ownerId} AND c.deleted_at IS NULL`,
  );
}

/** Whether a cohort of a course outside the trash has people. */
export function courseHasPeople(ownerId: string, courseId: string): SQL {
  return hasPeopleIn('dated', ownerId, courseId);
}

/** Whether an evergreen course has people. */
export function courseHasLearners(ownerId: string, courseId: string): SQL {
  return hasPeopleIn('open', ownerId, courseId);
}

function hasPeopleIn(kind: CohortKind, ownerId: string, courseId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM cohorts c WHERE c.owner_id = ${ownerId}
    AND c.course_id = ${courseId} AND c.kind = ${kind} AND c.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = c.id AND ${isLive}))`;
}
