import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { goesWith } from '#db/owned.ts';
import { cohorts } from './cohorts.ts';
import { lessons } from './lessons.ts';
import { enrollments, people } from './people.ts';

// Times are UTC milliseconds since 1970.

/**
 * How far someone is in the lessons: a row for each enrollment that has ever been `enrolled`, which
 * a trigger writes. See docs/decisions/0086-lessons.md.
 */
export const learning = sqliteTable(
  'learning',
  {
    enrollmentId: text('enrollment_id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    /** When they were first enrolled. Never changes, also if they leave and come back. */
    startedAt: integer('started_at', { mode: 'timestamp_ms' }).notNull(),
    /** When they last opened a lesson or marked one as done, and which. */
    lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }),
    lastLessonId: text('last_lesson_id').references(() => lessons.id, { onDelete: 'set null' }),
    /** How many of the published lessons they have done. Only triggers write it. */
    done: integer('done').notNull().default(0),
    /** When something opens for them next, and reminders of who has stopped. */
    nextReleaseAt: integer('next_release_at', { mode: 'timestamp_ms' }),
    nudges: integer('nudges').notNull().default(0),
    nudgeDueAt: integer('nudge_due_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    goesWith('learning_enrollment_fk', [table.ownerId, table.enrollmentId], enrollments),
    index('learning_enrollment_index').on(table.ownerId, table.enrollmentId),
    // Who has stopped, in a cohort.
    index('learning_cohort_index').on(table.cohortId, table.lastSeenAt),
    index('learning_last_lesson_index').on(table.lastLessonId),
    index('learning_next_release_index')
      .on(table.nextReleaseAt)
      .where(sql`${table.nextReleaseAt} IS NOT NULL`),
    index('learning_nudge_index').on(table.nudgeDueAt).where(sql`${table.nudgeDueAt} IS NOT NULL`),
  ],
);

/** That someone has opened a lesson, and has done it. Nothing else of their reading is kept. */
export const lessonMarks = sqliteTable(
  'lesson_marks',
  {
    enrollmentId: text('enrollment_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    ownerId: text('owner_id').notNull(),
    /** That of the enrollment: in a cascade, triggers can no longer look it up. */
    cohortId: text('cohort_id').notNull(),
    openedAt: integer('opened_at', { mode: 'timestamp_ms' }).notNull(),
    doneAt: integer('done_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    primaryKey({ columns: [table.enrollmentId, table.lessonId] }),
    goesWith('lesson_marks_enrollment_fk', [table.ownerId, table.enrollmentId], enrollments),
    goesWith('lesson_marks_lesson_fk', [table.ownerId, table.lessonId], lessons),
    // What goes with each.
    index('lesson_marks_enrollment_index').on(table.ownerId, table.enrollmentId),
    index('lesson_marks_lesson_index').on(table.ownerId, table.lessonId),
  ],
);

/** How many people of a cohort have opened and done a lesson. Only triggers write here. */
export const lessonCounts = sqliteTable(
  'lesson_counts',
  {
    cohortId: text('cohort_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    ownerId: text('owner_id').notNull(),
    opened: integer('opened').notNull(),
    done: integer('done').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.lessonId] }),
    goesWith('lesson_counts_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    goesWith('lesson_counts_lesson_fk', [table.ownerId, table.lessonId], lessons),
    // What goes with each.
    index('lesson_counts_cohort_index').on(table.ownerId, table.cohortId),
    index('lesson_counts_lesson_index').on(table.ownerId, table.lessonId),
  ],
);

/** The six digits with which a learner continues in another browser: one a person. */
export const learnerCodes = sqliteTable(
  'learner_codes',
  {
    personId: text('person_id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    attemptHash: text('attempt_hash').notNull(),
    codeHash: text('code_hash').notNull(),
    /** How many wrong codes were typed. */
    tries: integer('tries').notNull().default(0),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('learner_codes_person_fk', [table.ownerId, table.personId], people),
    index('learner_codes_person_index').on(table.ownerId, table.personId),
    // The attempt of a browser.
    index('learner_codes_attempt_index').on(table.attemptHash),
    // For the clean-up.
    index('learner_codes_expires_at_index').on(table.expiresAt),
  ],
);
