import 'server-only';
import { and, eq } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { courseOrThrow, courseRows } from './get-course.ts';
import type { Course, CoursePatch } from './schema.ts';

/**
 * Changes the given fields of one of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export async function changeCourse(
  ctx: ViewerContext,
  id: string,
  { name, course_type: courseType }: CoursePatch,
): Promise<Course> {
  const isChange = name !== undefined || courseType !== undefined;
  const { course } = await ask(ctx, {
    ...(isChange && {
      changed: db
        .update(courses)
        .set({
          ...(name !== undefined && { name }),
          ...(courseType !== undefined && { courseType }),
          updatedAt: ctx.now(),
        })
        .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId))),
    }),
    course: courseRows(ctx.ownerId, id),
  });
  return courseOrThrow(course);
}
