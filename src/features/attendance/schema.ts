import * as z from 'zod/mini';
import { code } from '#features/places/person-fields.ts';

/** Whether someone was at a live session; null: not marked. */
const isPresent = z.nullable(z.boolean());

/** Who was at a live session. */
export const AttendanceInput = z.strictObject({
  marks: z
    .array(
      z.strictObject({
        enrollment_id: z.string(code('unknown_value')),
        is_present: isPresent.check(z.describe('null: not marked')),
      }),
      code('unknown_value'),
    )
    .check(z.minLength(1, code('unknown_value')), z.maxLength(200, code('unknown_value'))),
});
export type AttendanceInput = z.output<typeof AttendanceInput>;

export const AttendanceMark = z.object({
  meeting_id: z.uuid(),
  enrollment_id: z.uuid(),
  is_present: z.boolean(),
  marked_at: z.iso.datetime(),
});

/** One of the marks of a live session. */
export const MeetingMark = z.omit(AttendanceMark, { meeting_id: true });

/** Everyone who is marked at one live session. */
export const MeetingAttendance = z.object({ marks: z.array(MeetingMark) });
export type MeetingAttendance = z.infer<typeof MeetingAttendance>;

/** The people of a cohort and the live sessions that take place, with all marks. */
export const CohortAttendance = z.object({
  meetings: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      starts_local: z.string(),
      duration_minutes: z.int(),
      is_open: z
        .boolean()
        .check(z.describe('Whether it can be marked: from an hour before it begins')),
    }),
  ),
  people: z.array(
    z.object({
      enrollment_id: z.uuid(),
      name: z.string(),
      left_at: z.nullable(z.iso.datetime()),
      completed_at: z.nullable(z.iso.datetime()),
      attended: z.int(),
      marks: z
        .record(z.string(), z.boolean())
        .check(z.describe('By the id of the live session; without those that are not marked')),
    }),
  ),
  next: z
    .nullable(z.uuid())
    .check(z.describe('What `after` is for the next 100 people; null if there are no more')),
});
export type CohortAttendance = z.infer<typeof CohortAttendance>;

/** Whom to mark as completed. */
export const CompletionInput = z.strictObject({
  at_least: z
    .int(code('unknown_value'))
    .check(
      z.minimum(0, code('unknown_value')),
      z.maximum(200, code('unknown_value')),
      z.describe('How many live sessions they have attended'),
    ),
  before_end: z
    ._default(z.boolean(), false)
    .check(z.describe('Whether to do so before the last day of the cohort is over')),
});
export type CompletionInput = z.output<typeof CompletionInput>;

/** How people are marked as completed without regard to attendance. */
export const CompleteInput = z.pick(CompletionInput, { before_end: true });
export type CompleteInput = z.output<typeof CompleteInput>;

export const CompletedPeople = z.object({ completed: z.int() });
export type CompletedPeople = z.infer<typeof CompletedPeople>;
