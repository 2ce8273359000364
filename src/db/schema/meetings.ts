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
import { goesWith } from '#db/owned.ts';
import { cohorts } from './cohorts.ts';
import { enrollments } from './people.ts';

/**
 * The live sessions of a cohort. They are `meetings` in code, because `sessions` are sign-ins.
 *
 * `starts_local` is what the instructor has chosen, on the clocks of the cohort's zone; `starts_at`
 * is derived from it and renewed every night, as in the table of cohorts. A length in minutes, so
 * that no change of clocks makes it negative. What a session is at a moment is not stored: see
 * meeting-state.ts.
 */
export const meetings = sqliteTable(
  'meetings',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    title: text('title').notNull(),
    startsLocal: text('starts_local').notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    startsAt: integer('starts_at', { mode: 'timestamp_ms' }).notNull(),
    /** Null: that of the cohort. */
    place: text('place'),
    /** For enrolled people only; null: that of the cohort. */
    joinUrl: text('join_url'),
    /** For enrolled people only. Plain text. */
    note: text('note'),
    /** A line for everyone, such as what to read: the public page shows it. */
    publicLine: text('public_line'),
    /** Rises with every change of time, zone, length, title, place and cancellation. */
    sequence: integer('sequence').notNull().default(0),
    /** A canceled one stays in lists for 30 days. */
    cancelledAt: integer('cancelled_at', { mode: 'timestamp_ms' }),
    /**
     * What people were last told, as `announcedFacts` writes it; null if they have not been told of it. It
     * is compared with the present, so that a change that is taken back is none. Where there is
     * no one to tell, it is written with each change. See announcements.ts.
     */
    announced: text('announced'),
    /** The start of which people were reminded a day before, or would have been. */
    remindedDayFor: integer('reminded_day_for', { mode: 'timestamp_ms' }),
    /** The same an hour before. */
    remindedHourFor: integer('reminded_hour_for', { mode: 'timestamp_ms' }),
    /** Chosen by the client, so that a retry creates nothing again; null without one. */
    idempotencyKey: text('idempotency_key'),
    /** The place in the list that was created together. */
    idempotencyNo: integer('idempotency_no').notNull().default(0),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // A session has the owner of its cohort, and goes with either.
    goesWith('meetings_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    check('meetings_duration_check', sql`${table.durationMinutes} BETWEEN 5 AND 1440`),
    check('meetings_sequence_check', sql`${table.sequence} >= 0`),
    unique('meetings_owner_id_idempotency_key_unique').on(
      table.ownerId,
      table.idempotencyKey,
      table.idempotencyNo,
    ),
    // Referenced by attendance.
    unique('meetings_owner_id_id_unique').on(table.ownerId, table.id),
    // Lists those of a cohort in order, counts them, and finds the next one.
    index('meetings_cohort_index').on(table.cohortId, table.startsAt, table.id, table.cancelledAt),
    // What is at the same time, in all cohorts of an owner, and the export.
    index('meetings_owner_id_starts_at_index').on(table.ownerId, table.startsAt),
    // What comes next anywhere, and what is derived again every night.
    index('meetings_starts_at_id_index')
      .on(table.startsAt, table.id)
      .where(sql`${table.cancelledAt} IS NULL`),
    // For reminders.
    index('meetings_day_reminder_index')
      .on(table.startsAt)
      .where(
        sql`${table.cancelledAt} IS NULL AND ${table.remindedDayFor} IS NOT ${table.startsAt}`,
      ),
    index('meetings_hour_reminder_index')
      .on(table.startsAt)
      .where(
        sql`${table.cancelledAt} IS NULL AND ${table.remindedHourFor} IS NOT ${table.startsAt}`,
      ),
    // For the clean-up of canceled ones.
    index('meetings_cancelled_at_index')
      .on(table.cancelledAt)
      .where(sql`${table.cancelledAt} IS NOT NULL`),
  ],
);

/** Days on which a cohort would meet and doesn't, such as holidays. */
export const daysOff = sqliteTable(
  'days_off',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    /** A date in the zone of the cohort. */
    onDate: text('on_date').notNull(),
    /** Such as the name of the holiday; empty without one. */
    reason: text('reason').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('days_off_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    // Also lists those of a cohort in order.
    unique('days_off_cohort_id_on_date_unique').on(table.cohortId, table.onDate),
    // Those of an owner, for the export.
    index('days_off_owner_id_cohort_id_index').on(table.ownerId, table.cohortId),
  ],
);

/** Who was at a live session, as the instructor has marked it. No row: not marked. */
export const attendance = sqliteTable(
  'attendance',
  {
    ownerId: text('owner_id').notNull(),
    meetingId: text('meeting_id').notNull(),
    enrollmentId: text('enrollment_id').notNull(),
    isPresent: integer('is_present', { mode: 'boolean' }).notNull(),
    markedAt: integer('marked_at', { mode: 'timestamp_ms' }).notNull(),
    /** Which user marked it. Not a foreign key: see people.ts. */
    markedByUserId: text('marked_by_user_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.meetingId, table.enrollmentId] }),
    goesWith('attendance_meeting_fk', [table.ownerId, table.meetingId], meetings),
    goesWith('attendance_enrollment_fk', [table.ownerId, table.enrollmentId], enrollments),
    // Those of a person, and what goes with them.
    index('attendance_enrollment_index').on(table.ownerId, table.enrollmentId),
    index('attendance_meeting_index').on(table.ownerId, table.meetingId),
  ],
);
