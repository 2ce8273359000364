import 'server-only';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Deletes one of the viewer's courses. If it was selected, the oldest one left is selected.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export async function deleteCourse(ctx: ViewerContext, id: string): Promise<void> {
  const { viewer } = ctx;
  const oldestOther = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.ownerId, viewer.id), ne(courses.id, id)))
    .orderBy(asc(courses.createdAt), asc(courses.id))
    .limit(1);
  const { deleted } = await ask(ctx, {
    reselected: db
      .update(users)
      .set({ selectedCourseId: sql`(${oldestOther})` })
      .where(and(eq(users.id, viewer.id), eq(users.selectedCourseId, id))),
    deleted: db
      .delete(courses)
      .where(and(eq(courses.id, id), eq(courses.ownerId, viewer.id)))
      .returning({ id: courses.id }),
  });
  if (deleted.length === 0) {
    throw new AppError('not_found');
  }
}
