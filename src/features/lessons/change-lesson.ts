import 'server-only';
import { msg } from '@lingui/core/macro';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { lessons } from '#db/schema/lessons.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { findContent } from './find-content.ts';
import { lessonRows, toLesson } from './find-lesson.ts';
import {
  courseOfLesson,
  endOfSection,
  hasRoomForLesson,
  numberLessons,
  placeOfLesson,
} from './order.ts';
import type { CourseContent, Lesson, LessonMove, LessonPatch } from './schema.ts';
import { isOwn } from './versions.ts';

/**
 * Changes the given fields of one of the viewer's lessons. A new title is a new draft.
 *
 * @throws AppError `not_found` without such a lesson, and for one in the trash
 */
export async function changeLesson(
  ctx: ViewerContext,
  id: string,
  { title, minutes }: LessonPatch,
): Promise<Lesson> {
  const now = ctx.now();
  const { rows } = await ask(ctx, {
    renamed:
      title === undefined
        ? undefined
        : db
            .update(lessons)
            .set({
              title,
              draftVersion: sql`${lessons.draftVersion} + 1`,
              draftAt: now,
              updatedAt: now,
            })
            .where(and(isOwn(ctx, id), sql`${lessons.title} <> ${title}`)),
    timed:
      minutes === undefined
        ? undefined
        : db.update(lessons).set({ minutes, updatedAt: now }).where(isOwn(ctx, id)),
    rows: lessonRows({ ownerId: ctx.ownerId, id }),
  });
  return toLesson(requireFound(rows[0]));
}

/**
 * Moves a lesson to the trash, from where it is deleted after 30 days. Learners no longer see it.
 *
 * @throws AppError `not_found` without such a lesson, and for one that is there already
 */
export async function trashLesson(ctx: ViewerContext, id: string): Promise<void> {
  const { trashed } = await ask(ctx, {
    trashed: db
      .update(lessons)
      .set({ deletedAt: ctx.now(), updatedAt: ctx.now() })
      .where(isOwn(ctx, id))
      .returning({ id: lessons.id }),
    numbered: numberLessons(ctx.ownerId, courseOfLesson(ctx.ownerId, id)),
  });
  requireFound(trashed[0]);
}

/**
 * Takes a lesson out of the trash, to where it was. Outside of it, it stays as it is.
 *
 * @throws AppError `not_found`, `too_many_lessons`
 */
export async function restoreLesson(ctx: ViewerContext, id: string): Promise<Lesson> {
  const { ownerId } = ctx;
  const isLesson = and(eq(lessons.id, id), eq(lessons.ownerId, ownerId));
  const { rows, all } = await ask(ctx, {
    restored: db
      .update(lessons)
      .set({ deletedAt: null, position: placeOfLesson, updatedAt: ctx.now() })
      .where(
        and(
          isLesson,
          isNotNull(lessons.deletedAt),
          hasRoomForLesson(sql`${lessons.ownerId}`, sql`${lessons.courseId}`),
        ),
      ),
    numbered: numberLessons(ownerId, courseOfLesson(ownerId, id)),
    rows: lessonRows({ ownerId, id }),
    all: db.select({ id: lessons.id }).from(lessons).where(isLesson),
  });
  if (rows[0] === undefined && all.length > 0) {
    throw new AppError('too_many_lessons');
  }
  return toLesson(requireFound(rows[0]));
}

/** How many characters a title can have. */
const maxTitle = 120;

/**
 * Copies the draft of a lesson to a new one after it.
 *
 * @throws AppError `not_found`, `too_many_lessons`, `rate_limited`
 */
export async function duplicateLesson(ctx: ViewerContext, id: string): Promise<Lesson> {
  const { ownerId, viewer } = ctx;
  const copyId = crypto.randomUUID();
  const now = ctx.now().getTime();
  const suffix = ` ${ctx.request.i18n._(msg`(copy)`)}`;
  const limit = await limitOn(ctx, [{ limit: 'lessons_per_user', subject: viewer.id }], 'allow');
  const { copy, rows, usage } = await ask(ctx, {
    copied: db.run(sql`INSERT INTO lessons (id, owner_id, course_id, section_id, position, minutes,
        title, document, words, draft_version, draft_at, created_at, updated_at)
      SELECT ${copyId}, owner_id, course_id, section_id, position + 0.5, minutes,
        rtrim(substr(title, 1, ${maxTitle - suffix.length})) || ${suffix}, document, words, 0,
        ${now}, ${now}, ${now}
      FROM lessons WHERE ${isOwn(ctx, id)} AND ${limit.hasRoom}
        AND ${hasRoomForLesson(sql`${lessons.ownerId}`, sql`${lessons.courseId}`)}`),
    numbered: numberLessons(ownerId, courseOfLesson(ownerId, copyId)),
    copy: lessonRows({ ownerId, id: copyId }),
    rows: db.select({ id: lessons.id }).from(lessons).where(isOwn(ctx, id)),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM lessons WHERE id = ${copyId})`),
  });
  if (copy[0] === undefined) {
    requireFound(rows[0]);
    refuseFull(ctx, usage.full);
    throw new AppError('too_many_lessons');
  }
  return toLesson(copy[0]);
}

/**
 * Moves a lesson before another one of a section of its course, or to its end.
 *
 * @returns the content in its new order
 * @throws AppError `not_found` without such a lesson, section, or lesson there
 */
export async function moveLesson(
  ctx: ViewerContext,
  id: string,
  { section_id: sectionId, before }: LessonMove,
): Promise<CourseContent> {
  const { ownerId } = ctx;
  const course = courseOfLesson(ownerId, id);
  const place =
    before === null
      ? endOfSection(sql`s.owner_id`, sql`s.id`)
      : sql`(SELECT b.position - 0.5 FROM lessons b WHERE b.id = ${before}
          AND b.owner_id = s.owner_id AND b.section_id = s.id AND b.deleted_at IS NULL)`;
  const { moved, content } = await ask(ctx, {
    moved: db.all<{ id: string }>(sql`UPDATE lessons SET section_id = target.id,
        position = target.place, updated_at = ${ctx.now().getTime()}
      FROM (SELECT s.id, s.course_id, ${place} AS place FROM sections s
        WHERE s.id = ${sectionId} AND s.owner_id = ${ownerId}) target
      WHERE ${isOwn(ctx, id)} AND lessons.course_id = target.course_id
        AND target.place IS NOT NULL
      RETURNING lessons.id`),
    numbered: numberLessons(ownerId, course),
    content: findContent(course)(ctx, sql`${ownerId}`),
  });
  requireFound(moved[0]);
  return requireFound(content);
}
