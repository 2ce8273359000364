import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { goesWith } from '#db/owned.ts';
import { enrollmentStatuses, standings } from '#db/values.ts';
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
    /** From when their access counts in an open run: the latest enrollment or charge. By triggers. */
    accessFrom: integer('access_from', { mode: 'timestamp_ms' }).notNull().default(sql`0`),
    /** When they last opened a lesson or marked one as done, and which. */
    lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }),
    lastLessonId: text('last_lesson_id').references(() => lessons.id, { onDelete: 'set null' }),
    /** How many of the published lessons they have done. Only triggers write it. */
    done: integer('done').notNull().default(0),
    /**
     * When a section opens for them next, for the email about it; null if none does. Triggers make
     * it negative, or 0 where there was none, when a rule changes: the clock then looks again.
     */
    nextReleaseAt: integer('next_release_at'),
    /** When they were last told of one. */
    announcedAt: integer('announced_at', { mode: 'timestamp_ms' }),
    /** How many reminders they got because they had stopped, and when the next is due. */
    nudges: integer('nudges').notNull().default(0),
    nudgeDueAt: integer('nudge_due_at', { mode: 'timestamp_ms' }),
    /**
     * How they stand in an open run, by the triggers of migration 0027; null elsewhere, and for
     * those who are not enrolled. From `quietAt` on, someone under way counts as stuck, or as not
     * started: the clock then writes that, and people are listed by both.
     */
    standing: oneOf('standing', standings),
    quietAt: integer('quiet_at', { mode: 'timestamp_ms' }),
    /** Whether their instructor has taken a completion back: then only a press completes it again. */
    takenBack: integer('taken_back', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    goesWith('learning_enrollment_fk', [table.ownerId, table.enrollmentId], enrollments),
    index('learning_enrollment_index').on(table.ownerId, table.enrollmentId),
    // Who has stopped, in a cohort.
    index('learning_cohort_index').on(table.cohortId, table.lastSeenAt),
    // Who is stuck, in an open run.
    index('learning_standing_index').on(table.cohortId, table.standing, table.quietAt),
    // Who has done all that there is, in an open run.
    index('learning_done_index')
      .on(table.cohortId, table.done)
      .where(sql`${table.standing} <> 'completed'`),
    // Whom the clock has to call stuck.
    index('learning_quiet_index').on(table.quietAt).where(sql`${table.standing} = 'under_way'`),
    index('learning_last_lesson_index').on(table.lastLessonId),
    index('learning_next_release_index')
      .on(table.nextReleaseAt)
      .where(sql`${table.nextReleaseAt} IS NOT NULL`),
    index('learning_nudge_index').on(table.nudgeDueAt).where(sql`${table.nudgeDueAt} IS NOT NULL`),
  ],
);

/** How many people of an open run stand in each way. Only triggers write here. */
export const runCounts = sqliteTable(
  'run_counts',
  {
    cohortId: text('cohort_id').notNull(),
    standing: oneOf('standing', standings).notNull(),
    ownerId: text('owner_id').notNull(),
    people: integer('people').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.standing] }),
    goesWith('run_counts_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    index('run_counts_cohort_index').on(table.ownerId, table.cohortId),
  ],
);

/** How many people of an open run have each status. Only triggers write here. */
export const runStatuses = sqliteTable(
  'run_statuses',
  {
    cohortId: text('cohort_id').notNull(),
    status: oneOf('status', enrollmentStatuses).notNull(),
    ownerId: text('owner_id').notNull(),
    people: integer('people').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.status] }),
    goesWith('run_statuses_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    index('run_statuses_cohort_index').on(table.ownerId, table.cohortId),
  ],
);

/** How many people of an open run have started and completed it on a day. Only triggers write. */
export const runDays = sqliteTable(
  'run_days',
  {
    cohortId: text('cohort_id').notNull(),
    /** Days since 1970, by UTC. */
    day: integer('day').notNull(),
    ownerId: text('owner_id').notNull(),
    started: integer('started').notNull().default(0),
    completed: integer('completed').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.day] }),
    goesWith('run_days_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    index('run_days_cohort_index').on(table.ownerId, table.cohortId),
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
