import * as z from 'zod/mini';
import {
  enrollmentActors,
  enrollmentStatuses,
  locales,
  outboxKinds,
  personSources,
} from '#db/values.ts';
import { couldBeLink, emailAddress, isName } from '#features/identity/account-schema.ts';
import { LedgerEntry } from '#features/ledger/schema.ts';
import { characterCount, isPrintableText } from '#lib/text.ts';
import { lengthRule, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { offerReasons } from './why-no-offer.ts';

/** How many characters the answer to a question can have. */
export const maxAnswer = 500;

const code = (of: ValidationCode): ValidationCode => of;

/** One field, because half of the world has no first and last name. Emails contain it. */
function personName() {
  return z.string(code('person_name_required')).check(
    z.trim(),
    lengthRule('person_name_too_long', 100),
    z.normalize('NFC'),
    rule('person_name_required', (typed) => typed !== ''),
    rule('person_name_too_long', (typed) => characterCount(typed) <= 100),
    rule('name_characters', isName),
    rule('name_full_stop', (typed) => !couldBeLink(typed)),
  );
}

const email = emailAddress('email_required');

/** Forms send one that was left empty as an empty text. */
const answer = z.nullable(
  z.pipe(
    z.string(code('text_characters')).check(
      lengthRule('answer_too_long', maxAnswer),
      z.overwrite((typed) => typed.replace(/\r\n?/g, '\n')),
      z.trim(),
      z.normalize('NFC'),
      rule('answer_too_long', (typed) => characterCount(typed) <= maxAnswer),
      rule('text_characters', isPrintableText),
    ),
    z.transform((typed: string) => (typed === '' ? null : typed)),
  ),
);
const language = z.enum(locales, code('language_required'));

/** Accepts any link or token, because all invalid ones get the same answer. */
const link = z.optional(
  z
    .unknown()
    .check(z.meta({ type: 'string', description: 'What comes after /p/ in the person’s emails' })),
);
const token = z.optional(z.unknown().check(z.meta({ type: 'string' })));

/** Filled in by programs alone: people do not see the field. */
const website = z._default(z.string(), '').check(z.describe('Has to be empty'));

/** When the form was made: see `formStamp`. */
const stamp = z
  ._default(z.string(), '')
  .check(z.describe('The stamp of Availability, a few seconds to a day old'));

const overCapacity = z
  ._default(z.boolean(), false)
  .check(z.describe('Whether to add them although all places are taken'));

const queuePosition = z
  .nullable(z.int())
  .check(z.describe('The place on the waitlist, from 1; null unless they wait'));

/** What someone sends who would like to take part. */
export const EnrollmentRequestInput = z.strictObject({
  name: personName(),
  email,
  /** Refused by the verb, whose message names the instructor. */
  consent: z
    ._default(z.boolean(), false)
    .check(z.describe('That name and address are passed on to the instructor; has to be true')),
  language: z.optional(language),
  question: z
    ._default(z.nullable(z.string()), null)
    .check(z.describe('What the form asked; refused with an answer if it is another one by now')),
  answer: z._default(answer, null),
  website,
  stamp,
});
export type EnrollmentRequestInput = z.output<typeof EnrollmentRequestInput>;

/** The answer to a request: the address that the email went to. The same for every address. */
export const EnrollmentRequested = z.object({ email: z.string() });

/** The token of the emailed link. */
export const ConfirmRequestInput = z.strictObject({ token });

/** What someone sends who would like an email when enrollment of a course opens. */
export const InterestInput = z.strictObject({
  email,
  consent: z
    ._default(z.boolean(), false)
    .check(z.describe('That the address is kept until then; has to be true')),
  language: z.optional(language),
  website,
  stamp,
});
export type InterestInput = z.output<typeof InterestInput>;

/** The answer to a confirmed one. */
export const InterestConfirmed = z.object({
  redirect_to: z
    .nullable(z.url())
    .check(z.describe('A cohort where enrollment is open already, so that nothing is kept')),
});
export type InterestConfirmed = z.infer<typeof InterestConfirmed>;

/** The answer to a confirmed request. */
export const RequestConfirmed = z.object({
  status: z.enum(enrollmentStatuses),
  queue_position: queuePosition,
  /** Their page. */
  redirect_to: z.url(),
});
export type RequestConfirmed = z.infer<typeof RequestConfirmed>;

/** A link and what it is used for. */
export const ParticipationInput = z.strictObject({ link, enrollment_id: z.string() });
export type ParticipationInput = z.output<typeof ParticipationInput>;

/** What people change about themselves. */
export const ParticipantPatch = z.strictObject({
  link,
  name: z.optional(personName()),
  language: z.optional(language),
  /** Whether reminders and messages to the group come. */
  reminders: z.optional(z.boolean()),
});
export type ParticipantPatch = z.output<typeof ParticipantPatch>;

/** The link that no longer works, and the address that it was sent to. */
export const NewLinkInput = z.strictObject({ link, email });
export type NewLinkInput = z.output<typeof NewLinkInput>;

/** A link by which a person asks for one to their data. */
export const DataLinkInput = z.strictObject({ link });

/** The token of a link that gives more than a person's page. */
export const RightsInput = z.strictObject({ token });

/** Another address, which is then asked for its proof. */
export const NewAddressInput = z.strictObject({ token, email });
export type NewAddressInput = z.output<typeof NewAddressInput>;

/** The answer to a proven address: the page of the person. */
export const AddressConfirmed = z.object({ redirect_to: z.url() });

/** What a person can do about an enrollment. */
const participantActions = ['accept', 'decline', 'leave', 'rejoin'] as const;
export type ParticipantAction = (typeof participantActions)[number];

/** Where a person stands in a cohort, as their page shows it to them. */
export const Participation = z.object({
  id: z.uuid(),
  cohort_name: z.string(),
  course_name: z.string(),
  starts_on: z.iso.date(),
  ends_on: z.iso.date(),
  time_zone: z.string(),
  place: z.nullable(z.string()),
  /** Only while they are enrolled. */
  join_url: z.nullable(z.string()),
  welcome_note: z.nullable(z.string()),
  status: z.enum(enrollmentStatuses),
  queue_position: queuePosition,
  /** The end of an offer or of an invitation. */
  expires_at: z.nullable(z.iso.datetime()),
  /** What they were asked, and what they answered; null without an answer. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  is_canceled: z.boolean(),
  actions: z.array(z.enum(participantActions)),
});
export type Participation = z.infer<typeof Participation>;

/** A participant as they see themselves. */
export const Participant = z.object({
  name: z.string(),
  email: z.string(),
  language: z.enum(locales),
  reminders: z.boolean(),
});
export type Participant = z.infer<typeof Participant>;

/** What the public page tells of places; newer than the page itself. */
export const Availability = z.object({
  enrollment_state: z.string(),
  places_left: z.nullable(z.int()).check(z.describe('null: no limit, or not shown')),
  waiting: z.nullable(z.int()),
  /** What the form sends back. */
  stamp: z.string(),
});
export type Availability = z.infer<typeof Availability>;

/** Someone whom the owner adds or invites. */
export const PersonInput = z.strictObject({
  as: z
    .enum(['enrolled', 'invited', 'waitlisted'], code('unknown_value'))
    .check(
      z.describe(
        'enrolled: at once, without asking. invited: when they accept; an invitation keeps no place. waitlisted: at its end, until a place is offered to them',
      ),
    ),
  name: personName(),
  email,
  language: z.optional(language),
  over_capacity: overCapacity,
});
export type PersonInput = z.output<typeof PersonInput>;

/** How the owner moves someone. */
export const MovePersonInput = z.strictObject({
  over_capacity: overCapacity,
  notify: z
    ._default(z.boolean(), true)
    .check(z.describe('Whether someone who is removed or turned down gets an email')),
});
export type MovePersonInput = z.output<typeof MovePersonInput>;

/** The cohort to which the owner moves someone. */
export const TransferInput = z.strictObject({
  cohort_id: z.string(code('unknown_value')),
  over_capacity: overCapacity,
  /** Whether the person is told. */
  notify: z._default(z.boolean(), true),
});
export type TransferInput = z.output<typeof TransferInput>;

const several = z
  .array(z.string(code('unknown_value')), code('unknown_value'))
  .check(z.minLength(1, code('unknown_value')), z.maxLength(200, code('unknown_value')));

/** Whom the owner removes or turns down at once. */
export const RemovePeopleInput = z.strictObject({
  enrollments: several,
  /** Whether they are told. */
  notify: z._default(z.boolean(), true),
});
export type RemovePeopleInput = z.output<typeof RemovePeopleInput>;

export const RemovedPeople = z.object({ removed: z.number() });

export const RefusedPeople = z.object({ refused: z.number() });

/** Whom of those who ask for a place the owner lets in at once. */
export const ApprovePeopleInput = z.strictObject({
  enrollments: several,
  over_capacity: overCapacity,
});
export type ApprovePeopleInput = z.output<typeof ApprovePeopleInput>;

/** What has become of them; whom it does not count stands where they stood. */
export const ApprovedPeople = z.object({ enrolled: z.int(), waitlisted: z.int() });
export type ApprovedPeople = z.infer<typeof ApprovedPeople>;

const note = z.nullable(
  z.string(code('text_characters')).check(
    lengthRule('person_note_too_long', 500),
    z.trim(),
    z.normalize('NFC'),
    rule('person_note_too_long', (typed) => characterCount(typed) <= 500),
    rule('text_characters', isPrintableText),
  ),
);

/** What the owner changes about a person. */
export const PersonPatch = z.partial(
  z.strictObject({
    name: personName(),
    email,
    language,
    note: note.check(z.describe('For the instructor alone; the person may ask to read it')),
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

const time = z.nullable(z.iso.datetime());

/** What a person export says of an event, a place, a request and an email. */
export const PersonEvent = z.object({
  at: z.iso.datetime(),
  actor: z.enum(enrollmentActors),
  from_status: z.nullable(z.enum(enrollmentStatuses)),
  to_status: z.enum(enrollmentStatuses),
  moved_from: z
    .nullable(z.string())
    .check(z.describe('The cohort from which the owner moved them here')),
});

export const PersonPlace = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  course_name: z.string(),
  status: z.enum(enrollmentStatuses),
  queue_no: z.nullable(z.int()),
  offer_no: z.int(),
  expires_at: time,
  over_capacity: z.boolean(),
  completed_at: time,
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  changed_by: z.enum(enrollmentActors),
  status_changed_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});

export const PersonRequest = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  email: z.string(),
  email_canonical: z.string(),
  name: z.string(),
  language: z.enum(locales),
  consent_version: z.int(),
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** A course of which they would like to know when enrollment opens. */
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

export const PersonMail = z.object({
  id: z.string(),
  kind: z.enum(outboxKinds),
  enrollment_id: z.nullable(z.uuid()),
  to_address: z.string(),
  to_canonical: z.string(),
  due_at: z.iso.datetime(),
  attempts: z.int(),
  sent_at: time,
  failed_at: time,
  failure: z.nullable(z.string()),
  bounced_at: time,
  complained_at: time,
});

export const PersonRow = z.object({
  id: z.uuid(),
  email: z.string(),
  email_canonical: z.string(),
  name: z.string(),
  language: z.enum(locales),
  note: z.nullable(z.string()),
  source: z.enum(personSources),
  consented_at: time,
  consent_version: z.nullable(z.int()),
  no_invitations_at: time,
  no_reminders_at: time,
  unlinked_at: time,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Everything that an instructor keeps of a person; see export-person.ts. */
export const PersonExport = z.object({
  exported_at: z.iso.datetime(),
  instructor: z.object({ name: z.string(), email: z.string() }),
  person: PersonRow,
  enrollments: z.array(z.object({ ...PersonPlace.shape, events: z.array(PersonEvent) })),
  requests: z.array(PersonRequest),
  interests: z.array(PersonInterest),
  payments: z.array(LedgerEntry),
  emails: z.array(PersonMail),
});
export type PersonExport = z.infer<typeof PersonExport>;

/** A row of the roster or of the waitlist. */
export const Enrollment = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  name: z.string(),
  email: z.string(),
  status: z.enum(enrollmentStatuses),
  queue_position: queuePosition,
  expires_at: z.nullable(z.iso.datetime()),
  over_capacity: z.boolean(),
  completed_at: z.nullable(z.iso.datetime()),
  /** What they were asked when they enrolled, and what they answered; null without an answer. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  status_changed_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  undeliverable_since: time.check(z.describe('Since when emails to the address come back')),
});
export type Enrollment = z.infer<typeof Enrollment>;

/** The same with the person and what has happened. */
export const EnrollmentDetails = z.object({
  ...Enrollment.shape,
  person: Person,
  events: z.array(PersonEvent),
});
export type EnrollmentDetails = z.infer<typeof EnrollmentDetails>;

/** A page of a list, and where the next one begins. */
export const EnrollmentPage = z.object({
  items: z.array(Enrollment),
  next: z
    .nullable(z.string())
    .check(z.describe('Send it as “after” for the next page; null on the last one')),
});
export type EnrollmentPage = z.infer<typeof EnrollmentPage>;

export const WaitlistPage = z.object({
  ...EnrollmentPage.shape,
  reason: z.enum(offerReasons).check(z.describe('Why no place is being offered at this moment')),
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
