import 'server-only';
import { and, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { courseOrThrow, courseRows } from './get-course.ts';
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
    return courseOrThrow(await courseRows(ctx, ctx.viewer.id, id));
  }
  const [, rows] = await ctx.db.batch([
    ctx.db
      .update(courses)
      .set({
        ...(name !== undefined && { name }),
        ...(courseType !== undefined && { courseType }),
        updatedAt: ctx.now(),
      })
      .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.viewer.id))),
    courseRows(ctx, ctx.viewer.id, id),
  ]);
  return courseOrThrow(rows);
}
