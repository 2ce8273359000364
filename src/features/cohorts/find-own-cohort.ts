import 'server-only';
import { and, eq, getTableColumns, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import type { CourseType } from '#db/values.ts';
import { isOwn, toCohort } from './get-cohort.ts';
import type { Cohort } from './schema.ts';
import { cohorts } from './table.ts';

/** A cohort with the name and type of its course, which need not be the selected one. */
export type OwnCohort = Cohort & { courseName: string; courseType: CourseType };

/** One of the viewer's cohorts for a page, even from the trash; null if there is none. */
export function findOwnCohort(id: string) {
  return (ctx: Context, userId: SQL) =>
    query(
      {
        rows: db
          .select({
            cohort: getTableColumns(cohorts),
            courseName: courses.name,
            courseType: courses.courseType,
          })
          .from(cohorts)
          .innerJoin(
            courses,
            and(eq(courses.id, cohorts.courseId), eq(courses.ownerId, cohorts.ownerId)),
          )
          .where(isOwn(userId, id)),
      },
      ({ rows: [row] }) =>
        (): OwnCohort | null => {
          if (row === undefined) {
            return null;
          }
          const { cohort, ...course } = row;
          return { ...toCohort(ctx, cohort), ...course };
        },
    );
}
