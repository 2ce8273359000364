import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { lessons } from '#db/schema/lessons.ts';
import { isBlank } from '#features/documents/document-text.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { lessonRows, toLesson } from './find-lesson.ts';
import { lessonChanged } from './save-draft.ts';
import type { Lesson } from './schema.ts';
import { isOwn, keepVersion, pruneVersions } from './versions.ts';

/**
 * Shows a draft to learners. Published already, it stays as it is.
 *
 * @param lesson read in the trip that found its owner
 * @param draftVersion the one that its author has looked at
 * @throws AppError `lesson_changed` with what is stored if the draft is newer; `lesson_empty`;
 *   `not_found`, `rate_limited`
 */
export async function publishLesson(
  ctx: ViewerContext,
  lesson: Lesson,
  draftVersion: number,
): Promise<Lesson> {
  const { ownerId, viewer } = ctx;
  const now = ctx.now();
  // Of another draft, this would not be its HTML.
  const html = lesson.draft_version === draftVersion ? renderDocument(lesson.document) : null;
  if (html !== null && isBlank(lesson.document)) {
    throw new AppError('lesson_empty');
  }
  const limit = await limitOn(
    ctx,
    [{ limit: 'lesson_publications_per_user', subject: viewer.id }],
    'allow',
  );
  const isToPublish = and(
    isOwn(ctx, lesson.id),
    eq(lessons.draftVersion, draftVersion),
    sql`${lessons.publishedVersion} IS NOT ${draftVersion}`,
    sql`${html} IS NOT NULL`,
    sql`${limit.hasRoom}`,
  );
  const { rows, usage } = await ask(ctx, {
    kept: keepVersion('published', now, isToPublish),
    published: db
      .update(lessons)
      .set({
        publishedTitle: sql`${lessons.title}`,
        html,
        publishedWords: sql`${lessons.words}`,
        publishedVersion: draftVersion,
        publishedAt: now,
        updatedAt: now,
      })
      .where(isToPublish),
    // Of an unchanged lesson nothing is kept, so it is not counted.
    usage: limit.count(sql`EXISTS (SELECT 1 FROM lessons WHERE ${isOwn(ctx, lesson.id)}
      AND published_version = ${draftVersion} AND published_at = ${now.getTime()})`),
    pruned: pruneVersions(ownerId, lesson.id, now),
    rows: lessonRows({ ownerId, id: lesson.id }),
  });
  const row = requireFound(rows[0]);
  const current = toLesson(row);
  if (row.publishedVersion !== draftVersion || row.draftVersion !== draftVersion) {
    refuseFull(ctx, row.draftVersion === draftVersion ? usage.full : []);
    throw lessonChanged({ ...row, document: current.document }, null);
  }
  return current;
}

/**
 * Takes a lesson from learners. What they have done of it stays.
 *
 * @throws AppError `not_found`
 */
export async function unpublishLesson(ctx: ViewerContext, id: string): Promise<Lesson> {
  const { rows } = await ask(ctx, {
    unpublished: db
      .update(lessons)
      .set({
        publishedTitle: null,
        html: null,
        publishedWords: null,
        publishedVersion: null,
        publishedAt: null,
        updatedAt: ctx.now(),
      })
      .where(and(isOwn(ctx, id), sql`${lessons.publishedAt} IS NOT NULL`)),
    rows: lessonRows({ ownerId: ctx.ownerId, id }),
  });
  return toLesson(requireFound(rows[0]));
}
