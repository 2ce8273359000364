import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates } from '#lib/vocabulary.ts';

export const errors = {
  mail_unavailable: {
    status: 503,
    text: msg`We couldn’t send the email right now. Please try again in a moment.`,
  },
  rate_limited: { status: 429, text: msg`Too many requests. Please try again later.` },
} satisfies Errors;

export const limits = {
  /** All emails, so that no one uses up the operator's plan. */
  mails: ['500/h'],
  /** Emails to unverified addresses, so that a flood of sign-ups leaves room for logins. */
  mails_to_unproven: ['300/h'],
} as const satisfies LimitRates;

export const events = { limiter_failed: true, mail_budget: true, rate_limited: true };
