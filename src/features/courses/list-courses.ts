import 'server-only';
import { asc, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { courseOf } from './course-of.ts';
import type { Course } from './schema.ts';

/** All courses of the viewer, oldest first. */
export async function listCourses(ctx: ViewerContext): Promise<Course[]> {
  const rows = await ctx.db
    .select()
    .from(courses)
    .where(eq(courses.ownerId, ctx.viewer.id))
    .orderBy(asc(courses.createdAt), asc(courses.id));
  const selectedCourseId = ctx.viewer.selectedCourse?.id ?? null;
  return rows.map((row) => courseOf(row, selectedCourseId));
}
