import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { toJson } from '#lib/to-json.ts';
import { addressOf, type FileRow, type toShown } from './file-addresses.ts';
import { groupOf } from './file-types.ts';
import { CourseFile } from './schema.ts';
import { stemOf } from './shown-file.ts';

/** What pages read of file `f`. */
const fileColumns = sql`f.key, f.object_key AS objectKey, f.name,
  f.content_type AS contentType, f.size, f.width, f.height, f.created_at AS createdAt`;

/** A file of a lesson; without a lesson, captions that its course has for a video. */
export type LessonFileRow = FileRow & { lessonId: string | null; createdAt: number };

/**
 * The files that lessons have, or had in an earlier version, and their course's captions of the
 * videos among them, which no text has to have.
 *
 * @param uses a FROM clause with `lesson_files u`
 */
export function lessonFileRows(uses: SQL, where: SQL) {
  return db.all<LessonFileRow>(sql`WITH used AS (SELECT u.lesson_id, f.* FROM ${uses}
      JOIN files f ON f.owner_id = u.owner_id AND f.id = u.file_id
      WHERE ${where} AND f.upload_id IS NULL)
    SELECT f.lesson_id AS lessonId, ${fileColumns} FROM used f
    UNION ALL SELECT NULL, ${fileColumns} FROM files f
    WHERE (f.owner_id, f.course_id) = (SELECT v.owner_id, v.course_id FROM used v WHERE ${isVideo} LIMIT 1)
      AND ${isCaptions(sql`f`)} AND ${stemIn(sql`f`)} IN (SELECT ${stemIn(sql`v`)} FROM used v WHERE ${isVideo})`);
}

/** Whether file `v` is a video. */
const isVideo = sql`v.content_type LIKE 'video/%'`;

function isCaptions(file: SQL): SQL {
  return sql`(${file}.content_type = 'text/vtt' AND ${file}.upload_id IS NULL)`;
}

/** The name of a file up to its ending, which captions have in common with their video. */
function stemIn(file: SQL): SQL {
  return sql`lower(rtrim(${file}.name, replace(${file}.name, '.', '')))`;
}

/** Whether a file has captions of a video that some lesson has. */
export function hasUsedVideo(file: SQL): SQL {
  return sql`(${isCaptions(file)} AND EXISTS (SELECT 1 FROM files v
    WHERE v.owner_id = ${file}.owner_id AND v.course_id = ${file}.course_id AND v.uses > 0
      AND ${isVideo} AND ${stemIn(sql`v`)} = ${stemIn(file)}))`;
}

/** The files of one lesson: see `lessonFileRows`. */
export const filesOfLesson = prepared(({ ownerId, lessonId }: Given<'ownerId' | 'lessonId'>) =>
  lessonFileRows(sql`lesson_files u`, sql`u.owner_id = ${ownerId} AND u.lesson_id = ${lessonId}`),
);

/**
 * Those of some files that a text has, as `renderDocument` has written it, and then the captions of
 * its videos, the newest first.
 */
export function filesIn(html: string, rows: readonly LessonFileRow[]): LessonFileRow[] {
  const keys = new Set(Array.from(html.matchAll(/"([a-z0-9]{10})"/g), ([, key]) => key));
  const own = rows.filter(({ key, lessonId }) => lessonId !== null && keys.has(key));
  const videos = own.filter(({ contentType }) => groupOf(contentType) === 'video');
  const stems = new Set(videos.map(stemOf));
  const captions = rows.filter(
    (row) => row.lessonId === null && !keys.has(row.key) && stems.has(stemOf(row)),
  );
  return [...own, ...captions.toSorted((one, other) => other.createdAt - one.createdAt)];
}

/** The rows of a course's files: see `toCourseFiles`. */
export type CourseFileRows = AnswerFrom<typeof findCourseFiles>;

