import * as z from 'zod/mini';
import { code, httpsUrl, place } from '#features/cohorts/schema.ts';
import { isWallTime } from '#lib/time/calendar.ts';
import { plainText, requiredLine, rule } from '#lib/validation-rule.ts';
import { longestMinutes, meetingStatuses } from './meeting-state.ts';

/** What an instructor should look at. */
export const meetingWarnings = ['outside_dates', 'overlaps', 'in_past'] as const;
export type MeetingWarning = (typeof meetingWarnings)[number];

const warnings = z
  .array(z.enum(meetingWarnings))
  .check(
    z.describe(
      'Nothing is refused. outside_dates: not within the cohort’s days. overlaps: at the same time as another session of the owner. in_past: it would be over',
    ),
  );

/** How many live sessions a cohort can have. */
export const maxMeetings = 200;

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
  status: z.enum(meetingStatuses),
  is_announced: z
    .boolean()
    .check(z.describe('Whether enrolled people have been told of the session as it is now')),
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
