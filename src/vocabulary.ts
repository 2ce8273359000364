import * as api from '#api/vocabulary.ts';
import type { CountedFor } from '#features/accounts/personal-data.ts';
import * as accounts from '#features/accounts/vocabulary.ts';
import * as auth from '#features/auth/vocabulary.ts';
import * as cleanUp from '#features/clean-up/vocabulary.ts';
import * as courses from '#features/courses/vocabulary.ts';
import * as errorReports from '#features/error-reports/vocabulary.ts';
import * as limitsFeature from '#features/limits/vocabulary.ts';
import * as settings from '#features/settings/vocabulary.ts';
import * as suppression from '#features/suppression/vocabulary.ts';
import { merge } from '#lib/vocabulary.ts';

/** What each feature brings, in the order in which limits and an account's export are listed. */
const vocabularies = [
  api,
  auth,
  courses,
  suppression,
  accounts,
  settings,
  limitsFeature,
  cleanUp,
  errorReports,
] as const;

/** Everything that may go wrong in an expected way. Codes never change: clients decide by them. */
export const errors = merge(vocabularies, 'errors');
export type ErrorCode = keyof typeof errors;

/** What is said about a field that does not pass. Schemas name these texts by their codes. */
export const validationTexts = merge(vocabularies, 'validation');
export type ValidationCode = keyof typeof validationTexts;

/** Every limit. Operators set other rates in LIMITS of wrangler.toml. */
export const defaultLimits = merge(vocabularies, 'limits');
export type LimitName = keyof typeof defaultLimits;

/**
 * What an operator may want to know of afterwards: who got in or was refused, and what was changed
 * for good.
 */
export const logEvents = merge(vocabularies, 'events');
export type LogEvent = keyof typeof logEvents;

/** What the export of an account lists. */
export const exported = merge(vocabularies, 'exported');

/** What the deletion of an account deletes; the rest goes with the row of the user. */
export const erased = merge(vocabularies, 'erased');

/** Limits that count for one account: a name that says so does not compile without its subjects. */
type AccountLimit = Extract<LimitName, `${string}_per_user` | `${string}_per_address${string}`>;

/** Whom the counters of an account are kept for. */
export const countedFor = merge(vocabularies, 'countedFor') satisfies Record<
  AccountLimit,
  CountedFor
>;
