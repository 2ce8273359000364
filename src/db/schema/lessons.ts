import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { goesWith } from '#db/owned.ts';
import { sectionModes, versionReasons } from '#db/values.ts';
import { cohorts } from './cohorts.ts';
import { courses } from './courses.ts';
import { meetings } from './meetings.ts';

// Times are UTC milliseconds since 1970.

/** A part of a course's outline. All cohorts of a course read the same lessons. */
export const sections = sqliteTable(
  'sections',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    /** Null: without a heading. */
    title: text('title'),
    /** From 1, without gaps, in the course. */
    position: integer('position').notNull(),
    /** After how many days it opens; null: at once. */
    releaseDays: integer('release_days'),
    /** Chosen by the client, so that a retry creates nothing again; null without one. */
    idempotencyKey: text('idempotency_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('sections_course_fk', [table.ownerId, table.courseId], courses),
    check('sections_release_days_check', sql`${table.releaseDays} BETWEEN 0 AND 730`),
    // Referenced by lessons.
    unique('sections_owner_id_id_unique').on(table.ownerId, table.id),
    unique('sections_owner_id_idempotency_key_unique').on(table.ownerId, table.idempotencyKey),
    // The outline of a course, and what goes with one.
    index('sections_outline_index').on(table.ownerId, table.courseId, table.position, table.id),
  ],
);

/**
 * A lesson: what is being written, and beside it what learners see since it was last published. A
 * document is the JSON of ProseMirror: see features/documents.
 */
export const lessons = sqliteTable(
  'lessons',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    sectionId: text('section_id').notNull(),
    /**
     * From 1, without gaps among those of the section that are not in the trash. Of these, it is
     * below 0, and between the numbers of the others; 0: last.
     */
    position: integer('position').notNull(),
    /** The reading time that the instructor has typed; null: estimated by the words. */
    minutes: integer('minutes'),
    /** What is being written. `draftVersion` rises with each change of title or document. */
    title: text('title').notNull(),
    words: integer('words').notNull(),
    draftVersion: integer('draft_version').notNull().default(0),
    draftAt: integer('draft_at', { mode: 'timestamp_ms' }).notNull(),
    /** What learners see; null unless published. `publishedVersion` is the draft that it was. */
    publishedTitle: text('published_title'),
    publishedWords: integer('published_words'),
    publishedVersion: integer('published_version'),
    publishedAt: integer('published_at', { mode: 'timestamp_ms' }),
    /** When it was put into the trash, where it stays for 30 days. */
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
    /** Chosen by the client, so that a retry creates nothing again; null without one. */
    idempotencyKey: text('idempotency_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    // Last, because what stands after long texts is only found by reading through them.
    /** What learners read; null unless published. */
    html: text('html'),
    document: text('document').notNull(),
    /** What links of its course call it, if not its id. Read from its index alone. */
    linkKey: text('link_key'),
  },
  (table) => [
    goesWith('lessons_section_fk', [table.ownerId, table.sectionId], sections),
    goesWith('lessons_course_fk', [table.ownerId, table.courseId], courses),
    check(
      'lessons_published_check',
      sql`(${table.publishedAt} IS NULL) = (${table.html} IS NULL)
        AND (${table.publishedAt} IS NULL) = (${table.publishedTitle} IS NULL)`,
    ),
    check('lessons_minutes_check', sql`${table.minutes} BETWEEN 1 AND 600`),
    // Referenced by versions and marks.
    unique('lessons_owner_id_id_unique').on(table.ownerId, table.id),
    unique('lessons_owner_id_idempotency_key_unique').on(table.ownerId, table.idempotencyKey),
    // The outline, and what goes with a section or a course.
    index('lessons_section_index').on(table.ownerId, table.sectionId, table.position, table.id),
    index('lessons_course_index').on(table.ownerId, table.courseId),
    // How many lessons learners of a course see, without reading one.
    index('lessons_published_index')
      .on(table.ownerId, table.courseId)
      .where(sql`${table.publishedAt} IS NOT NULL AND ${table.deletedAt} IS NULL`),
    index('lessons_link_key_index')
      .on(table.ownerId, table.courseId, table.linkKey, table.id)
      .where(sql`${table.linkKey} IS NOT NULL`),
    // What the nightly run deletes from the trash.
    index('lessons_deleted_at_index')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} IS NOT NULL`),
  ],
);

/** What a lesson was before: nothing that was typed is thrown away at once. */
export const lessonVersions = sqliteTable(
  'lesson_versions',
  {
    id: integer('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    reason: oneOf('reason', versionReasons).notNull(),
    title: text('title').notNull(),
    document: text('document').notNull(),
    words: integer('words').notNull(),
  },
  (table) => [
    goesWith('lesson_versions_lesson_fk', [table.ownerId, table.lessonId], lessons),
    // Those of a lesson, the newest first, and what goes with one.
    index('lesson_versions_lesson_index').on(table.ownerId, table.lessonId, table.at),
  ],
);

/** What one cohort does with a section instead of the section's own rule. */
export const cohortSections = sqliteTable(
  'cohort_sections',
  {
    cohortId: text('cohort_id').notNull(),
    sectionId: text('section_id').notNull(),
    ownerId: text('owner_id').notNull(),
    mode: oneOf('mode', sectionModes).notNull(),
    /** A date, or a date and a time, on the clocks of the cohort's zone; the instant is derived. */
    opensLocal: text('opens_local'),
    opensAt: integer('opens_at', { mode: 'timestamp_ms' }),
    /** Without it, the section's own rule holds. */
    meetingId: text('meeting_id').references(() => meetings.id, { onDelete: 'set null' }),
    meetingEdge: text('meeting_edge', { enum: ['start', 'end'] }),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.sectionId] }),
    goesWith('cohort_sections_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    goesWith('cohort_sections_section_fk', [table.ownerId, table.sectionId], sections),
    // What goes with each.
    index('cohort_sections_cohort_index').on(table.ownerId, table.cohortId),
    index('cohort_sections_section_index').on(table.ownerId, table.sectionId),
    index('cohort_sections_meeting_index').on(table.meetingId),
  ],
);
