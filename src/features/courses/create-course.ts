import 'server-only';
import { and, eq, exists } from 'drizzle-orm';
import { isForeignKeyViolation } from '#db/errors.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { AppError } from '#lib/app-error.ts';
import { courseOf } from './course-of.ts';
import type { Course, CourseInput } from './schema.ts';

/**
 * Makes a course for the viewer and selects it, both or neither.
 *
 * @param idempotencyKey the same request sent again with the same key makes nothing and gets the first course
 * @throws AppError `idempotency_key_reused` when the key belongs to a course with another name or type; `rate_limited`;
 *   `unauthenticated` when the account was deleted meanwhile
 */
export async function createCourse(
  ctx: ViewerContext,
  input: CourseInput,
  idempotencyKey: string | null,
): Promise<Course> {
  const { db, viewer } = ctx;
  const draw = { limit: 'courses_per_user', subject: viewer.id } as const;
  await takeFrom(ctx, [draw], { whenBroken: 'go on' });
  const now = ctx.now();
  const id = crypto.randomUUID();
  const made = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.ownerId, viewer.id), eq(courses.id, id)));
  const sameKey =
    idempotencyKey === null ? eq(courses.id, id) : eq(courses.idempotencyKey, idempotencyKey);
  const [, , [row]] = await unlessGone(
    db.batch([
      db
        .insert(courses)
        .values({
          id,
          ownerId: viewer.id,
          name: input.name,
          courseType: input.course_type,
          idempotencyKey,
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing({ target: [courses.ownerId, courses.idempotencyKey] }),
      db
        .update(users)
        .set({ selectedCourseId: id })
        .where(and(eq(users.id, viewer.id), exists(made))),
      db
        .select({
          id: courses.id,
          name: courses.name,
          courseType: courses.courseType,
          createdAt: courses.createdAt,
          updatedAt: courses.updatedAt,
          selectedCourseId: users.selectedCourseId,
        })
        .from(courses)
        .innerJoin(users, eq(users.id, courses.ownerId))
        .where(and(eq(courses.ownerId, viewer.id), sameKey)),
    ]),
  );
  if (row === undefined || row.name !== input.name || row.courseType !== input.course_type) {
    throw new AppError('idempotency_key_reused');
  }
  return courseOf(row, row.selectedCourseId);
}

/** A course cannot belong to somebody who was deleted since the request was let in. */
async function unlessGone<Rows>(batch: Promise<Rows>): Promise<Rows> {
  try {
    return await batch;
  } catch (error) {
    throw isForeignKeyViolation(error) ? new AppError('unauthenticated', { cause: error }) : error;
  }
}
