import 'server-only';
import { and, eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { AppError } from '#lib/app-error.ts';
import { courseColumns, courseOf } from './course-of.ts';
import type { Course } from './schema.ts';

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or is somebody else's
 */
export async function getCourse(ctx: ViewerContext, id: string): Promise<Course> {
  const row = await ownCourse(ctx, id).get();
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return courseOf(row);
}

/** The query, for a batch that has to tell what became of the course. */
export function ownCourse({ db, viewer }: ViewerContext, id: string) {
  return db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.id, id), eq(courses.ownerId, viewer.id)));
}
