import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import {
  Cohort,
  CohortInput,
  CohortPatch,
  Dates,
  DatesPreview,
  DuplicateInput,
  MoveInput,
  ShiftedMeeting,
  TrashInput,
} from './schema.ts';
import { exported } from './vocabulary.ts';

const people = { type: 'integer', minimum: 1, maximum: 1_000 };

const day = {
  description: msg`The first day in the cohort’s time zone, such as 2027-01-04`,
  rules: { format: 'date' },
};

const dates = {
  starts_on: day,
  ends_on: { ...day, description: msg`The last day; a cohort lasts two years at most` },
  time_zone: {
    description: msg`The name of a time zone, such as Europe/Paris; neither an offset nor an abbreviation`,
  },
  enrollment_opens_local: {
    description: msg`When enrollment opens on the cohort’s clocks, such as 2026-12-01T09:00; null: with publishing`,
  },
  enrollment_closes_local: {
    description: msg`When enrollment closes on the cohort’s clocks; null: when the cohort begins. A day alone means until its end. Offers still last until the cohort begins`,
  },
};

const name = {
  description: msg`The name of the cohort, 3 to 120 characters`,
  rules: { minLength: 3, maxLength: 120 },
};

const fields = {
  ...dates,
  name,
  description: { description: msg`Plain text in paragraphs, up to 2,000 characters` },
  join_mode: {
    description: msg`open: anyone with the address can enroll. approval: they can ask, and you decide. invitation: only people whom you invite`,
  },
  capacity: { description: msg`The number of places, 1 to 1,000; null: no limit`, rules: people },
  waitlist: { description: msg`Whether people can join the waitlist when all places are taken` },
  offer_hours: { description: msg`How many hours a place is kept for someone on the waitlist` },
  minimum_people: {
    description: msg`How many people are needed for the cohort to take place; null: no minimum`,
    rules: people,
  },
  shows_minimum: { description: msg`Whether the public page says the minimum` },
  shows_places_left: { description: msg`Whether the public page says how many places are left` },
  place: {
    description: msg`Where the cohort meets, for everyone, up to 200 characters in one line and without a link`,
  },
  join_url: {
    description: msg`Where the cohort meets online, for enrolled people only; begins with https://`,
  },
  price_minor: {
    description: msg`The price in the smallest unit of its currency, such as cents; null: no price`,
  },
  currency: {
    description: msg`The code of a currency, such as EUR; null without a price. It can’t change once the cohort has entries in its account`,
  },
  payment_note: {
    description: msg`How to pay, for enrolled people only, in their email and on their page: plain text, up to 1,000 characters`,
  },
  payment_url: {
    description: msg`Where enrolled people can pay; begins with https://`,
  },
  terms_url: {
    description: msg`The instructor’s own terms, for everyone who may enroll; begins with https://`,
  },
  welcome_note: {
    description: msg`For enrolled people only, in their email and on their page: plain text, up to 2,000 characters`,
  },
  question: {
    description: msg`What people are asked when they enroll, up to 200 characters; null: nothing`,
  },
  language: { description: msg`The language of the public page` },
  enrollment_override: {
    description: msg`Opens or closes enrollment in place of what was planned; null: as planned`,
  },
};

const instants = {
  starts_at: { description: msg`The first moment of the first day` },
  ends_at: { description: msg`The first moment after the last day` },
  enrollment_opens_at: { description: msg`The same moment in UTC` },
  enrollment_closes_at: { description: msg`The same moment in UTC` },
};

const decisions = {
  published_at: { description: msg`Since when the cohort is published; null for a draft` },
  archived_at: { description: msg`Since when it is archived; null if it is not` },
  deleted_at: {
    description: msg`Since when it is in the trash, which keeps it for 30 days; null if it is not`,
  },
};

const course_id = { description: msg`The course that the cohort takes` };

const warnings = {
  description: msg`What to look at; nothing is refused. starts_in_past: the first day is over`,
};

const telling = {
  notify: { description: msg`Whether everyone who takes part, waits or is invited gets an email` },
  note: {
    description: msg`What you say in that email, up to 500 characters; left out while people mark your emails as spam`,
  },
};

const dry_run = { description: msg`Whether to show only what would change` };

export const named = {
  Cohort: describeFields(Cohort, {
    ...fields,
    ...instants,
    ...decisions,
    course_id,
    warnings,
    counts: {
      description: msg`How many people have a place, are offered one, wait, ask for one or are invited`,
    },
    public_url: { description: msg`The address of the public page` },
    status: { description: msg`What the cohort is at this moment` },
    enrollment_state: { description: msg`What someone who would like to enroll can do now` },
  }),
  CohortDates: describeFields(Dates, dates),
  CohortInput: describeFields(CohortInput, fields),
  CohortPatch: describeFields(CohortPatch, fields),
  DatesPreview: describeFields(DatesPreview, {
    adjusted: {
      description: msg`Times that could not keep their clock time: the clocks skip it, or the cohort is over by then`,
    },
    meetings: { description: msg`The live sessions that go with it; canceled ones stay behind` },
    meetings_mark: { description: msg`Another one after any change of a live session` },
    warnings,
  }),
  DuplicateInput: describeFields(DuplicateInput, {
    name,
    starts_on: day,
    with_join_url: { description: msg`Whether the copy meets at the same address online` },
    dry_run,
  }),
  MoveInput: describeFields(MoveInput, {
    starts_on: day,
    ends_on: dates.ends_on,
    time_zone: dates.time_zone,
    expected: { description: msg`The dates that you have seen; refused if they have changed` },
    expected_meetings: {
      description: msg`The mark of the live sessions that you have seen; refused if any has changed`,
    },
    dry_run,
    ...telling,
  }),
  TrashInput: describeFields(TrashInput, telling),
};

export const unnamed = [
  describeFields(ShiftedMeeting, {
    title: { description: msg`The title of the session` },
    before: { description: msg`When it begins on the cohort’s clocks` },
    after: { description: msg`When it will, or when that of the copy does` },
    is_adjusted: {
      description: msg`Whether clocks skip that time on its new day, so that it is later`,
    },
  }),
  describeFields(Cohort.shape.counts, {
    enrolled: { description: msg`People with a place` },
    offered: { description: msg`People who are offered a place, which is kept for them` },
    waitlisted: { description: msg`People on the waitlist` },
    applied: { description: msg`People who ask for a place, which the owner decides` },
    invited: { description: msg`People who are invited; an invitation keeps no place` },
    places_left: { description: msg`How many places are free; null if there is no limit` },
  }),
  describeFields(exported.cohorts.item, {
    ...fields,
    ...instants,
    ...decisions,
    course_id,
    reminds_invited: {
      description: msg`Whether people are reminded three days before their invitation ends`,
    },
    reminds_start: {
      description: msg`Whether people who are enrolled are reminded of the first day`,
    },
    reminds_day_before: {
      description: msg`Whether they are reminded of each live session a day before it`,
    },
    reminds_hour_before: {
      description: msg`Whether they are reminded of each live session an hour before it`,
    },
    start_reminder_at: { description: msg`When they are reminded of the first day` },
    start_reminded_on: {
      description: msg`The first day of which they were reminded; null before that`,
    },
    slug: { description: msg`The last part of the address of the public page` },
  }),
];
