import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type CountedFor, exportedRows } from '#db/personal-data.ts';
import {
  blockedAddresses,
  cohortErasures,
  courseInterests,
  enrollmentEvents,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import {
  blockReasons,
  enrollmentActors,
  enrollmentStatuses,
  locales,
  personSources,
} from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates, ValidationTexts } from '#lib/vocabulary.ts';

export const errors = {
  address_in_use: {
    status: 422,
    text: msg`This address is known to the instructor already, with places of its own.`,
  },
  cohort_full: {
    status: 422,
    text: msg`{n, plural, one {The only place is taken.} other {All # places are taken.}}`,
  },
  cohort_has_people: {
    status: 422,
    text: msg`{n, plural, one {# person is on the roster.} other {# people are on the roster.}} Move the cohort to the trash instead.`,
  },
  cohort_invitation_only: { status: 422, text: msg`This cohort is by invitation.` },
  cohort_not_begun: { status: 422, text: msg`This cohort hasn’t begun yet.` },
  cohort_over: { status: 422, text: msg`This cohort has ended.` },
  course_has_people: {
    status: 422,
    text: msg`Move the cohorts of this course to the trash first.`,
  },
  enrollment_closed: { status: 422, text: msg`Enrollment is closed.` },
  enrollment_is_open: {
    status: 422,
    text: msg`Enrollment is open now. Please reload this page.`,
  },
  enrollment_not_open: { status: 422, text: msg`Enrollment opens on {date}.` },
  enrollment_removed: { status: 422, text: msg`Please write to {instructor}.` },
  enrollment_transition: {
    status: 422,
    text: msg`That is no longer possible: {name} is now {status}.`,
  },
  form_stale: {
    status: 422,
    text: msg`This page is out of date. Please reload it and try again.`,
  },
  interest_link_invalid: {
    status: 400,
    text: msg`This link is no longer valid.`,
  },
  invitations_paused: {
    status: 422,
    text: msg`People have marked your emails as spam, so no invitations go out for now. Please contact us (see the privacy page).`,
  },
  invitations_unwanted: {
    status: 422,
    text: msg`This person wants no more invitations from you. They can still enroll by themselves.`,
  },
  offer_before_publishing: {
    status: 422,
    text: msg`This cohort is a draft. Publish it to offer places.`,
  },
  offer_expired: {
    status: 422,
    text: msg`This offer has expired. You can join the waitlist again.`,
  },
  offer_too_late: {
    status: 422,
    text: msg`It’s too late to offer places: less than an hour is left until the cohort begins or enrollment closes. You can still add people yourself.`,
  },
  person_in_target: {
    status: 422,
    text: msg`“{cohort}” lists {name} already ({status}).`,
  },
  person_link_invalid: {
    status: 400,
    text: msg`This link is no longer valid. We can email you a new one.`,
  },
  rights_link_invalid: {
    status: 400,
    text: msg`This link no longer works. You can ask for a new one on your page.`,
  },
  too_many_people: { status: 422, text: msg`A cohort holds 5,000 people at most.` },
} satisfies Errors;

export const validation = {
  person_name_required: msg`Name is required`,
  person_name_too_long: msg`Name must be at most 100 characters`,
  consent_required: msg`Please agree that your name and email address are passed on to {instructor}`,
  interest_consent_required: msg`Please agree that your address is kept until then`,
  person_note_too_long: msg`Note must be at most 500 characters`,
  answer_too_long: msg`Your answer must be at most 500 characters`,
  person_email_taken: msg`Someone else in your cohorts has this email address`,
} satisfies ValidationTexts;

export const limits = {
  /** Requests to enroll from one client network. */
  requests_per_ip: ['40/h'],
  /** What people do by their links, from one client network. */
  participation_per_ip: ['60/m'],
  /** Emails to an address because someone has typed it, in all. Beyond it, there are no more. */
  requests_per_address: ['10/d'],
  /**
   * The same about one cohort or course, with new links, or to prove it as someone's. Also links
   * that one instructor sends to it.
   */
  same_requests_per_address: ['3/d'],
  /** Links to what is kept of one person. */
  data_links_per_person: ['5/h'],
  /** Requests to enroll in one cohort. Beyond it, their emails wait for the next run. */
  cohort_requests: ['200/h'],
  /**
   * Addresses that an instructor adds, invites or corrects, by hand or by a list, before some of
   * them have accepted. Of a list, those count who have not enrolled by themselves.
   */
  invitations_per_user: ['100/d'],
  /** The same afterwards. */
  proven_invitations_per_user: ['500/d'],
} as const satisfies LimitRates;

/**
 * Not an address of participants: the limits of strangers do not end with an account. Nor do those
 * of a cohort or a course, which are over after a day.
 */
