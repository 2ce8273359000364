import {
  courseTypes,
  linkPurposes,
  locales,
  undeliverableReasons,
  webhookProviders,
} from '#db/values.ts';

/** Columns without a CHECK on their closed list; see db/one-of.ts. */
export const closedLists: Record<string, readonly string[]> = {
  'courses.course_type': courseTypes,
  'links.purpose': linkPurposes,
  'undeliverable_addresses.reason': undeliverableReasons,
  'users.language': locales,
  'webhook_deliveries.provider': webhookProviders,
};
