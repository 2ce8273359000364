import 'server-only';
import { and, asc, eq, exists, isNull, ne, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { courseKeepers } from '#deletions.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { courseRows, toCourse } from './list-courses.ts';
import type { Course, CoursePatch } from './schema.ts';

/**
 * Changes the given fields of one of the viewer's courses. As long as an evergreen course is one of
 * cohorts, it takes no more people at their own pace; those who have begun go on.
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

/**
 * Deletes one of the viewer's courses. If it was selected, the oldest one left is selected.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user;
 *   one of `courseKeepers`, such as `course_has_people`
 */
export async function deleteCourse(ctx: ViewerContext, id: string): Promise<void> {
  const { viewer } = ctx;
  const oldestOther = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.ownerId, ctx.ownerId), ne(courses.id, id)))
    .orderBy(asc(courses.createdAt), asc(courses.id))
    .limit(1);
  const reasons = Object.entries(courseKeepers).map(
    ([code, keeps]) => sql`WHEN ${keeps(ctx.ownerId, id)} THEN ${code}`,
  );
  const reason = sql<ErrorCode | null>`CASE ${sql.join(reasons, sql` `)} END`;
  const isOwn = and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId));
  const { deleted, left } = await ask(ctx, {
    reselected: db
      .update(users)
      .set({ selectedCourseId: sql`(${oldestOther})` })
      .where(and(eq(users.id, viewer.id), eq(users.selectedCourseId, id), isNull(reason))),
    deleted: db
      .delete(courses)
      .where(and(isOwn, isNull(reason)))
      .returning({ id: courses.id }),
    left: db.select({ reason }).from(courses).where(isOwn),
  });
  if (deleted.length === 0) {
    throw new AppError(left[0]?.reason ?? 'not_found');
  }
}
