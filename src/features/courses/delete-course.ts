import 'server-only';
import { and, asc, eq, ne, not, sql } from 'drizzle-orm';
import { isLive } from '#db/people.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Deletes one of the viewer's courses. If it was selected, the oldest one left is selected.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user;
 *   `course_has_people` as long as a cohort of it outside the trash has people
 */
export async function deleteCourse(ctx: ViewerContext, id: string): Promise<void> {
  const { viewer } = ctx;
  const oldestOther = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.ownerId, ctx.ownerId), ne(courses.id, id)))
    .orderBy(asc(courses.createdAt), asc(courses.id))
    .limit(1);
  const hasPeople = sql`EXISTS (SELECT 1 FROM cohorts c WHERE c.owner_id = ${ctx.ownerId}
    AND c.course_id = ${id} AND c.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = c.id AND ${isLive}))`;
  const isOwn = and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId));
  const { deleted, left } = await ask(ctx, {
    reselected: db
      .update(users)
      .set({ selectedCourseId: sql`(${oldestOther})` })
      .where(and(eq(users.id, viewer.id), eq(users.selectedCourseId, id), not(hasPeople))),
    deleted: db
      .delete(courses)
      .where(and(isOwn, not(hasPeople)))
      .returning({ id: courses.id }),
    left: db.select({ id: courses.id }).from(courses).where(isOwn),
  });
  if (deleted.length === 0) {
    throw new AppError(left.length > 0 ? 'course_has_people' : 'not_found');
  }
}
