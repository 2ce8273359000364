import * as z from 'zod/mini';
import { checkoutStatuses, cohortKinds, enrollmentStatuses, locales } from '#db/values.ts';
import { email, language, personName, queuePosition } from '#features/places/person-fields.ts';

/** Accepts any link or token, because all invalid ones get the same answer. */
const link = z.optional(
  z
    .unknown()
    .check(z.meta({ type: 'string', description: 'What comes after /p/ in the person’s emails' })),
);

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
  takes_part: z.optional(
    z.literal(true).check(z.describe('That they take part by their own will, for who was added')),
  ),
});
export type ParticipantPatch = z.output<typeof ParticipantPatch>;

/** The link that no longer works, and the address that it was sent to. */
export const NewLinkInput = z.strictObject({ link, email });
export type NewLinkInput = z.output<typeof NewLinkInput>;

/** A link by which a person asks for one to their data. */
export const DataLinkInput = z.strictObject({ link });

/** What a person can do about an enrollment. */
const participantActions = ['accept', 'decline', 'leave', 'rejoin'] as const;
export type ParticipantAction = (typeof participantActions)[number];

/** Where a person stands in a cohort, as their page shows it to them. */
export const Participation = z.object({
  id: z.uuid(),
  kind: z.enum(cohortKinds).check(z.describe('open: an evergreen course, which has no dates')),
  cohort_name: z.string(),
  course_name: z.string(),
  starts_on: z.nullable(z.iso.date()),
  ends_on: z.nullable(z.iso.date()),
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
  /** What they can pay online now, in the smallest unit of the currency; null for nothing. */
  to_pay_online: z.nullable(z.object({ amount_minor: z.int(), currency: z.string() })),
  actions: z.array(z.enum(participantActions)),
});
export type Participation = z.infer<typeof Participation>;

/** A payment that someone comes back from. */
export const CheckInput = z.strictObject({ link, checkout_id: z.string() });
export type CheckInput = z.output<typeof CheckInput>;

/** Where someone stands once Stripe was asked about their payment. */
export const CheckedPayment = z.object({
  ...Participation.shape,
  payment: z.enum(checkoutStatuses).check(z.describe('confirming: the bank takes its time')),
});
export type CheckedPayment = z.infer<typeof CheckedPayment>;

/** A participant as they see themselves. */
export const ParticipantDetails = z.object({
  name: z.string(),
  email: z.string(),
  language: z.enum(locales),
  reminders: z.boolean(),
});
export type ParticipantDetails = z.infer<typeof ParticipantDetails>;
