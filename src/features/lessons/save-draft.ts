import 'server-only';
import { and, eq, not, type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { lessons } from '#db/schema/lessons.ts';
import { emptyDocument, type LessonDocument } from '#features/documents/document.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { type DraftInput, type LessonChanged, SavedDraft } from './schema.ts';
import { isOwn, keepVersion, pruneVersions } from './versions.ts';

/** What a draft was is kept at most this often, unless most of it goes. */
const versionEveryMs = 10 * 60 * 1000;

/**
 * Saves title and document of one of the viewer's lessons, if it is still the version that the
 * editor has seen. Otherwise what was sent is kept as a version. The same again changes nothing.
 *
 * @throws AppError `lesson_changed` with what is stored; `validation_failed` for a document that
 *   cannot be stored; `rate_limited`, `not_found`
 */
export async function saveDraft(
  ctx: ViewerContext,
  id: string,
  { title, document, based_on: basedOn }: DraftInput,
): Promise<SavedDraft> {
  const { json, words } = await checkDocument(document);
  const { ownerId, viewer } = ctx;
  const now = ctx.now();
  const limit = await limitOn(
    ctx,
    [{ limit: 'lesson_saves_per_user', subject: viewer.id }],
    'allow',
  );
  const isStored = and(eq(lessons.title, title), eq(lessons.document, json)) ?? sql`true`;
  const isLesson = isOwn(ctx, id);
  const isToChange = and(isLesson, not(isStored), sql`${limit.hasRoom}`);
  const isSeen = and(isToChange, eq(lessons.draftVersion, basedOn));
  const versionWhere = (condition: SQL) => sql`EXISTS (SELECT 1 FROM lesson_versions v
    WHERE v.owner_id = ${ownerId} AND v.lesson_id = ${id} AND ${condition})`;
  // Also what another tab has lost to, which may be about to win.
  const isWorthKeeping = sql`${lessons.document} <> ${JSON.stringify(emptyDocument)}
    AND (${json.length} * 2 < length(${lessons.document})
      OR NOT ${versionWhere(sql`v.at > ${now.getTime() - versionEveryMs}`)}
      OR ${versionWhere(sql`v.reason = 'conflict' AND v.at >= ${lessons.draftAt}`)})`;
  const conflict = sql`(SELECT max(v.id) FROM lesson_versions v WHERE v.owner_id = ${ownerId}
    AND v.lesson_id = ${id} AND v.reason = 'conflict' AND v.title = ${title}
    AND v.document = ${json})`;
  const {
    stored: [stored],
    usage,
  } = await ask(ctx, {
    replaced: keepVersion('saved', now, and(isSeen, isWorthKeeping)),
    saved: db
      .update(lessons)
      .set({
        title,
        document: json,
        words,
        draftVersion: sql`${lessons.draftVersion} + 1`,
        draftAt: now,
        updatedAt: now,
      })
      .where(isSeen),
    // After a save this is what is stored.
    lost: db.run(sql`INSERT INTO lesson_versions
        (owner_id, lesson_id, at, reason, title, document, words)
      SELECT owner_id, id, ${now.getTime()}, 'conflict', ${title}, ${json}, ${words}
      FROM lessons WHERE ${isToChange} AND ${conflict} IS NULL`),
    pruned: pruneVersions(ownerId, id, now),
    stored: db
      .select({
        draftVersion: lessons.draftVersion,
        savedAt: lessons.draftAt,
        words: lessons.words,
        title: lessons.title,
        /** Null if it is what was sent. */
        other: sql<string | null>`CASE WHEN ${isStored} THEN NULL ELSE ${lessons.document} END`.as(
          'other',
        ),
        conflictVersionId: sql<
          number | null
        >`CASE WHEN ${isStored} THEN NULL ELSE ${conflict} END`.as('conflict_version_id'),
      })
      .from(lessons)
      .where(isLesson),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM lessons WHERE ${isLesson})`),
  });
  refuseFull(ctx, usage.full);
  const { other, conflictVersionId, ...saved } = requireFound(stored);
  if (other !== null) {
    throw lessonChanged({ ...saved, document: JSON.parse(other) }, conflictVersionId);
  }
  return toJson(SavedDraft, saved);
}

type Stored = { draftVersion: number; title: string; document: LessonDocument; savedAt: Date };

/** The refusal with what is stored instead of what the caller has seen. */
export function lessonChanged(
  { draftVersion, title, document, savedAt }: Stored,
  conflictVersionId: number | null,
): AppError {
  return new AppError('lesson_changed', {
    details: {
      lesson: { draft_version: draftVersion, title, document, saved_at: savedAt.toISOString() },
      conflict_version_id: conflictVersionId,
    } satisfies LessonChanged,
  });
}

/**
 * A document as it is stored. ProseMirror, which checks it, is not in the cold start.
 *
 * @throws AppError `validation_failed` if it cannot be
 */
export async function checkDocument(
  document: LessonDocument,
): Promise<{ json: string; words: number }> {
  const { readDocument } = await import('#features/documents/read-document.ts');
  const read = readDocument(document);
  if ('refusal' in read) {
    throw new AppError('validation_failed', { fields: { document: [read.refusal] } });
  }
  return read;
}
