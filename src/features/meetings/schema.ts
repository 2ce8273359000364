import * as z from 'zod/mini';
import { code, day, httpsUrl, place } from '#features/cohorts/schema.ts';
import { daysBetween, isWallTime } from '#lib/time/calendar.ts';
import { oneLine, plainText, requiredLine, rule } from '#lib/validation-rule.ts';
import { longestMinutes, maxMeetings, meetingStatuses } from './meeting-state.ts';

/** What an instructor should look at. */
const meetingWarnings = ['outside_dates', 'overlaps', 'in_past'] as const;
export type MeetingWarning = (typeof meetingWarnings)[number];

const warnings = z
  .array(z.enum(meetingWarnings))
  .check(
    z.describe(
      'Nothing is refused. outside_dates: not within the cohort’s days. overlaps: at the same time as another session of the owner. in_past: it would be over',
    ),
  );

const shortestMinutes = 5;

/** How many sessions can be created at once, a week apart. */
const mostAtOnce = 60;

const title = requiredLine(120, {
  required: 'meeting_title_required',
  tooLong: 'meeting_title_too_long',
  characters: 'text_characters',
});

const startsLocal = z.string(code('date_required')).check(
  z.describe('On the cohort’s clocks, such as 2027-01-05T18:00'),
  // Forms send a time or a day that was left empty as an empty part.
  rule('date_required', (typed) => typed !== '' && !typed.startsWith('T')),
  rule('time_required', (typed) => !typed.endsWith('T')),
  rule('date_invalid', isWallTime),
);

const duration = z
  .int(code('duration_range'))
  .check(
    z.minimum(shortestMinutes, code('duration_range')),
    z.maximum(longestMinutes, code('duration_range')),
  );

const required = { title, starts_local: startsLocal, duration_minutes: duration };

const optional = {
  place: place.check(z.describe('null: where the cohort meets')),
  join_url: httpsUrl.check(z.describe('For enrolled people only; null: where the cohort meets')),
  note: plainText(1_000, 'meeting_note_too_long'),
  public_line: plainText(200, 'public_line_too_long', oneLine).check(
    z.describe('For everyone, such as what to read; the public page shows it'),
  ),
};

/** A new live session, or several at the same clock time, a week apart. */
export const MeetingInput = z.strictObject({
  ...required,
  count: z._default(
    z
      .int(code('weeks_range'))
      .check(z.minimum(1, code('weeks_range')), z.maximum(mostAtOnce, code('weeks_range'))),
    1,
  ),
  place: z._default(optional.place, null),
  join_url: z._default(optional.join_url, null),
  note: z._default(optional.note, null),
  public_line: z._default(optional.public_line, null),
  dry_run: z._default(z.boolean(), false),
});
export type MeetingInput = z.output<typeof MeetingInput>;

/** Any of the fields of a live session. */
export const MeetingPatch = z.partial(z.strictObject({ ...required, ...optional }));
export type MeetingPatch = z.output<typeof MeetingPatch>;

/** A live session as the API returns it to the owner of its cohort. */
export const Meeting = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  title: z.string(),
  starts_local: z.string(),
  duration_minutes: z.int(),
  time_zone: z.string(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  place: z.nullable(z.string()),
  join_url: z.nullable(z.string()),
  note: z.nullable(z.string()),
  public_line: z.nullable(z.string()),
  status: z.enum(meetingStatuses),
  is_announced: z
    .boolean()
    .check(z.describe('Whether enrolled people have been told of the session as it is now')),
  announced_local: z
    .nullable(z.string())
    .check(
      z.describe('When it begins by what people were last told; null: they know nothing of it'),
    ),
  sequence: z
    .int()
    .check(
      z.describe('Rises with every change of time, zone, length, title, place and cancellation'),
    ),
  warnings,
  cancelled_at: z.nullable(z.iso.datetime()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Meeting = z.infer<typeof Meeting>;

/** One of the sessions that a request would create. */
export const PlannedMeeting = z.object({
  title: z.string(),
  starts_local: z.string(),
  duration_minutes: z.int(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  /** Whether clocks skip the time on that day, so that it is later. */
  is_adjusted: z.boolean(),
  warnings,
});
export type PlannedMeeting = z.infer<typeof PlannedMeeting>;

/** A live session of a cohort that is created with it. */
export const NewMeeting = z.strictObject({
  ...required,
  public_line: z._default(optional.public_line, null),
});

/** A day on which a cohort would meet and doesn't, or a span of them. */
export const DayOff = z
  .strictObject({
    on_date: day,
    until: z
      ._default(z.nullable(day), null)
      .check(z.describe('The last day of a span, of which days with a session are left out')),
    reason: z._default(plainText(120, 'day_off_reason_too_long', oneLine), null),
  })
  .check(
    z.refine(({ on_date, until }) => until === null || until >= on_date, {
      error: code('ends_before_start'),
      path: ['until'],
    }),
  );
export type DayOff = z.output<typeof DayOff>;

/** As many as a cohort can have at all. */
const mostDaysOff = 731;

function countDays(all: { on_date: string; until: string | null }[]): number {
  return all.reduce(
    (sum, { on_date, until }) => sum + daysBetween(on_date, until ?? on_date) + 1,
    0,
  );
}

/** What a new cohort can be created with, and its schedule changed to. */
export const scheduleParts = {
  meetings: z.array(NewMeeting).check(z.maxLength(maxMeetings, code('meetings_range'))),
  days_off: z.array(DayOff).check(
    z.maxLength(maxMeetings, code('meetings_range')),
    z.refine((all) => countDays(all) <= mostDaysOff, code('cohort_too_long')),
  ),
};

/**
 * All sessions of a cohort that are not canceled, and its days off, in one table: what is missing
 * is canceled or deleted.
 */
export const ScheduleInput = z.strictObject({
  mark: z.optional(
    z
      .string()
      .check(
        z.maxLength(64),
        z.describe('The mark of the schedule that was changed; refused if it is another one now'),
      ),
  ),
  meetings: z
    .array(
      z.extend(NewMeeting, {
        id: z._default(z.nullable(z.uuid()), null).check(z.describe('null: a new session')),
      }),
    )
    .check(z.maxLength(maxMeetings, code('meetings_range'))),
  days_off: scheduleParts.days_off,
});
export type ScheduleInput = z.output<typeof ScheduleInput>;

/** The live sessions of a cohort by time, canceled ones among them, and its days off by date. */
export const ScheduleTable = z.object({
  /** Another one after any change of a session or of a day off. */
  mark: z.string(),
  meetings: z.array(Meeting),
  days_off: z.array(z.object({ on_date: z.iso.date(), reason: z.string() })),
});
export type ScheduleTable = z.infer<typeof ScheduleTable>;
