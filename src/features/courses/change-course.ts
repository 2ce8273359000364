import 'server-only';
import { and, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { AppError } from '#lib/app-error.ts';
import { courseOf } from './course-of.ts';
import { getCourse, ownCourse } from './get-course.ts';
import type { Course, CoursePatch } from './schema.ts';

/**
 * Changes name and type of one of the viewer's courses; what is not given stays.
 *
 * @throws AppError `not_found` for a course that does not exist or is somebody else's
 */
export async function changeCourse(
  ctx: ViewerContext,
  id: string,
  { name, course_type: courseType }: CoursePatch,
): Promise<Course> {
  if (name === undefined && courseType === undefined) {
    return getCourse(ctx, id);
  }
  const [, [row]] = await ctx.db.batch([
    ctx.db
      .update(courses)
      .set({
        ...(name !== undefined && { name }),
        ...(courseType !== undefined && { courseType }),
        updatedAt: ctx.now(),
      })
      .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.viewer.id))),
    ownCourse(ctx, id),
  ]);
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return courseOf(row);
}
