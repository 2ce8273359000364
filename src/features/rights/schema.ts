import * as z from 'zod/mini';
import { checkoutProblems, checkoutStatuses, standings } from '#db/values.ts';
import { outboxKinds } from '#email/kinds.ts';
import { AttendanceMark } from '#features/attendance/schema.ts';
import { LedgerEntry } from '#features/ledger/schema.ts';
import { email, time, token } from '#features/places/person-fields.ts';
import {
  exportedPerson,
  exportedPlace,
  exportedRequest,
  PersonEvent,
  PersonInterest,
} from '#features/places/schema.ts';

/** The token of a link that gives more than a person's page. */
export const RightsInput = z.strictObject({ token });

/** Another address, which is then asked for its proof. */
export const NewAddressInput = z.strictObject({ token, email });
export type NewAddressInput = z.output<typeof NewAddressInput>;

/** The answer to a proven address: the page of the person. */
export const AddressConfirmed = z.object({ redirect_to: z.url() });

export const PersonPlace = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  course_name: z.string(),
  ...exportedPlace,
  status_changed_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});

export const PersonRequest = z.omit(z.object(exportedRequest), { person_id: true });

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

export const ExportedPerson = z.object({
  ...exportedPerson,
  no_invitations_at: time,
  no_reminders_at: time,
  unlinked_at: time,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Whether someone was at a live session. */
export const PersonMark = z.object({
  ...AttendanceMark.shape,
  title: z.string(),
  starts_local: z.string(),
});

/** That someone has opened a lesson, and has done it. */
export const PersonLesson = z.object({
  lesson_id: z.uuid(),
  title: z.string(),
  opened_at: z.iso.datetime(),
  done_at: time,
});

/** How far someone is in the lessons. */
export const PersonLearning = z.object({
  started_at: z.iso.datetime(),
  access_from: z.iso.datetime(),
  last_seen_at: time,
  last_lesson_id: z.nullable(z.uuid()),
  done: z.int(),
  announced_at: time.check(z.describe('When they were last told that lessons have opened')),
  nudges: z.int().check(z.describe('How many reminders went out because they had stopped')),
  nudge_due_at: time,
  standing: z.nullable(z.enum(standings)),
  quiet_at: time.check(z.describe('From when on they count as stuck, or as not started')),
  taken_back: z
    .boolean()
    .check(z.describe('Whether their instructor has taken their completion back')),
});

/** That someone went to pay at Stripe, and the outcome. */
export const PersonCheckout = z.object({
  id: z.uuid(),
  enrollment_id: z.uuid(),
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  course_name: z.string(),
  price_minor: z
    .nullable(z.int())
    .check(z.describe('The price of the place; null for what was owed already')),
  amount_minor: z.int(),
  currency: z.string(),
  status: z.enum(checkoutStatuses),
  problem: z.nullable(z.enum(checkoutProblems)),
  paid_minor: z.nullable(z.int()),
  paid_currency: z.nullable(z.string()),
  paid_at: time,
  refunded_minor: z.int(),
  decide_by: time.check(z.describe('When a payment without a place goes back by itself')),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});

/** Everything that an instructor keeps of a person; see export-person.ts. */
export const PersonExport = z.object({
  exported_at: z.iso.datetime(),
  instructor: z.object({ name: z.string(), email: z.string() }),
  person: ExportedPerson,
  enrollments: z.array(
    z.object({
      ...PersonPlace.shape,
      events: z.array(PersonEvent),
      attendance: z.array(PersonMark),
      learning: z.nullable(PersonLearning),
      lessons: z.array(PersonLesson),
    }),
  ),
  requests: z.array(PersonRequest),
  interests: z.array(PersonInterest),
  payments: z.array(LedgerEntry),
  checkouts: z.array(PersonCheckout),
  emails: z.array(PersonMail),
});
export type PersonExport = z.infer<typeof PersonExport>;
