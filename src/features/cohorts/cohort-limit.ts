import 'server-only';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';

/** How many cohorts a course can have outside the trash. */
export const maxCohorts = 200;

/** Whether a course of the owner has room for one more. */
export function hasRoomForCohort(ownerId: string, courseId: string | SQL): SQL<number> {
  const kept = db
    .select({ count: sql`count(*)` })
    .from(cohorts)
    .where(
      and(eq(cohorts.ownerId, ownerId), eq(cohorts.courseId, courseId), isNull(cohorts.deletedAt)),
    );
  return sql<number>`(${kept}) < ${maxCohorts}`;
}
