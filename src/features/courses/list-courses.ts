import 'server-only';
import { asc, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { courseColumns, courseOf } from './course-of.ts';
import type { Course } from './schema.ts';

/** All courses of the viewer, oldest first. */
export async function listCourses(ctx: ViewerContext): Promise<Course[]> {
  const rows = await ctx.db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(eq(courses.ownerId, ctx.viewer.id))
    .orderBy(asc(courses.createdAt), asc(courses.id));
  return rows.map(courseOf);
}
