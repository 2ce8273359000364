import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { exportedRows } from '#db/personal-data.ts';
import {
  courseInterests,
  enrollmentEvents,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';
import { time } from './person-fields.ts';
import {
  exportedPerson,
  exportedPlace,
  exportedRequest,
  PersonEvent,
  PersonInterest,
} from './schema.ts';

export const errors = {
  ...withStatus(422, {
    cohort_full: msg`{n, plural, one {The only place is taken.} other {All # places are taken.}}`,
    cohort_has_people: msg`{n, plural, one {# person is on the roster.} other {# people are on the roster.}} Move the cohort to the trash instead.`,
    cohort_invitation_only: msg`This cohort is by invitation.`,
    cohort_over: msg`This cohort has ended.`,
    course_has_people: msg`Move the cohorts of this course to the trash first.`,
    course_has_learners: msg`People are in this course. Close enrollment and remove them first.`,
    course_invitation_only: msg`This course is by invitation.`,
    enrollment_closed: msg`Enrollment is closed.`,
    enrollment_not_open: msg`Enrollment opens on {date}.`,
    enrollment_transition: msg`That is no longer possible: {name} is now {status}.`,
    invitations_paused: msg`People have marked your emails as spam, so no invitations go out for now. Please contact us (see the privacy page).`,
    payment_required: msg`This place is yours once it is paid.`,
    too_many_holds: msg`This place was kept for you three times today, but not paid for. Please try again tomorrow, or write to {instructor}.`,
    too_many_people: msg`{kind, select, open {This course holds 20,000 people at most.} other {A cohort holds 5,000 people at most.}}`,
  }),
  person_link_invalid: {
    status: 400,
    text: msg`This link is no longer valid. We can email you a new one.`,
  },
} satisfies Errors;

export const validation = {
  person_name_required: msg`Name is required`,
  person_name_too_long: msg`Name must be at most 100 characters`,
  person_note_too_long: msg`Note must be at most 500 characters`,
} satisfies ValidationTexts;

export const limits = {
  /**
   * Addresses that an instructor adds, invites or corrects, by hand or by a list, before some of
   * them have accepted. Of a list, those count who have not enrolled by themselves.
   */
  invitations_per_user: ['100/d'],
  /** Addresses that an instructor adds or invites once some people have accepted. */
  proven_invitations_per_user: ['500/d'],
  /** How often a place is kept for someone who does not pay for it, in one cohort. */
  holds_per_enrollment: ['3/d'],
} as const satisfies LimitRates;

export const events = {
  enrollment_changed: true,
  people_swept: true,
  person_link_refused: true,
};

export const exported = {
  people: exportedRows({
    rows: (db, { id }) => db.select().from(people).where(eq(people.ownerId, id)),
    schema: z.object({
      ...exportedPerson,
      corrected_at: time,
      unlinked_at: time,
      erased_at: time,
      erased_no: z.nullable(z.int()),
      no_invitations_at: time,
      no_reminders_at: time,
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
      ...exportedPlace,
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
      ...PersonEvent.shape,
      moved_from: z.nullable(z.string()),
      actor_user_id: z.nullable(z.string()),
    }),
  }),
  /** Who waits for enrollment of a course to open: without addresses, which are not theirs. */
  course_interests: exportedRows({
    rows: (db, { id }) => db.select().from(courseInterests).where(eq(courseInterests.ownerId, id)),
    schema: z.omit(PersonInterest, { email: true, email_canonical: true }),
  }),
  /** Requests to enroll that are not confirmed yet. */
  enrollment_requests: exportedRows({
    rows: (db, { id }) =>
      db.select().from(enrollmentRequests).where(eq(enrollmentRequests.ownerId, id)),
    schema: z.object(exportedRequest),
  }),
};
