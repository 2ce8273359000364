import 'server-only';
import { and, asc, desc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, readLater } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { countedColumns, maxCohorts, toCohort } from '#features/cohorts/get-cohort.ts';
import type { CohortListName } from '#features/cohorts/schema.ts';
import { ownCourse } from '#features/courses/get-course.ts';
import { requireFound } from '#lib/app-error.ts';

/**
 * The cohorts of one of the viewer's courses: those in use or archived by their first day, or those
 * in the trash with the last one first.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function listCohorts(courseId: string, list: CohortListName) {
  return (ctx: Context, ownerId: SQL) =>
    readLater(
      {
        courses: ownCourse({ courseId, ownerId }),
        rows: rowsOf[list]({ courseId, ownerId, now: ctx.now() }),
      },
      ({ courses: [course], rows }) => {
        requireFound(course);
        return rows.map((row) => toCohort(ctx, row));
      },
    );
}

// Both orders are those of the index.
const byFirstDay = [asc(cohorts.startsOn), asc(cohorts.id)];
const lastFirst = [desc(cohorts.deletedAt), desc(cohorts.startsOn), desc(cohorts.id)];

const rowsOf = {
  current: rowsIn(and(isNull(cohorts.deletedAt), isNull(cohorts.archivedAt)), byFirstDay),
  archived: rowsIn(and(isNull(cohorts.deletedAt), isNotNull(cohorts.archivedAt)), byFirstDay),
  trash: rowsIn(isNotNull(cohorts.deletedAt), lastFirst),
} satisfies Record<CohortListName, unknown>;

function rowsIn(inList: SQL | undefined, order: SQL[]) {
  return prepared(({ courseId, ownerId, now }: Given<'courseId' | 'ownerId' | 'now'>) =>
    db
      .select(countedColumns(now))
      .from(cohorts)
      .where(and(eq(cohorts.ownerId, ownerId), eq(cohorts.courseId, courseId), inList))
      .orderBy(...order)
      // The trash can hold more, of a course that is filled and emptied again and again.
      .limit(maxCohorts),
  );
}
