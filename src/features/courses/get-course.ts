import 'server-only';
import { and, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { AppError } from '#lib/app-error.ts';
import { courseOf } from './course-of.ts';
import type { Course } from './schema.ts';

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or is somebody else's
 */
export async function getCourse(ctx: ViewerContext, id: string): Promise<Course> {
  const row = await ctx.db
    .select()
    .from(courses)
    .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.viewer.id)))
    .get();
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return courseOf(row, ctx.viewer.selectedCourse?.id ?? null);
}
