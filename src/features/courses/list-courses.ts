import 'server-only';
import { asc, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import type { Viewer } from '#features/auth/find-actor.ts';
import { ownColumns, toCourse } from './get-course.ts';

/** All courses of the viewer, oldest first. */
export function listCourses(_ctx: Context, userId: SQL) {
  const rows = db
    .select(ownColumns)
    .from(courses)
    .where(eq(courses.ownerId, userId))
    .orderBy(asc(courses.createdAt), asc(courses.id));
  return query(
    { rows },
    (found) =>
      ({ selectedCourseId }: Viewer) =>
        found.rows.map((row) => toCourse({ ...row, selectedCourseId })),
  );
}
