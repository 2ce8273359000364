import 'server-only';
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { maxCohorts } from '#features/cohorts/cohort-limit.ts';
import { toCohort } from '#features/cohorts/get-cohort.ts';
import { countColumns } from '#features/cohorts/people-counts.ts';
import type { CohortListName } from '#features/cohorts/schema.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * The cohorts of one of the viewer's courses: those in use or archived by their first day, or those
 * in the trash with the last one first.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function listCohorts(courseId: string, list: CohortListName) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        courses: ownCourse({ courseId, ownerId }),
        rows: rowsOf[list]({ courseId, ownerId, now: ctx.now() }),
      },
      (found) => () => {
        if (found.courses.length === 0) {
          throw new AppError('not_found');
        }
        return found.rows.map((row) => toCohort(ctx, row));
      },
    );
}

const ownCourse = prepared(({ courseId, ownerId }: Given<'courseId' | 'ownerId'>) =>
  db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.ownerId, ownerId))),
);

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
      .select({ ...getTableColumns(cohorts), ...countColumns(now) })
      .from(cohorts)
      .where(and(eq(cohorts.ownerId, ownerId), eq(cohorts.courseId, courseId), inList))
      .orderBy(...order)
      // The trash can hold more, of a course that is filled and emptied again and again.
      .limit(maxCohorts),
  );
}
