import 'server-only';
import { and, asc, desc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { AppError } from '#lib/app-error.ts';
import { maxCohorts } from './cohort-limit.ts';
import { toCohort } from './get-cohort.ts';
import type { CohortList } from './schema.ts';
import { cohorts } from './table.ts';

/**
 * The cohorts of one of the viewer's courses: those in use or archived by their first day, or those
 * in the trash with the last one first.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function listCohorts(courseId: string, list: CohortList) {
  return (ctx: Context, userId: SQL) =>
    query(
      {
        courses: db
          .select({ id: courses.id })
          .from(courses)
          .where(and(eq(courses.id, courseId), eq(courses.ownerId, userId))),
        rows: rowsOf(courseId, list, userId),
      },
      (found) => () => {
        if (found.courses.length === 0) {
          throw new AppError('not_found');
        }
        return found.rows.map((row) => toCohort(ctx, row));
      },
    );
}

function rowsOf(courseId: string, list: CohortList, userId: SQL) {
  const inList = {
    current: and(isNull(cohorts.deletedAt), isNull(cohorts.archivedAt)),
    archived: and(isNull(cohorts.deletedAt), isNotNull(cohorts.archivedAt)),
    trash: isNotNull(cohorts.deletedAt),
  }[list];
  // Both orders are those of the index.
  const order =
    list === 'trash'
      ? [desc(cohorts.deletedAt), desc(cohorts.startsOn), desc(cohorts.id)]
      : [asc(cohorts.startsOn), asc(cohorts.id)];
  return (
    db
      .select()
      .from(cohorts)
      .where(and(eq(cohorts.ownerId, userId), eq(cohorts.courseId, courseId), inList))
      .orderBy(...order)
      // The trash can hold more, of a course that is filled and emptied again and again.
      .limit(maxCohorts)
  );
}
