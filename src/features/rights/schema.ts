import * as z from 'zod/mini';
import { enrollmentActors, enrollmentStatuses, locales, personSources } from '#db/values.ts';
import { outboxKinds } from '#email/kinds.ts';
import { LedgerEntry } from '#features/ledger/schema.ts';
import { email, time, token } from '#features/places/person-fields.ts';
import { PersonEvent } from '#features/places/schema.ts';

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

export const ExportedPerson = z.object({
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
  person: ExportedPerson,
  enrollments: z.array(z.object({ ...PersonPlace.shape, events: z.array(PersonEvent) })),
  requests: z.array(PersonRequest),
  interests: z.array(PersonInterest),
  payments: z.array(LedgerEntry),
  emails: z.array(PersonMail),
});
export type PersonExport = z.infer<typeof PersonExport>;
