/** Value lists shared by tables, schemas and islands. Without Drizzle, so safe in a browser. */

export const courseTypes = ['evergreen', 'cohort'] as const;
/** evergreen: self-paced, starting any time. cohort: a group with fixed start and end dates. */
export type CourseType = (typeof courseTypes)[number];

export const joinModes = ['open', 'invitation'] as const;
/** open: anyone who has the address of its page. invitation: only those whom its owner invites. */
export type JoinMode = (typeof joinModes)[number];

export const offerHours = [24, 48, 72] as const;
/** How many hours a free place is kept for someone from the waitlist. */
export type OfferHours = (typeof offerHours)[number];

export const enrollmentOverrides = ['open', 'closed'] as const;
/** What the owner has decided in place of the planned opening and closing of enrollment. */
export type EnrollmentOverride = (typeof enrollmentOverrides)[number];

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
