import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { goesWith } from '#db/owned.ts';
import { courses } from './courses.ts';
import { lessons } from './lessons.ts';

// Times are UTC milliseconds since 1970.

/**
 * A file of a course, whose bytes are an object in R2. Copies of a course share the objects of the
 * first one.
 */
export const files = sqliteTable(
  'files',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    /** What lessons call it: the same in a copy of the course, so that its texts need no change. */
    key: text('key').notNull(),
    objectKey: text('object_key').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    /** In bytes, as declared before the upload, which has to have as many. */
    size: integer('size').notNull(),
    /** In pixels; null for what is no image. */
    width: integer('width'),
    height: integer('height'),
    /** The upload at R2, and its parts so far, as JSON by their numbers; null when it is over. */
    uploadId: text('upload_id'),
    parts: text('parts'),
    /** How many lessons have it, or had it in an earlier version; kept by triggers. */
    uses: integer('uses').notNull().default(0),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('files_course_fk', [table.ownerId, table.courseId], courses),
    // Referenced by lesson_files.
    unique('files_owner_id_id_unique').on(table.ownerId, table.id),
    // Those of a course, and what goes with one.
    unique('files_key_unique').on(table.ownerId, table.courseId, table.key),
    // Whether another row has an object.
    index('files_object_index').on(table.objectKey),
    // How much an owner has, an object once.
    index('files_owner_index').on(table.ownerId, table.objectKey, table.size),
    // What the clock deletes: abandoned uploads, and what no lesson has.
    index('files_upload_index').on(table.createdAt).where(sql`${table.uploadId} IS NOT NULL`),
    index('files_unused_index').on(table.createdAt).where(sql`${table.uses} = 0`),
  ],
);

/** Which files a lesson has, or had: triggers add a row where a document names a file. */
export const lessonFiles = sqliteTable(
  'lesson_files',
  {
    lessonId: text('lesson_id').notNull(),
    fileId: text('file_id').notNull(),
    ownerId: text('owner_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lessonId, table.fileId] }),
    goesWith('lesson_files_lesson_fk', [table.ownerId, table.lessonId], lessons),
    goesWith('lesson_files_file_fk', [table.ownerId, table.fileId], files),
    // What goes with each.
    index('lesson_files_lesson_index').on(table.ownerId, table.lessonId),
    index('lesson_files_file_index').on(table.ownerId, table.fileId),
  ],
);

/**
 * Objects in R2 that the clock deletes: triggers add those that nothing refers to anymore, and a
 * picture is listed before it is stored, until something refers to it.
 */
export const objectsGone = sqliteTable(
  'objects_gone',
  {
    objectKey: text('object_key').primaryKey(),
    /** Of an upload that never ended; null for an object. */
    uploadId: text('upload_id'),
    /** Not before this time. */
    deleteAt: integer('delete_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('objects_gone_delete_at_index').on(table.deleteAt)],
);
