import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { lessons } from '#db/schema/lessons.ts';
import { requireSameRequest } from '#features/courses/create-course.ts';
import { emptyDocument } from '#features/documents/document.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { lessonsWhere, toLesson } from './find-lesson.ts';
import { endOfSection, hasRoomForLesson } from './order.ts';
import { checkDocument } from './save-draft.ts';
import type { Lesson, LessonInput } from './schema.ts';

/** Where a lesson is created: at the end of a section, or of the last one of a course. */
type Place = { sectionId: string } | { courseId: string };

/**
 * Creates a lesson at the end of its place, as a draft. A course gets its first section with it.
 *
 * @param idempotencyKey a retry with the same key returns the lesson as it is now
 * @throws AppError `not_found` without such a place, `too_many_lessons`, `idempotency_key_reused`,
 *   `validation_failed` for a document that cannot be stored, `rate_limited`
 */
export async function createLesson(
  ctx: ViewerContext,
  place: Place,
  { title, document = emptyDocument }: LessonInput,
  idempotencyKey: string | null,
): Promise<Lesson> {
  const { json, words } = await checkDocument(document);
  const { ownerId, viewer } = ctx;
  const id = crypto.randomUUID();
  const now = ctx.now().getTime();
  const limit = await limitOn(ctx, [{ limit: 'lessons_per_user', subject: viewer.id }], 'allow');
  const isMade =
    idempotencyKey === null
      ? eq(lessons.id, id)
      : sql`${lessons.ownerId} = ${ownerId} AND ${lessons.idempotencyKey} = ${idempotencyKey}`;
  const {
    made: [made],
    sections: [section],
    usage,
  } = await ask(ctx, {
    first: 'courseId' in place ? firstSection(ctx, place.courseId, limit.hasRoom) : undefined,
    inserted: db.run(sql`INSERT INTO lessons (id, owner_id, course_id, section_id, position, title,
        document, words, draft_version, draft_at, idempotency_key, created_at, updated_at)
      SELECT ${id}, s.owner_id, s.course_id, s.id,
        ${endOfSection(sql`s.owner_id`, sql`s.id`)}, ${title}, ${json}, ${words}, 0, ${now},
        ${idempotencyKey}, ${now}, ${now}
      FROM sections s WHERE s.owner_id = ${ownerId} AND s.id = ${sectionIn(ownerId, place)}
        AND ${limit.hasRoom} AND ${hasRoomForLesson(sql`s.owner_id`, sql`s.course_id`)}
      ON CONFLICT (owner_id, idempotency_key) DO NOTHING`),
    made: lessonsWhere(and(eq(lessons.ownerId, ownerId), isMade)),
    sections: db.all<{ id: string }>(sql`SELECT s.id FROM sections s
      WHERE s.owner_id = ${ownerId} AND s.id = ${sectionIn(ownerId, place)}`),
    // A retry makes none, so it is not counted.
    usage: limit.count(sql`EXISTS (SELECT 1 FROM lessons WHERE id = ${id})`),
  });
  // A retry has a lesson, so nothing refuses it.
  if (made === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError(section === undefined ? 'not_found' : 'too_many_lessons');
  }
  const isThere =
    'courseId' in place ? made.courseId === place.courseId : made.sectionId === place.sectionId;
  requireSameRequest([made], isThere && made.title === title && made.document === json);
  return toLesson(made);
}

function sectionIn(ownerId: string, place: Place): SQL {
  return 'sectionId' in place
    ? sql`${place.sectionId}`
    : sql`(SELECT p.id FROM sections p WHERE p.owner_id = ${ownerId}
        AND p.course_id = ${place.courseId} ORDER BY p.position DESC, p.id DESC LIMIT 1)`;
}

/** A section without a heading for a course without any. */
function firstSection(ctx: ViewerContext, courseId: string, hasRoom: { getSQL: () => SQL }) {
  const now = ctx.now().getTime();
  return db.run(sql`INSERT INTO sections
      (id, owner_id, course_id, title, position, created_at, updated_at)
    SELECT ${crypto.randomUUID()}, c.owner_id, c.id, NULL, 1, ${now}, ${now} FROM courses c
    WHERE c.owner_id = ${ctx.ownerId} AND c.id = ${courseId} AND ${hasRoom}
      AND NOT EXISTS (SELECT 1 FROM sections s WHERE s.owner_id = c.owner_id AND s.course_id = c.id)`);
}
