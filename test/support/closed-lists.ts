import {
  courseTypes,
  enrollmentOverrides,
  joinModes,
  linkPurposes,
  locales,
  undeliverableReasons,
  webhookProviders,
} from '#db/values.ts';

/** Columns without a CHECK on their closed list; see db/one-of.ts. */
export const closedLists: Record<string, readonly string[]> = {
  'cohorts.enrollment_override': enrollmentOverrides,
  'cohorts.join_mode': joinModes,
  'cohorts.language': locales,
  'courses.course_type': courseTypes,
  'links.purpose': linkPurposes,
  'undeliverable_addresses.reason': undeliverableReasons,
  'users.language': locales,
  'webhook_deliveries.provider': webhookProviders,
};
