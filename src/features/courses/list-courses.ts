import 'server-only';
import { asc, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { ownRead } from '#features/auth/own-read.ts';
import { courseColumns, courseOf } from './course-of.ts';

/** All courses of the viewer, oldest first. */
export const listCourses = ownRead(
  ({ db }, userId) =>
    db
      .select(courseColumns)
      .from(courses)
      .innerJoin(users, eq(users.id, courses.ownerId))
      .where(eq(courses.ownerId, userId))
      .orderBy(asc(courses.createdAt), asc(courses.id)),
  (rows) => rows.map(courseOf),
);
