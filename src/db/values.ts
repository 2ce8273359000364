/** Closed lists that tables, schemas and islands share. Free of Drizzle, so safe to import in a browser. */

export const courseTypes = ['evergreen', 'cohort'] as const;
/** evergreen: self-paced, students start at any time. cohort: a group with fixed start and end dates. */
export type CourseType = (typeof courseTypes)[number];

export const linkPurposes = ['verification', 'login', 'address_change'] as const;
/** What the click on a mailed link proves or does. */
export type LinkPurpose = (typeof linkPurposes)[number];

export const undeliverableReasons = ['bounced', 'complained'] as const;
/** Why no more mail goes to an address. bounced: its mail server refused it for good. complained: its reader called it spam. */
export type SuppressionReason = (typeof undeliverableReasons)[number];

export const webhookProviders = ['resend'] as const;
/** Who tells us things by webhook. */
export type WebhookProvider = (typeof webhookProviders)[number];

export const locales = ['en', 'fr'] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = 'en';
