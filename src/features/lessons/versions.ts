import 'server-only';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { lessons, lessonVersions } from '#db/schema/lessons.ts';
import type { VersionReason } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireFound } from '#lib/app-error.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { lessonRows, toLesson } from './find-lesson.ts';
import { type Lesson, LessonVersion, LessonVersionText } from './schema.ts';

/**
 * How many versions of a lesson stay, as many texts of conflicts, and for how many days all those
 * that were published.
 */
const kept = { versions: 50, publishedDays: 365 };

/** What lists show of a version. */
const listedColumns = pick(lessonVersions, ['id', 'at', 'reason', 'title', 'words']);

/**
 * What one of the viewer's lessons was before, the newest first.
 *
 * @throws AppError `not_found` without such a lesson, and for one in the trash
 */
export function listVersions(lessonId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      { lesson: ownLesson({ ownerId, lessonId }), rows: listedRows({ ownerId, lessonId }) },
      ({ lesson, rows }) => {
        requireFound(lesson[0]);
        return rows.map((row) => toJson(LessonVersion, row));
      },
    );
}

const ownLesson = prepared(({ ownerId, lessonId }: Given<'ownerId' | 'lessonId'>) =>
  db
    .select({ id: lessons.id })
    .from(lessons)
    .where(and(eq(lessons.ownerId, ownerId), eq(lessons.id, lessonId), isNull(lessons.deletedAt))),
);

/** The newest versions of a lesson. */
export function newestVersions(ownerId: SQL, lessonId: SQL, most: number) {
  return db
    .select(listedColumns)
    .from(lessonVersions)
    .where(and(eq(lessonVersions.ownerId, ownerId), eq(lessonVersions.lessonId, lessonId)))
    .orderBy(desc(lessonVersions.at), desc(lessonVersions.id))
    .limit(most);
}

/** More than the clean-up leaves of a lesson that is published every day. */
export const listedRows = prepared(({ ownerId, lessonId }: Given<'ownerId' | 'lessonId'>) =>
  newestVersions(ownerId, lessonId, 500),
);

/**
 * One version of one of the viewer's lessons with its text; null if there is none.
 *
 * @param id null: the newest
 */
export function findVersion(lessonId: string, id: string | number | null) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: versionRow({ ownerId, lessonId, id }) }, ({ rows: [row] }) =>
      row === undefined
        ? null
        : toJson(LessonVersionText, { ...row, document: JSON.parse(row.document) }),
    );
}

const versionRow = prepared(({ ownerId, lessonId, id }: Given<'ownerId' | 'lessonId' | 'id'>) =>
  db
    .select({ ...listedColumns, document: lessonVersions.document })
    .from(lessonVersions)
    .innerJoin(lessons, eq(lessons.id, lessonVersions.lessonId))
    .where(
      and(
        sql`${lessonVersions.id} = coalesce(${id}, ${lessonVersions.id})`,
        eq(lessonVersions.ownerId, ownerId),
        eq(lessonVersions.lessonId, lessonId),
        isNull(lessons.deletedAt),
      ),
    )
    .orderBy(desc(lessonVersions.at), desc(lessonVersions.id))
    .limit(1),
);

/**
 * Makes what a lesson was before its draft again. What it is now is kept as a version.
 *
 * @throws AppError `not_found` without such a lesson or version
 */
export async function restoreVersion(
  ctx: ViewerContext,
  lessonId: string,
  id: string,
): Promise<Lesson> {
  const { ownerId } = ctx;
  const now = ctx.now();
  const isVersion = sql`v.id = ${id} AND v.owner_id = ${ownerId} AND v.lesson_id = ${lessonId}`;
  const differs = sql`EXISTS (SELECT 1 FROM lesson_versions v WHERE ${isVersion}
    AND (v.title <> ${lessons.title} OR v.document <> ${lessons.document}))`;
  const { rows, version } = await ask(ctx, {
    before: keepVersion('restored', now, and(isOwn(ctx, lessonId), differs)),
    restored: db.run(sql`UPDATE lessons SET title = v.title, document = v.document,
        words = v.words, draft_version = draft_version + 1, draft_at = ${now.getTime()},
        updated_at = ${now.getTime()}
      FROM lesson_versions v WHERE ${isVersion} AND ${isOwn(ctx, lessonId)} AND ${differs}`),
    pruned: pruneVersions(ownerId, lessonId, now),
    version: db.all<{ id: number }>(sql`SELECT v.id FROM lesson_versions v WHERE ${isVersion}`),
    rows: lessonRows({ ownerId, id: lessonId }),
  });
  requireFound(version[0]);
  return toLesson(requireFound(rows[0]));
}

/** Whether a row is one of the viewer's lessons outside the trash. */
export function isOwn(ctx: ViewerContext, id: string): SQL | undefined {
  return and(eq(lessons.id, id), eq(lessons.ownerId, ctx.ownerId), isNull(lessons.deletedAt));
}

/** Keeps what a lesson is as a version of it, before it changes. */
export function keepVersion(reason: VersionReason, now: Date, where: SQL | undefined) {
  return db.run(sql`INSERT INTO lesson_versions
      (owner_id, lesson_id, at, reason, title, document, words)
    SELECT owner_id, id, ${now.getTime()}, ${reason}, title, document, words
    FROM lessons WHERE ${where}`);
}

/**
 * Deletes the versions of a lesson that no longer stay, if one was added now. The text that has won
 * a conflict is the version after the one that has lost it.
 */
export function pruneVersions(ownerId: string, lessonId: string, now: Date) {
  const isOfLesson = sql`v.owner_id = ${ownerId} AND v.lesson_id = ${lessonId}`;
  return db.run(sql`DELETE FROM lesson_versions WHERE id IN (SELECT v.id FROM lesson_versions v
      WHERE ${isOfLesson} AND (v.reason <> 'published'
        OR v.at <= ${now.getTime() - kept.publishedDays * dayMs})
      AND v.id NOT IN (SELECT v.id FROM lesson_versions v WHERE ${isOfLesson}
        ORDER BY v.at DESC, v.id DESC LIMIT ${kept.versions})
      AND v.id NOT IN (SELECT v.id FROM lesson_versions v WHERE ${isOfLesson}
        AND 'conflict' IN (v.reason, (SELECT w.reason FROM lesson_versions w
          WHERE w.owner_id = v.owner_id AND w.lesson_id = v.lesson_id AND w.at <= v.at
            AND w.id < v.id ORDER BY w.at DESC, w.id DESC LIMIT 1))
        ORDER BY v.at DESC, v.id DESC LIMIT ${kept.versions}))
    AND EXISTS (SELECT 1 FROM lesson_versions v WHERE ${isOfLesson} AND v.at = ${now.getTime()})`);
}
