import 'server-only';
import { and, eq, exists } from 'drizzle-orm';
import { ask, db, insertWhere } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { courseColumns, courseRows, toCourse } from './get-course.ts';
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
  const { viewer } = ctx;
  const now = ctx.now();
  const id = crypto.randomUUID();
  const isThere = exists(db.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)));
  const isMade = exists(db.select({ id: courses.id }).from(courses).where(eq(courses.id, id)));
  const row = {
    id,
    ownerId: viewer.id,
    name: input.name,
    courseType: input.course_type,
    idempotencyKey,
    createdAt: now,
    updatedAt: now,
  };
  const use = { limit: 'courses_per_user', subject: viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'go on');
  const {
    course: [course],
    usage,
  } = await ask(ctx, {
    made: db
      .insert(courses)
      .select(insertWhere(courses, row, limit.hasRoom, isThere))
      .onConflictDoNothing({ target: [courses.ownerId, courses.idempotencyKey] }),
    selected: db
      .update(users)
      .set({ selectedCourseId: id })
      .where(and(eq(users.id, viewer.id), isMade)),
    course: idempotencyKey === null ? courseRows(viewer.id, id) : madeWithKey(ctx, idempotencyKey),
    // A repeated request makes nothing, so it is not counted.
    usage: limit.count(isMade),
  });
  // Nor is it refused.
  if (course === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('unauthenticated');
  }
  return repeated(course, input);
}

function madeWithKey({ viewer }: ViewerContext, key: string) {
  return db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.ownerId, viewer.id), eq(courses.idempotencyKey, key)));
}

/** The course of a key, unless it was made from something else. What it was made from is known until it is changed. */
function repeated(row: Parameters<typeof toCourse>[0], input: CourseInput): Course {
  const isAsMade = row.updatedAt.getTime() === row.createdAt.getTime();
  if (isAsMade && (row.name !== input.name || row.courseType !== input.course_type)) {
    throw new AppError('idempotency_key_reused');
  }
  return toCourse(row);
}
