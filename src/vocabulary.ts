import * as api from '#api/vocabulary.ts';
import type { CountedFor } from '#db/personal-data.ts';
import * as attendance from '#features/attendance/vocabulary.ts';
import * as calendar from '#features/calendar/vocabulary.ts';
import * as checkouts from '#features/checkouts/vocabulary.ts';
import * as cleanUp from '#features/clean-up/vocabulary.ts';
import * as cohorts from '#features/cohorts/vocabulary.ts';
import * as contentFiles from '#features/content-files/vocabulary.ts';
import * as courses from '#features/courses/vocabulary.ts';
import * as documents from '#features/documents/vocabulary.ts';
import * as emails from '#features/emails/vocabulary.ts';
import * as enrolling from '#features/enrolling/vocabulary.ts';
import * as errorReports from '#features/error-reports/vocabulary.ts';
import * as files from '#features/files/vocabulary.ts';
import * as identity from '#features/identity/vocabulary.ts';
import * as learning from '#features/learning/vocabulary.ts';
import * as payments from '#features/ledger/vocabulary.ts';
import * as lessons from '#features/lessons/vocabulary.ts';
import * as letters from '#features/letters/vocabulary.ts';
import * as limitsFeature from '#features/limits/vocabulary.ts';
import * as rosterFiles from '#features/lists/vocabulary.ts';
import * as meetings from '#features/meetings/vocabulary.ts';
import * as messages from '#features/messages/vocabulary.ts';
import * as outbox from '#features/outbox/vocabulary.ts';
import * as participant from '#features/participant/vocabulary.ts';
import * as paymentAccounts from '#features/payment-accounts/vocabulary.ts';
import * as places from '#features/places/vocabulary.ts';
import * as rights from '#features/rights/vocabulary.ts';
import * as roster from '#features/roster/vocabulary.ts';
import * as settings from '#features/settings/vocabulary.ts';
import * as stripe from '#features/stripe/vocabulary.ts';
import * as suppression from '#features/suppression/vocabulary.ts';
import * as unsubscribing from '#features/unsubscribing/vocabulary.ts';
import { merge } from '#lib/vocabulary.ts';

/** The vocabulary of each feature, in the order of the account export and the list of limits. */
const vocabularies = [
  api,
  identity,
  courses,
  documents,
  files,
  lessons,
  contentFiles,
  cohorts,
  calendar,
  meetings,
  attendance,
  rights,
  places,
  roster,
  enrolling,
  learning,
  participant,
  payments,
  stripe,
  paymentAccounts,
  checkouts,
  rosterFiles,
  outbox,
  messages,
  letters,
  emails,
  unsubscribing,
  suppression,
  settings,
  limitsFeature,
  cleanUp,
  errorReports,
] as const;

/** All expected errors. Codes never change, because clients decide by them. */
export const errors = merge(vocabularies, 'errors');
export type ErrorCode = keyof typeof errors;

/** The messages for invalid fields, by the validation codes of schemas. */
export const validationTexts = merge(vocabularies, 'validation');
export type ValidationCode = keyof typeof validationTexts;

/** The default rates of all limits. LIMITS in wrangler.toml overrides them. */
export const defaultLimits = merge(vocabularies, 'limits');
export type LimitName = keyof typeof defaultLimits;

/** Events that operators may need later: sign-ins, refusals and permanent changes. */
export const logEvents = merge(vocabularies, 'events');
export type LogEvent = keyof typeof logEvents;

/** The lists in the export of an account. */
export const exported = merge(vocabularies, 'exported');

/** The rows to delete with an account that do not cascade from the user's row. */
export const erased = merge(vocabularies, 'erased');

/** Limits of the addresses of an account: omitting the subjects of one is a compile error. */
type AddressLimit = Extract<LimitName, `${string}_per_address${string}`>;

/** The subjects of an account's counters, but of limits per user: those are counted by its id. */
export const countedFor = merge(vocabularies, 'countedFor') satisfies Record<
  AddressLimit,
  CountedFor
>;