export const countedFor = {
  requests_per_address: ({ emailCanonical }) => [emailCanonical],
  same_requests_per_address: ({ emailCanonical }) => [
    `new_link:${emailCanonical}`,
    `address_proof:${emailCanonical}`,
  ],
  invitations_per_user: ({ id }) => [id],
  proven_invitations_per_user: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

export const events = {
  enrollment_requested: true,
  interest_requested: true,
  interested_told: true,
  enrollment_changed: true,
  form_refused: true,
  people_swept: true,
  people_removed: true,
  person_link_refused: true,
  person_exported: true,
  person_erased: true,
};

export const exported = {
  /** What outlives an erasure, without whom it is about. */
  blocked_addresses: exportedRows({
    rows: (db, { id }) =>
      db.select().from(blockedAddresses).where(eq(blockedAddresses.ownerId, id)),
    schema: z.object({
      reason: z.enum(blockReasons),
      cohort_id: z.nullable(z.uuid()),
      created_at: z.iso.datetime(),
    }),
  }),
  cohort_erasures: exportedRows({
    rows: (db, { id }) => db.select().from(cohortErasures).where(eq(cohortErasures.ownerId, id)),
    schema: z.object({
      cohort_id: z.uuid(),
      at: z.iso.datetime(),
      actor: z.enum(enrollmentActors),
    }),
  }),
  people: exportedRows({
    rows: (db, { id }) => db.select().from(people).where(eq(people.ownerId, id)),
    schema: z.object({
      id: z.uuid(),
      email: z.string(),
      email_canonical: z.string(),
      name: z.string(),
      language: z.enum(locales),
      note: z.nullable(z.string()),
      source: z.enum(personSources),
      consented_at: z.nullable(z.iso.datetime()),
      consent_version: z.nullable(z.int()),
      corrected_at: z.nullable(z.iso.datetime()),
      unlinked_at: z.nullable(z.iso.datetime()),
      erased_at: z.nullable(z.iso.datetime()),
      erased_no: z.nullable(z.int()),
      no_invitations_at: z.nullable(z.iso.datetime()),
      no_reminders_at: z.nullable(z.iso.datetime()),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    }),
  }),
  enrollments: exportedRows({
    rows: (db, { id }) => db.select().from(enrollments).where(eq(enrollments.ownerId, id)),
    schema: z.object({
      id: z.uuid(),
      cohort_id: z.uuid(),
      person_id: z.uuid(),
      status: z.enum(enrollmentStatuses),
      queue_no: z.nullable(z.int()),
      offer_no: z.int(),
      expires_at: z.nullable(z.iso.datetime()),
      over_capacity: z.boolean(),
      completed_at: z.nullable(z.iso.datetime()),
      question: z.nullable(z.string()),
      answer: z.nullable(z.string()),
      changed_by: z.enum(enrollmentActors),
      changed_by_user_id: z.nullable(z.string()),
      status_changed_at: z.iso.datetime(),
      created_at: z.iso.datetime(),
    }),
  }),
  enrollment_events: exportedRows({
    rows: (db, { id }) =>
      db.select().from(enrollmentEvents).where(eq(enrollmentEvents.ownerId, id)),
    schema: z.object({
      enrollment_id: z.uuid(),
      at: z.iso.datetime(),
      actor: z.enum(enrollmentActors),
      from_status: z.nullable(z.enum(enrollmentStatuses)),
      to_status: z.enum(enrollmentStatuses),
      moved_from: z.nullable(z.string()),
      actor_user_id: z.nullable(z.string()),
    }),
  }),
  /** Who waits for enrollment of a course to open: without addresses, which are not theirs. */
  course_interests: exportedRows({
    rows: (db, { id }) => db.select().from(courseInterests).where(eq(courseInterests.ownerId, id)),
    schema: z.object({
      id: z.uuid(),
      course_id: z.uuid(),
      language: z.enum(locales),
      consent_version: z.int(),
      created_at: z.iso.datetime(),
      confirmed_at: z.nullable(z.iso.datetime()),
      expires_at: z.iso.datetime(),
    }),
  }),
  /** Requests to enroll that are not confirmed yet. */
  enrollment_requests: exportedRows({
    rows: (db, { id }) =>
      db.select().from(enrollmentRequests).where(eq(enrollmentRequests.ownerId, id)),
    schema: z.object({
      id: z.uuid(),
      cohort_id: z.uuid(),
      email: z.string(),
      email_canonical: z.string(),
      name: z.string(),
      language: z.enum(locales),
      consent_version: z.int(),
      question: z.nullable(z.string()),
      answer: z.nullable(z.string()),
      person_id: z.nullable(z.uuid()),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
    }),
  }),
};
