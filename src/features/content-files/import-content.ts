import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { requireSameRequest } from '#features/courses/create-course.ts';
import { emptyDocument } from '#features/documents/document.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { hasRoomInAll } from '#features/lessons/order.ts';
import { maxLessons, maxSections } from '#features/lessons/vocabulary.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import type { ContentImport, ContentImported } from './schema.ts';

/** How many characters of JSON one statement gets: D1 takes up to 2 MB as a value. */
const partLength = 400_000;

type Facts = { sections: number; lessons: number; isRoomInAll: number };
type FirstSection = {
  courseId: string;
  title: string | null;
  createdAt: number;
  updatedAt: number;
};

/**
 * Adds sections with lessons to the end of one of the viewer's courses, all as drafts and all or
 * nothing; or only says what it would add.
 *
 * @param idempotencyKey a retry with the same key adds nothing
 * @throws AppError `not_found` without such a course; `import_lesson_too_long`,
 *   `import_lesson_too_large`, `import_lesson_invalid`, `too_many_sections`, `too_many_lessons`,
 *   `too_many_lessons_in_all`, `idempotency_key_reused`, `rate_limited`
 */
export async function importContent(
  ctx: ViewerContext,
  courseId: string,
  { sections, dry_run: isDry }: ContentImport,
  idempotencyKey: string | null,
): Promise<ContentImported> {
  const { ownerId, viewer } = ctx;
  const now = ctx.now().getTime();
  const rows = sections.map((section) => ({ ...section, id: crypto.randomUUID() }));
  requireRoom(
    rows.length,
    rows.reduce((sum, { lessons }) => sum + lessons.length, 0),
  );
  const lessons = await checkLessons(rows);
  const name = isDry ? 'content_import_checks_per_user' : 'content_imports_per_user';
  const limit = await limitOn(ctx, [{ limit: name, subject: viewer.id }], 'refuse');
  const ofLessons = isDry
    ? []
    : [{ limit: 'lessons_at_once_per_user', subject: viewer.id } as const];
  const added = await limitOn(ctx, ofLessons, 'refuse');
  const isDone = isDry
    ? sql`EXISTS (SELECT 1 FROM courses c
        WHERE c.owner_id = ${ownerId} AND c.id = ${courseId})`
    : sql`EXISTS (SELECT 1 FROM sections s
        WHERE s.owner_id = ${ownerId} AND s.id = ${rows[0]?.id ?? ''})`;
  const counts = {
    sections: sql`(SELECT count(*) FROM sections s WHERE s.owner_id = c.owner_id AND s.course_id = c.id)`,
    lessons: sql`(SELECT count(*) FROM lessons l WHERE l.owner_id = c.owner_id
      AND l.course_id = c.id AND l.deleted_at IS NULL)`,
  };
  const isCourse = sql`c.owner_id = ${ownerId} AND c.id = ${courseId}`;
  const ofKey = sql`FROM sections k WHERE k.owner_id = ${ownerId} AND k.idempotency_key = ${idempotencyKey}`;
  const heads = JSON.stringify(
    rows.map(({ id, title, release_days: days }) => ({ id, title, days })),
  );
  const {
    facts: [facts],
    first: [first],
    usage,
    lessonUsage,
  } = await ask(ctx, {
    facts: db.all<Facts>(sql`SELECT ${counts.sections} AS sections, ${counts.lessons} AS lessons,
        ${hasRoomInAll(ownerId, lessons.length)} AS isRoomInAll
      FROM courses c WHERE ${isCourse}`),
    first: db.all<FirstSection>(sql`SELECT k.course_id AS courseId, k.title,
      k.created_at AS createdAt, k.updated_at AS updatedAt ${ofKey}`),
    ...(!isDry && {
      sections: db.run(sql`INSERT INTO sections
          (id, owner_id, course_id, title, release_days, position, idempotency_key, created_at,
            updated_at)
        SELECT v.value ->> 'id', c.owner_id, c.id, v.value ->> 'title', v.value ->> 'days',
          ${counts.sections} + v.key + 1, CASE v.key WHEN 0 THEN ${idempotencyKey} END, ${now}, ${now}
        FROM courses c, json_each(${heads}) v WHERE ${isCourse} AND ${limit.hasRoom}
          AND ${counts.sections} + ${rows.length} <= ${maxSections}
          AND ${counts.lessons} + ${lessons.length} <= ${maxLessons}
          AND ${added.hasRoom} AND ${hasRoomInAll(ownerId, lessons.length)}
          AND NOT EXISTS (SELECT 1 ${ofKey})`),
    }),
    // Without their sections there are none.
    ...(!isDry &&
      Object.fromEntries(
        partsOf(lessons).map((part, at) => [
          `lessons${at}`,
          db.run(sql`INSERT INTO lessons (id, owner_id, course_id, section_id, position, title,
              document, words, minutes, link_key, draft_version, draft_at, created_at, updated_at)
            SELECT v.value ->> 'id', s.owner_id, s.course_id, s.id, v.value ->> 'position',
              v.value ->> 'title', v.value ->> 'document', v.value ->> 'words',
              v.value ->> 'minutes', v.value ->> 'linkKey', 0, ${now}, ${now}, ${now}
            FROM json_each(${part}) v
              JOIN sections s ON s.owner_id = ${ownerId} AND s.id = v.value ->> 'section'`),
        ]),
      )),
    usage: limit.count(isDone),
    lessonUsage: added.count(isDone, sql`${lessons.length}`),
  });
  const before = requireFound(facts);
  const result = { sections: rows.length, lessons: lessons.length, is_done: !isDry };
  if (first !== undefined && !isDry) {
    const dates = { createdAt: new Date(first.createdAt), updatedAt: new Date(first.updatedAt) };
    requireSameRequest([dates], first.courseId === courseId && first.title === rows[0]?.title);
    return result;
  }
  refuseFull(ctx, [...usage.full, ...lessonUsage.full]);
  requireRoom(before.sections + rows.length, before.lessons + lessons.length);
  if (before.isRoomInAll === 0) {
    throw new AppError('too_many_lessons_in_all');
  }
  return result;
}

