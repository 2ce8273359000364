import 'server-only';
import { msg } from '@lingui/core/macro';
import type { $ZodObject } from 'zod/v4/core';
import { exported as outbox } from '#features/outbox/vocabulary.ts';
import type { FieldDoc, SchemaDocs } from '#lib/schema-docs.ts';
import {
  AddressConfirmed,
  ApprovedPeople,
  ApprovePeopleInput,
  Availability,
  ConfirmRequestInput,
  DataLinkInput,
  Enrollment,
  EnrollmentDetails,
  EnrollmentPage,
  EnrollmentRequested,
  EnrollmentRequestInput,
  InterestConfirmed,
  InterestInput,
  MovePersonInput,
  NewAddressInput,
  NewLinkInput,
  Participant,
  ParticipantPatch,
  Participation,
  ParticipationInput,
  PendingRequest,
  Person,
  PersonEvent,
  PersonExport,
  PersonInput,
  PersonInterest,
  PersonMail,
  PersonPatch,
  PersonPlace,
  PersonRequest,
  PersonRow,
  RefusedPeople,
  RemovedPeople,
  RemovePeopleInput,
  RequestConfirmed,
  RightsInput,
  TransferInput,
  WaitlistPage,
} from './schema.ts';
import { exported } from './vocabulary.ts';

/** What the same names mean in all schemas of people. */
const common: Record<string, FieldDoc> = {
  erased_at: {
    description: msg`When they were erased although they have entries in an account; null if they were not`,
  },
  erased_no: { description: msg`The number that stands for an erased person` },
  actor: { description: msg`Who has changed it: the owner, the person, or the clock` },
  answer: {
    description: msg`What they answered to the question, up to 500 characters; null without an answer`,
  },
  at: { description: msg`When it happened` },
  attempts: { description: msg`How many times sending it was tried` },
  changed_by: { description: msg`Who has changed it: the owner, the person, or the clock` },
  bounced_at: { description: msg`When it bounced` },
  cohort_id: { description: msg`The cohort that it is about` },
  complained_at: { description: msg`When the recipient marked it as spam` },
  completed_at: { description: msg`When the owner marked the cohort as completed` },
  consent_version: { description: msg`Which text they agreed to when they enrolled` },
  consented_at: { description: msg`When they agreed to it; null if the owner has added them` },
  corrected_at: { description: msg`When the owner last changed the address; null if never` },
  due_at: { description: msg`When it is sent, or was done` },
  email: { description: msg`An email address` },
  ends_on: { description: msg`The last day; a cohort lasts two years at most` },
  enrollment_id: { description: msg`The person in the cohort that it is about` },
  failed_at: { description: msg`When sending it was given up` },
  failure: { description: msg`Why it was given up` },
  from_status: { description: msg`The status before it; null at the beginning` },
  is_canceled: { description: msg`Whether the cohort is canceled` },
  undeliverable_since: {
    description: msg`Since when email to this address bounces; null while it does not`,
  },
  join_url: { description: msg`Where the cohort meets online; null unless the person is enrolled` },
  language: { description: msg`The language of their emails and of their page` },
  moved_from: {
    description: msg`The cohort from which the owner moved them here; null for all else`,
  },
  name: { description: msg`The name, up to 100 characters` },
  no_invitations_at: { description: msg`When they asked for no more invitations` },
  no_reminders_at: { description: msg`When they asked for no more reminders and messages` },
  note: { description: msg`For the instructor alone; the person may ask to read it` },
  offer_no: { description: msg`How many places they were offered so far` },
  over_capacity: { description: msg`Whether to add them although all places are taken` },
  person_id: { description: msg`The person whom it is about` },
  place: { description: msg`Where the cohort meets` },
  question: { description: msg`What they were asked when they enrolled; null without an answer` },
  queue_no: { description: msg`The order of the waitlist; null unless they wait` },
  queue_position: { description: msg`The place on the waitlist, from 1; null unless they wait` },
  sent_at: { description: msg`When it was sent` },
  source: { description: msg`How they came here: by themselves, added or invited` },
  starts_on: { description: msg`The first day in the cohort’s time zone, such as 2027-01-04` },
  status_changed_at: { description: msg`Since when they have that status` },
  time_zone: {
    description: msg`The name of a time zone, such as Europe/Paris; neither an offset nor an abbreviation`,
  },
  to_address: { description: msg`The address that it goes to` },
  to_canonical: { description: msg`The same for comparison` },
  unlinked_at: { description: msg`Since when they are in no cohort; null while they are in one` },
  to_status: { description: msg`The status after it` },
  token: { description: msg`The token of the emailed link` },
  welcome_note: { description: msg`What the instructor tells people who are enrolled` },
};

/** Documents a schema by what its names mean everywhere, and by what is special in it. */
function documented(schema: $ZodObject, special: Record<string, FieldDoc> = {}): SchemaDocs {
  const names = Object.keys(schema._zod.def.shape);
  const known = names.flatMap((name) => (common[name] ? [[name, common[name]]] : []));
  return { schema, fields: { ...Object.fromEntries(known), ...special } };
}

const link = { description: msg`What comes after /p/ in the emails of the person` };
const reminders = { description: msg`Whether reminders and messages to the group come` };
const next = { description: msg`Send it as “after” for the next page; null on the last one` };

