import * as z from 'zod/mini';
import { enrollmentStatuses } from '#db/values.ts';
import {
  email,
  language,
  personName,
  queuePosition,
  token,
} from '#features/places/person-fields.ts';
import { answer } from '#features/places/schema.ts';

/** Filled in by programs alone: people do not see the field. */
const website = z._default(z.string(), '').check(z.describe('Has to be empty'));

/** When the form was made: see `formStamp`. */
const stamp = z
  ._default(z.string(), '')
  .check(z.describe('The stamp of Availability, a few seconds to a day old'));

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

/** The answer to a request, which is the same for every address: where the email went. */
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

export const InterestConfirmed = z.object({
  redirect_to: z
    .nullable(z.url())
    .check(z.describe('A cohort where enrollment is open already, so that nothing is kept')),
});
export type InterestConfirmed = z.infer<typeof InterestConfirmed>;

export const RequestConfirmed = z.object({
  status: z.enum(enrollmentStatuses),
  queue_position: queuePosition,
  /** Their page. */
  redirect_to: z.url(),
});
export type RequestConfirmed = z.infer<typeof RequestConfirmed>;

/** What the public page tells of places; newer than the page itself. */
export const Availability = z.object({
  enrollment_state: z.string(),
  places_left: z.nullable(z.int()).check(z.describe('null: no limit, or not shown')),
  waiting: z.nullable(z.int()),
  /** What the form sends back. */
  stamp: z.string(),
});
export type Availability = z.infer<typeof Availability>;