/** @throws AppError for more than a course can have */
function requireRoom(sections: number, lessons: number): void {
  if (sections > maxSections) {
    throw new AppError('too_many_sections');
  }
  if (lessons > maxLessons) {
    throw new AppError('too_many_lessons');
  }
}

type LessonRow = { id: string; section: string; position: number; document: string };

const refusals = {
  lesson_text_too_long: 'import_lesson_too_long',
  lesson_text_too_large: 'import_lesson_too_large',
} as const;

/** @throws AppError that names the first lesson that can't be stored */
async function checkLessons(
  sections: (ContentImport['sections'][number] & { id: string })[],
): Promise<LessonRow[]> {
  // ProseMirror is not in the cold start.
  const { readDocument } = await import('#features/documents/read-document.ts');
  return sections.flatMap(({ id: section, lessons }) =>
    lessons.map(({ title, minutes = null, link_key: linkKey, document = emptyDocument }, at) => {
      const read = readDocument(document);
      if ('refusal' in read) {
        const { refusal } = read;
        throw typeof refusal === 'string'
          ? new AppError(refusals[refusal], { values: { lesson: title } })
          : new AppError('import_lesson_invalid', { values: { lesson: title, ...refusal.values } });
      }
      const { json, words } = read;
      const id = crypto.randomUUID();
      return { id, section, position: at + 1, title, minutes, linkKey, words, document: json };
    }),
  );
}

/** Lists of lessons in JSON, none of which is too long unless one lesson alone is. */
function partsOf(lessons: LessonRow[]): string[] {
  const parts: string[][] = [];
  let length = 0;
  for (const lesson of lessons) {
    const json = JSON.stringify(lesson);
    const part = parts.at(-1);
    length += json.length;
    if (part === undefined || length > partLength) {
      parts.push([json]);
      length = json.length;
    } else {
      part.push(json);
    }
  }
  return parts.map((part) => `[${part.join()}]`);
}
