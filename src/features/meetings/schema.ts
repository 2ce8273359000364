import * as z from 'zod/mini';
import { httpsUrl, place, plainText } from '#features/cohorts/schema.ts';
import { characterCount, isPrintable } from '#lib/text.ts';
import { isWallTime } from '#lib/time/calendar.ts';
import { lengthRule, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { longestMinutes, meetingStatuses } from './meeting-state.ts';

/** What an instructor should look at; a warning refuses nothing. */
export const meetingWarnings = ['outside_dates', 'overlaps', 'in_past'] as const;
export type MeetingWarning = (typeof meetingWarnings)[number];

/** How many live sessions a cohort can have. */
export const maxMeetings = 200;

const shortestMinutes = 5;

/** How many sessions can be created at once, a week apart. */
const mostAtOnce = 60;

const code = (of: ValidationCode): ValidationCode => of;

/** A new live session, or several at the same clock time, a week apart. */
export const MeetingInput = z.strictObject({
  title: title(),
  starts_local: wallTime(),
  duration_minutes: duration(),
  count: z._default(
    z
      .int(code('weeks_range'))
      .check(z.minimum(1, code('weeks_range')), z.maximum(mostAtOnce, code('weeks_range'))),
    1,
  ),
  place: z._default(place, null),
  join_url: z._default(httpsUrl, null),
  note: z._default(note(), null),
  dry_run: z._default(z.boolean(), false),
});
export type MeetingInput = z.output<typeof MeetingInput>;

/** Any of the fields of a live session. */
export const MeetingPatch = z.partial(
  z.strictObject({
    title: title(),
    starts_local: wallTime(),
    duration_minutes: duration(),
    place,
    join_url: httpsUrl,
    note: note(),
  }),
);
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
  status: z.enum(meetingStatuses),
  is_announced: z.boolean(),
  sequence: z.int(),
  warnings: z.array(z.enum(meetingWarnings)),
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
  warnings: z.array(z.enum(meetingWarnings)),
});
export type PlannedMeeting = z.infer<typeof PlannedMeeting>;

// Each field has its own, because its documentation belongs to it.

function title() {
  return z.string(code('meeting_title_required')).check(
    z.trim(),
    lengthRule('meeting_title_too_long', 120),
    z.normalize('NFC'),
    rule('meeting_title_required', (typed) => typed !== ''),
    rule('meeting_title_too_long', (typed) => characterCount(typed) <= 120),
    rule('text_characters', isPrintable),
  );
}

function wallTime() {
  return z.string(code('date_required')).check(
    // Forms send a time or a day that was left empty as an empty part.
    rule('date_required', (typed) => typed !== '' && !typed.startsWith('T')),
    rule('time_required', (typed) => !typed.endsWith('T')),
    rule('date_invalid', isWallTime),
  );
}

function duration() {
  return z
    .int(code('duration_range'))
    .check(
      z.minimum(shortestMinutes, code('duration_range')),
      z.maximum(longestMinutes, code('duration_range')),
    );
}

function note() {
  return plainText(1_000, 'meeting_note_too_long');
}
