/** Value lists shared by tables, schemas and islands. Without Drizzle, so safe in a browser. */

export const courseTypes = ['evergreen', 'cohort'] as const;
/** evergreen: self-paced, starting any time. cohort: a group with fixed start and end dates. */
export type CourseType = (typeof courseTypes)[number];

export const linkPurposes = ['verification', 'login', 'address_change'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const undeliverableReasons = ['bounced', 'complained'] as const;
/** bounced: permanently rejected by the mail server. complained: marked as spam by its reader. */
export type SuppressionReason = (typeof undeliverableReasons)[number];

export const webhookProviders = ['resend'] as const;
/** The services that call our webhooks. */
export type WebhookProvider = (typeof webhookProviders)[number];

export const locales = ['en', 'fr'] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = 'en';
