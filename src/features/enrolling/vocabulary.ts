import type { CountedFor } from '#db/personal-data.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  ...withStatus(422, {
    enrollment_is_open: msg`Enrollment is open now. Please reload this page.`,
    enrollment_removed: msg`Please write to {instructor}.`,
    form_stale: msg`This page is out of date. Please reload it and try again.`,
  }),
  interest_link_invalid: { status: 400, text: msg`This link is no longer valid.` },
} satisfies Errors;

export const validation = {
  consent_required: msg`Please agree that your name and email address are passed on to {instructor}`,
  interest_consent_required: msg`Please agree that your address is kept until then`,
  answer_too_long: msg`Your answer must be at most 500 characters`,
} satisfies ValidationTexts;

export const limits = {
  /** Requests to enroll from one client network. */
  requests_per_ip: ['40/h'],
  /** Emails to an address because someone has typed it, in all. Beyond it, there are no more. */
  requests_per_address: ['10/d'],
  /**
   * Emails to an address about one cohort or course, with new links, or to prove it as someone's.
   * Also links that one instructor sends to it.
   */
  same_requests_per_address: ['3/d'],
  /** Requests to enroll in one cohort. Beyond it, their emails wait for the next run. */
  cohort_requests: ['200/h'],
} as const satisfies LimitRates;

/**
 * Not an address of participants: the limits of strangers do not end with an account. Nor do those
 * of a cohort or a course, which are over after a day.
 */
export const countedFor = {
  requests_per_address: ({ emailCanonical }) => [emailCanonical],
  same_requests_per_address: ({ emailCanonical }) => [
    `new_link:${emailCanonical}`,
    `learner_link:${emailCanonical}`,
    `address_proof:${emailCanonical}`,
  ],
} satisfies Record<string, CountedFor>;

export const events = {
  enrollment_requested: true,
  interest_requested: true,
  interested_told: true,
  form_refused: true,
};
