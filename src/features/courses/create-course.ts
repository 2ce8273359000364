import 'server-only';
import { eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { courseOf } from './course-of.ts';
import type { Course, CreateCourseInput } from './schema.ts';

/** Makes a course for the viewer and selects it, both or neither. */
export async function createCourse(ctx: ViewerContext, input: CreateCourseInput): Promise<Course> {
  const now = ctx.now();
  const row = {
    id: crypto.randomUUID(),
    ownerId: ctx.viewer.id,
    name: input.name,
    courseType: input.course_type,
    createdAt: now,
    updatedAt: now,
  };
  await ctx.db.batch([
    ctx.db.insert(courses).values(row),
    ctx.db.update(users).set({ selectedCourseId: row.id }).where(eq(users.id, row.ownerId)),
  ]);
  return courseOf(row, row.id);
}
