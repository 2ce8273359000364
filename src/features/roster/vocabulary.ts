import { msg } from '#i18n/msg.ts';
import { type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  cohort_not_begun: msg`This cohort hasn’t begun yet.`,
  invitations_unwanted: msg`This person wants no more invitations from you. They can still enroll by themselves.`,
  offer_before_publishing: msg`This cohort is a draft. Publish it to offer places.`,
  offer_too_late: msg`It’s too late to offer places: less than an hour is left until the cohort begins or enrollment closes. You can still add people yourself.`,
  money_in_other_currency: msg`{name} has paid in a different currency from “{cohort}”, or is paying right now. Pay the money back first, or add them to “{cohort}” by hand.`,
  person_in_target: msg`“{cohort}” lists {name} already ({status}).`,
});

export const validation = {
  person_email_taken: msg`Someone else in your cohorts has this email address`,
} satisfies ValidationTexts;