export const named = {
  AddressConfirmed: documented(AddressConfirmed, {
    redirect_to: { description: msg`The page of the person` },
  }),
  ApprovedPeople: documented(ApprovedPeople, {
    enrolled: { description: msg`How many got a place` },
    waitlisted: { description: msg`How many were put on the waitlist` },
  }),
  ApprovePeopleInput: documented(ApprovePeopleInput, {
    enrollments: { description: msg`The ids of enrollments in this cohort, up to 200` },
  }),
  DataLinkInput: documented(DataLinkInput, { link }),
  NewAddressInput: documented(NewAddressInput),
  PersonExport: documented(PersonExport, {
    instructor: { description: msg`Who keeps it: their name, and their email address` },
    enrollments: { description: msg`The cohorts, with all that has happened` },
    requests: { description: msg`Requests of the last 24 hours` },
    interests: {
      description: msg`The courses of which they would like to know when enrollment opens; empty for the instructor, who sees only how many wait`,
    },
    payments: { description: msg`What they owe and have paid` },
    emails: { description: msg`What was sent, or is due` },
  }),
  PersonPlace: documented(PersonPlace),
  RightsInput: documented(RightsInput),
  Availability: documented(Availability, {
    enrollment_state: { description: msg`What someone who would like to enroll can do now` },
    places_left: {
      description: msg`How many places are free; null if there is no limit, or it is not shown`,
    },
    waiting: { description: msg`How many people wait; null if it is not shown` },
    stamp: { description: msg`When a form was made, signed; the form sends it back` },
  }),
  Enrollment: documented(Enrollment),
  EnrollmentDetails: documented(EnrollmentDetails),
  ConfirmRequestInput: documented(ConfirmRequestInput),
  EnrollmentPage: documented(EnrollmentPage, { next }),
  EnrollmentRequestInput: documented(EnrollmentRequestInput, {
    name: { description: msg`The name, up to 100 characters` },
    consent: {
      description: msg`That name and address are passed on to the instructor; has to be true`,
    },
    question: {
      description: msg`What the form asked; refused with an answer if the question is another one by now`,
    },
    website: { description: msg`Empty: people do not see this field` },
    stamp: { description: msg`The stamp of the form, a few seconds to a day old` },
  }),
  EnrollmentRequested: documented(EnrollmentRequested),
  InterestConfirmed: documented(InterestConfirmed, {
    redirect_to: {
      description: msg`The page of a cohort that people can enroll in by now, so that nothing is kept; null if there is none`,
    },
  }),
  InterestInput: documented(InterestInput, {
    consent: { description: msg`That the address is kept until then; has to be true` },
    website: { description: msg`Empty: people do not see this field` },
    stamp: { description: msg`The stamp of the form, a few seconds to a day old` },
  }),
  MovePersonInput: documented(MovePersonInput, {
    notify: { description: msg`Whether someone who is removed or turned down gets an email` },
  }),
  NewLinkInput: documented(NewLinkInput, { link }),
  Participant: documented(Participant, { reminders }),
  ParticipantPatch: documented(ParticipantPatch, { link, reminders }),
  Participation: documented(Participation, {
    actions: { description: msg`What the person can do now` },
  }),
  ParticipationInput: documented(ParticipationInput, { link }),
  PendingRequest: documented(PendingRequest),
  Person: documented(Person),
  PersonInput: documented(PersonInput, {
    as: {
      description: msg`enrolled: at once, without asking. invited: when they accept; an invitation keeps no place. waitlisted: at its end, until a place is offered to them`,
    },
    over_capacity: { description: msg`Whether to add them although all places are taken` },
  }),
  PersonPatch: documented(PersonPatch, {
    note: { description: msg`For the instructor alone; the person may ask to read it` },
  }),
  RemovedPeople: documented(RemovedPeople, {
    removed: { description: msg`How many were removed; the others were on none of the lists` },
  }),
  RefusedPeople: documented(RefusedPeople, {
    refused: { description: msg`How many were turned down; the others asked for no place` },
  }),
  RemovePeopleInput: documented(RemovePeopleInput, {
    enrollments: { description: msg`The ids of enrollments in this cohort, up to 200` },
    notify: { description: msg`Whether they get an email` },
  }),
  RequestConfirmed: documented(RequestConfirmed, {
    redirect_to: { description: msg`The page of the person` },
  }),
  TransferInput: documented(TransferInput, {
    cohort_id: { description: msg`The cohort to which they go, of the same owner` },
    notify: { description: msg`Whether they get an email` },
  }),
  WaitlistPage: documented(WaitlistPage, {
    next,
    reason: { description: msg`Why no place is being offered at this moment` },
    next_name: { description: msg`Who is offered the next place; null if there is no one` },
  }),
};

const ofInterest = {
  course_id: { description: msg`The course that it is about` },
  confirmed_at: { description: msg`When the link in the email was used` },
};

export const unnamed = [
  documented(PersonEvent),
  documented(PersonInterest, ofInterest),
  documented(PersonMail),
  documented(PersonRequest),
  documented(PersonRow),
  documented(exported.blocked_addresses.item, {
    reason: {
      description: msg`removed: from a cohort, by the owner. no_invitations: by their own wish`,
    },
  }),
  documented(exported.cohort_erasures.item),
  documented(PersonExport.shape.enrollments._zod.def.element as $ZodObject),
  documented(PersonExport.shape.instructor),
  documented(exported.people.item),
  documented(exported.enrollments.item),
  documented(exported.enrollment_events.item),
  documented(exported.enrollment_requests.item),
  documented(exported.course_interests.item, ofInterest),
  documented(outbox.mails_due.item),
  documented(EnrollmentDetails.shape.events._zod.def.element as $ZodObject),
];
