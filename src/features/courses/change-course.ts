import 'server-only';
import { and, eq, exists } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireFound } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import { courseRows, toCourse } from './list-courses.ts';
import type { Course, CoursePatch } from './schema.ts';

/**
 * Changes the given fields of one of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export async function changeCourse(
  ctx: ViewerContext,
  id: string,
  patch: CoursePatch,
): Promise<Course> {
  const columns = fromJson(patch);
  const { course } = await ask(ctx, {
    ...(Object.keys(columns).length > 0 && {
      changed: db
        .update(courses)
        .set({ ...columns, updatedAt: ctx.now() })
        .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId))),
    }),
    course: courseRows({ ownerId: ctx.ownerId, id }),
  });
  return toCourse(requireFound(course[0]));
}

/**
 * Selects one of the viewer's courses.
 *
 * @throws AppError `not_found` for a missing course or another user's; the selection stays
 */
export async function selectCourse(ctx: ViewerContext, id: string): Promise<Course> {
  const { viewer } = ctx;
  const own = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId)));
  const { course } = await ask(ctx, {
    selected: db
      .update(users)
      .set({ selectedCourseId: id })
      .where(and(eq(users.id, viewer.id), exists(own))),
    course: courseRows({ ownerId: ctx.ownerId, id }),
  });
  return toCourse(requireFound(course[0]));
}
