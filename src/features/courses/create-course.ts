import 'server-only';
import { and, eq, exists, sql } from 'drizzle-orm';
import { ask, db, insertWhere } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { courseHues } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { courseColumns, courseRows, toCourse } from './list-courses.ts';
import type { Course, CourseInput } from './schema.ts';

/**
 * Creates a course for the viewer and selects it, in one transaction.
 *
 * @param idempotencyKey a retry with the same key returns the course as it is now
 * @throws AppError `idempotency_key_reused` if the key belongs to a course with another name or
 *   type; `rate_limited`; `unauthenticated` if the account was deleted meanwhile
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
    ownerId: ctx.ownerId,
    name: input.name,
    courseType: input.course_type,
    about: input.about,
    showsOutline: input.shows_outline,
    idempotencyKey,
    createdAt: now,
    updatedAt: now,
  };
  const use = { limit: 'courses_per_user', subject: viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const {
    course: [course],
    usage,
  } = await ask(ctx, {
    made: db
      .insert(courses)
      .select(insertWhere(courses, row, limit.hasRoom, isThere))
      .onConflictDoNothing({ target: [courses.ownerId, courses.idempotencyKey] }),
    // For rows that are made only; a retry's id names none.
    colored: db
      .update(courses)
      .set({ hue: nextHue(ctx.ownerId, id) })
      .where(and(eq(courses.id, id), eq(courses.ownerId, ctx.ownerId))),
    selected: db
      .update(users)
      .set({ selectedCourseId: id })
      .where(and(eq(users.id, viewer.id), isMade)),
    course:
      idempotencyKey === null
        ? courseRows({ ownerId: ctx.ownerId, id })
        : db
            .select(courseColumns(ctx.ownerId))
            .from(courses)
            .where(
              and(eq(courses.ownerId, ctx.ownerId), eq(courses.idempotencyKey, idempotencyKey)),
            ),
    // A retry creates nothing, so it is not counted.
    usage: limit.count(isMade),
  });
  // A retry has a course, so it is not refused either.
  if (course === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('unauthenticated');
  }
  requireSameRequest(
    [course],
    course.name === input.name && course.courseType === input.course_type,
  );
  return toCourse(course);
}

/**
 * The first hue that the owner's last courses don't have. One course fewer is checked than there
 * are hues, so one is always free. A hash of the id alone would soon make two courses look alike.
 * Older courses have no stored hue and get one by their id; see ui/brand.ts.
 */
export function nextHue(ownerId: string, id: string) {
  const hues = JSON.stringify(courseHues);
  const places = JSON.stringify([...id].map((_, index) => index + 1));
  const ofId = sql`(SELECT CAST(sum(unicode(substr(last.id, value, 1))) % ${courseHues.length} AS INTEGER)
    FROM json_each(${places}))`;
  return sql`(SELECT json_extract(${hues}, '$[' || min(key) || ']') FROM json_each(${hues})
    WHERE value NOT IN
    (SELECT coalesce(last.hue, json_extract(${hues}, '$[' || ${ofId} || ']')) FROM
      (SELECT k.id, k.hue FROM courses k WHERE k.owner_id = ${ownerId} AND k.id <> ${id}
        ORDER BY k.created_at DESC, k.id DESC LIMIT ${courseHues.length - 1}) last))`;
}

/**
 * Refuses a key that belongs to another request, as long as what it created is unchanged.
 *
 * @param isSame whether what there is was asked for by this request
 * @throws AppError `idempotency_key_reused`
 */
export function requireSameRequest(
  created: { createdAt: Date; updatedAt: Date }[],
  isSame: boolean,
): void {
  const isUnchanged = created.every((row) => row.updatedAt.getTime() === row.createdAt.getTime());
  if (isUnchanged && !isSame) {
    throw new AppError('idempotency_key_reused');
  }
}
