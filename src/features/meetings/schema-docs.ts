import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { Meeting, MeetingInput, MeetingPatch, PlannedMeeting } from './schema.ts';
import { exported } from './vocabulary.ts';

const starts_local = {
  description: msg`When the session begins on the cohort’s clocks, such as 2027-01-05T18:00`,
};

const given = {
  title: {
    description: msg`The title of the session, 1 to 120 characters`,
    rules: { minLength: 1, maxLength: 120 },
  },
  starts_local,
  duration_minutes: { description: msg`How long the session is, 5 to 1,440 minutes` },
  place: {
    description: msg`Where the session is, up to 200 characters in one line and without a link; null: where the cohort meets`,
  },
  join_url: {
    description: msg`Where it is online, for enrolled people only; begins with https://. null: where the cohort meets online`,
  },
  note: { description: msg`For enrolled people only: plain text, up to 1,000 characters` },
};

const times = {
  starts_at: { description: msg`The same moment in UTC` },
  ends_at: { description: msg`The moment at which the session ends` },
};

const cancelled_at = { description: msg`Since when the session is canceled; null if it is not` };
const sequence = {
  description: msg`Rises with every change of time, zone, length, title, place and cancellation`,
};

const cohort_id = { description: msg`The cohort of the session` };

const warnings = {
  description: msg`What to look at; nothing is refused. outside_dates: not within the cohort’s days. overlaps: at the same time as another session of yours. in_past: it would be over`,
};

export const named = {
  MeetingInput: describeFields(MeetingInput, {
    ...given,
    count: { description: msg`How many sessions, at the same clock time and a week apart` },
    dry_run: { description: msg`Whether the sessions are only shown` },
  }),
  MeetingPatch: describeFields(MeetingPatch, given),
  PlannedMeeting: describeFields(PlannedMeeting, {
    ...times,
    title: given.title,
    starts_local,
    duration_minutes: given.duration_minutes,
    is_adjusted: {
      description: msg`Whether clocks skip the time on that day, so that the session is later`,
    },
    warnings,
  }),
  Meeting: describeFields(Meeting, {
    ...given,
    ...times,
    cohort_id,
    time_zone: { description: msg`The time zone of the cohort` },
    status: { description: msg`What the session is at this moment` },
    is_announced: {
      description: msg`Whether enrolled people have been told of the session as it is now; true if no one is enrolled`,
    },
    sequence,
    warnings,
    cancelled_at,
  }),
};

export const unnamed = [
  describeFields(exported.meetings.item, {
    ...given,
    cohort_id,
    starts_at: times.starts_at,
    sequence,
    cancelled_at,
    announced: { description: msg`What people were last told about the session; null if nothing` },
    reminded_day_for: {
      description: msg`The start that the day-before reminder named; null until it is sent`,
    },
    reminded_hour_for: {
      description: msg`The start that the reminder of the hour before was about; null until it is sent`,
    },
  }),
];
