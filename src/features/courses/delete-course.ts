import 'server-only';
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { courseKeepers } from '#deletions.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import type { ErrorCode } from '#vocabulary.ts';

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
