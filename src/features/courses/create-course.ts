import 'server-only';
import { and, eq, exists } from 'drizzle-orm';
import { unlessGone } from '#db/errors.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { AppError } from '#lib/app-error.ts';
import { courseColumns, courseOf } from './course-of.ts';
import { ownCourse } from './get-course.ts';
import type { Course, CourseInput } from './schema.ts';

/**
 * Makes a course for the viewer and selects it, both or neither.
 *
 * @param idempotencyKey the same request sent again with the same key makes nothing and gets the first course, as it is by then
 * @throws AppError `idempotency_key_reused` when the key belongs to a course that was made with another name or type;
 *   `rate_limited`; `unauthenticated` when the account was deleted meanwhile
 */
export async function createCourse(
  ctx: ViewerContext,
  input: CourseInput,
  idempotencyKey: string | null,
): Promise<Course> {
  const { db, viewer } = ctx;
  if (idempotencyKey !== null) {
    const [before] = await madeWithKey(ctx, idempotencyKey);
    // A repetition makes nothing, so it is not counted either.
    if (before !== undefined) {
      return repeated(before, input);
    }
  }
  const draw = { limit: 'courses_per_user', subject: viewer.id } as const;
  await takeFrom(ctx, [draw], { whenBroken: 'go on' });
  const now = ctx.now();
  const id = crypto.randomUUID();
  const made = db.select({ id: courses.id }).from(courses).where(eq(courses.id, id));
  const batch = db.batch([
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
    idempotencyKey === null ? ownCourse(ctx, id) : madeWithKey(ctx, idempotencyKey),
  ]);
  const [, , [row]] = await unlessGone(batch, 'unauthenticated');
  if (row === undefined) {
    throw new AppError('internal');
  }
  return repeated(row, input);
}

/** The query for what a key has made. */
function madeWithKey({ db, viewer }: ViewerContext, key: string) {
  return db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.ownerId, viewer.id), eq(courses.idempotencyKey, key)));
}

/** The course of a key, unless it was made from something else. What it was made from is known until it is changed. */
function repeated(row: Parameters<typeof courseOf>[0], input: CourseInput): Course {
  const isAsMade = row.updatedAt.getTime() === row.createdAt.getTime();
  if (isAsMade && (row.name !== input.name || row.courseType !== input.course_type)) {
    throw new AppError('idempotency_key_reused');
  }
  return courseOf(row);
}
