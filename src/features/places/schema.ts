import * as z from 'zod/mini';
import { enrollmentActors, enrollmentStatuses, holds, locales, personSources } from '#db/values.ts';
import { plainText } from '#lib/validation-rule.ts';
import { email, language, nextPage, personName, queuePosition, time } from './person-fields.ts';
import { offerReasons } from './why-no-offer.ts';

export const maxAnswer = 500;

/** What someone answers to the question of a cohort. */
export const answer = plainText(maxAnswer, 'answer_too_long');

/** What the owner changes about a person. */
export const PersonPatch = z.partial(
  z.strictObject({
    name: personName(),
    email,
    language,
    note: plainText(500, 'person_note_too_long').check(
      z.describe('For the instructor alone; the person may ask to read it'),
    ),
  }),
);
export type PersonPatch = z.output<typeof PersonPatch>;

/** A participant as the owner sees them. */
export const Person = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  language: z.enum(locales),
  note: z.nullable(z.string()),
  source: z.enum(personSources),
  created_at: z.iso.datetime(),
});
export type Person = z.infer<typeof Person>;

/** What has happened to the place of a person. */
export const PersonEvent = z.object({
  at: z.iso.datetime(),
  actor: z.enum(enrollmentActors),
  from_status: z.nullable(z.enum(enrollmentStatuses)),
  to_status: z.enum(enrollmentStatuses),
  moved_from: z
    .nullable(z.string())
    .check(z.describe('The cohort from which the owner moved them here')),
});
export type PersonEvent = z.infer<typeof PersonEvent>;

/** A row of the roster or of the waitlist. */
export const Enrollment = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  name: z.string(),
  email: z.string(),
  status: z.enum(enrollmentStatuses),
  queue_position: queuePosition,
  expires_at: time,
  over_capacity: z.boolean(),
  completed_at: time,
  /** What they were asked when they enrolled, and what they answered; null without an answer. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  status_changed_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  /** Since when emails to the address come back; null while they do not. */
  undeliverable_since: time,
  learning: z
    .nullable(z.object({ done: z.int(), of: z.int(), last_seen_at: time }))
    .check(
      z.describe(
        'How many of the published lessons they have done, and when they last opened or did one; null without such lessons, and for someone who was never enrolled',
      ),
    ),
});
export type Enrollment = z.infer<typeof Enrollment>;

/** The same with the person and what has happened. */
export const EnrollmentDetails = z.object({
  ...Enrollment.shape,
  left_note: z
    .nullable(z.string())
    .check(z.describe('What the owner has noted when they marked someone as left')),
  person: Person,
  events: z.array(PersonEvent),
});
export type EnrollmentDetails = z.infer<typeof EnrollmentDetails>;

/** A page of a list, and where the next one begins. */
export const EnrollmentPage = z.object({
  items: z.array(Enrollment),
  next: nextPage,
});
export type EnrollmentPage = z.infer<typeof EnrollmentPage>;

export const WaitlistPage = z.object({
  ...EnrollmentPage.shape,
  reason: z.enum(offerReasons),
  /** Who is offered the next free place; null if no one waits. */
  next_name: z.nullable(z.string()),
});
export type WaitlistPage = z.infer<typeof WaitlistPage>;

/** A request to enroll that is not confirmed yet. */
export const PendingRequest = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  language: z.enum(locales),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type PendingRequest = z.infer<typeof PendingRequest>;

/** The addresses of everyone who is enrolled, to copy. */
export const Addresses = z.object({ addresses: z.array(z.string()) });
export type Addresses = z.infer<typeof Addresses>;

/** What the exports of an account and of a person say of someone, at the beginning. */
export const exportedPerson = {
  id: z.uuid(),
  email: z.string(),
  email_canonical: z.string(),
  name: z.string(),
  language: z.enum(locales),
  note: z.nullable(z.string()),
  source: z.enum(personSources),
  agreed_at: time.check(z.describe('When they last showed that they take part')),
  consented_at: time,
  consent_version: z.nullable(z.int()),
};

/** What they say of a place, between where it is and when it has changed. */
export const exportedPlace = {
  status: z.enum(enrollmentStatuses),
  queue_no: z.nullable(z.int()),
  offer_no: z.int(),
  expires_at: time,
  held_for: z.nullable(z.enum(holds)),
  over_capacity: z.boolean(),
  completed_at: time,
  left_note: z.nullable(z.string()),
  owes_after_leaving: z.boolean(),
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  changed_by: z.enum(enrollmentActors),
};

/** What they say of a request to enroll; in the data of a person, without who that is. */
export const exportedRequest = {
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
};

/** A course of which someone would like to know when enrollment opens, as they export it. */
export const PersonInterest = z.object({
  id: z.uuid(),
  course_id: z.uuid(),
  email: z.string(),
  email_canonical: z.string(),
  language: z.enum(locales),
  consent_version: z.int(),
  created_at: z.iso.datetime(),
  confirmed_at: time,
  expires_at: z.iso.datetime(),
});
