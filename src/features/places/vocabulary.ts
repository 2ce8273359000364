import { ownRows } from '#db/personal-data.ts';
import {
  courseInterests,
  enrollmentEvents,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';
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
  person_name_characters: msg`Use only letters, spaces, up to four digits and these characters: ’ - . , ( ) /`,
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
  people: ownRows(people, { except: ['name_key', 'link_version'], fields: exportedPerson }),
  enrollments: ownRows(enrollments, { except: ['name_key'], fields: exportedPlace }),
  enrollment_events: ownRows(enrollmentEvents, { except: ['id'], fields: PersonEvent.shape }),
  /** Who waits for enrollment of a course to open: without addresses, which are not theirs. */
  course_interests: ownRows(courseInterests, {
    except: ['email', 'email_canonical'],
    fields: PersonInterest.shape,
  }),
  /** Requests to enroll that are not confirmed yet. */
  enrollment_requests: ownRows(enrollmentRequests, { fields: exportedRequest }),
};