/** The files of one of the viewer's courses; null if there is no such course. */
export function findCourseFiles(courseId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        courses: courseRow({ ownerId, courseId }),
        ...rowsWhere(isOfCourse({ ownerId, courseId })),
      },
      ({ courses: [course], files, uses }) => (course === undefined ? null : { files, uses }),
    );
}

/** The files of the course that the viewer has selected, also those that are being uploaded. */
export function findSelectedFiles(_ctx: Context, _ownerId: SQL, userId: SQL) {
  return query(rowsWhere(isOfSelected({ userId })), (rows): CourseFileRows => rows);
}

function rowsWhere(where: SQL) {
  return { files: courseFileRows({ where }), uses: usageRows({ where }) };
}

const courseRow = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db.all<{ id: string }>(
    sql`SELECT c.id FROM courses c WHERE c.owner_id = ${ownerId} AND c.id = ${courseId}`,
  ),
);

/** Whether file `f` is one of a course. */
const isOfCourse = fragment(
  ({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
    sql`f.owner_id = ${ownerId} AND f.course_id = ${courseId} AND f.upload_id IS NULL`,
);

const isOfSelected = fragment(
  ({ userId }: Given<'userId'>) =>
    sql`(f.owner_id, f.course_id) = (SELECT u.id, u.selected_course_id FROM users u
      WHERE u.id = ${userId})`,
);

const courseFileRows = prepared(({ where }: Given<'where'>) =>
  db.all<FileRow & { id: string; createdAt: number; isUnfinished: 0 | 1 }>(
    sql`SELECT f.id, f.upload_id IS NOT NULL AS isUnfinished,
        ${fileColumns}
      FROM files f WHERE ${where}`,
  ),
);

const usageRows = prepared(({ where }: Given<'where'>) =>
  db.all<{ fileId: string; id: string; title: string; isTrashed: number }>(
    sql`SELECT u.file_id AS fileId, l.id, l.title, l.deleted_at IS NOT NULL AS isTrashed
      FROM files f
        JOIN lesson_files u ON u.owner_id = f.owner_id AND u.file_id = f.id
        JOIN lessons l ON l.owner_id = u.owner_id AND l.id = u.lesson_id
      WHERE ${where}`,
  ),
);

/** A file as its page lists it; the address is null while its upload is not finished. */
export type ListedFile = Omit<CourseFile, 'url'> & { url: string | null };

/** The files of a course as their page lists them, the newest first. */
export async function toListedFiles(
  ctx: Parameters<typeof toShown>[0],
  rows: CourseFileRows,
): Promise<ListedFile[]> {
  const unfinished = new Set(rows.files.flatMap((row) => (row.isUnfinished ? row.id : [])));
  const listed = await toCourseFiles(ctx, rows);
  return listed.map((file) => (unfinished.has(file.id) ? { ...file, url: null } : file));
}

/** The files of a course as the API returns them, the newest first; captions are used with a video. */
export function toCourseFiles(
  ctx: Parameters<typeof toShown>[0],
  { files, uses }: CourseFileRows,
): Promise<CourseFile[]> {
  const usesOf = Map.groupBy(uses, ({ fileId }) => fileId);
  const videos = files.filter(({ contentType }) => groupOf(contentType) === 'video');
  const videosOf = Map.groupBy(videos, stemOf);
  const lessonsOf = (row: CourseFileRows['files'][number]) => {
    const isCaptions = groupOf(row.contentType) === 'captions';
    const used = [row, ...(isCaptions ? (videosOf.get(stemOf(row)) ?? []) : [])];
    const lessons = used.flatMap(({ id }) => usesOf.get(id) ?? []);
    return new Map(lessons.map(({ id, title }) => [id, { id, title }])).values().toArray();
  };
  return Promise.all(
    files
      .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1))
      .map(async (row) =>
        toJson(CourseFile, {
          ...row,
          createdAt: new Date(row.createdAt),
          url: await addressOf(ctx, row),
          lessons: lessonsOf(row),
        }),
      ),
  );
}
