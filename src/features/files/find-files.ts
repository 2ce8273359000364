import 'server-only';
import { sql } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { type FileRow, toShown } from './file-addresses.ts';
import type { ShownFile } from './schema.ts';

/** What pages read of file `f`. */
export const fileColumns = sql`f.key, f.object_key AS objectKey, f.name,
  f.content_type AS contentType, f.size, f.width, f.height`;

/** The files that a lesson has, or had in an earlier version. */
export const filesOfLesson = prepared(({ ownerId, lessonId }: Given<'ownerId' | 'lessonId'>) =>
  db.all<FileRow>(sql`SELECT ${fileColumns} FROM lesson_files u JOIN files f ON f.owner_id = u.owner_id AND f.id = u.file_id
    WHERE u.owner_id = ${ownerId} AND u.lesson_id = ${lessonId} AND f.upload_id IS NULL`),
);

/** All files of a course. */
export const filesOfCourse = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db.all<FileRow>(sql`SELECT ${fileColumns} FROM files f
    WHERE f.owner_id = ${ownerId} AND f.course_id = ${courseId} AND f.upload_id IS NULL`),
);

/** Those of some files that a text has, as `renderDocument` has written it. */
export function filesIn(
  ctx: Parameters<typeof toShown>[0],
  html: string,
  rows: readonly FileRow[],
): Promise<ShownFile[]> {
  return toShown(
    ctx,
    rows.filter(({ key }) => html.includes(`"${key}"`)),
  );
}
