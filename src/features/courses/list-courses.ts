import 'server-only';
import { asc, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { ownRead } from '#features/auth/own-read.ts';
import { ownColumns, toCourse } from './to-course.ts';

/** All courses of the viewer, oldest first. */
export const listCourses = ownRead(
  ({ db }, userId) =>
    db
      .select(ownColumns)
      .from(courses)
      .where(eq(courses.ownerId, userId))
      .orderBy(asc(courses.createdAt), asc(courses.id)),
  (rows, { selectedCourseId }) => rows.map((row) => toCourse({ ...row, selectedCourseId })),
);
