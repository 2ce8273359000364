/** Value lists shared by tables, schemas and islands. Without Drizzle, so safe in a browser. */

export const courseTypes = ['evergreen', 'cohort'] as const;
/** evergreen: self-paced, starting any time. cohort: a group with fixed start and end dates. */
export type CourseType = (typeof courseTypes)[number];

export const courseHues = ['teal', 'plum', 'brick', 'moss', 'indigo'] as const;
/** The color of a course's cover; see styles/tokens.css. */
export type CourseHue = (typeof courseHues)[number];

export const cohortKinds = ['dated', 'open'] as const;
/**
 * dated: a group with a first and a last day. open: the people of an evergreen course, who start on
 * any day; its dates mean nothing and are shown to no one.
 */
export type CohortKind = (typeof cohortKinds)[number];

export const standings = ['completed', 'under_way', 'stuck', 'not_started'] as const;
/**
 * How someone in an open run stands. under_way: opened a lesson less than 14 days ago, or enrolled
 * less than 7 days ago. stuck: opened one, but not for 14 days. not_started: opened none for 7 days.
 */
export type Standing = (typeof standings)[number];

export const joinModes = ['open', 'approval', 'invitation'] as const;
/**
 * open: anyone who has the address of its page. approval: they too, if its owner approves.
 * invitation: only those whom its owner invites.
 */
export type JoinMode = (typeof joinModes)[number];

export const offerHours = [24, 48, 72] as const;
/** How many hours a free place is kept for someone from the waitlist. */
export type OfferHours = (typeof offerHours)[number];

export const enrollmentOverrides = ['open', 'closed'] as const;
/** What the owner has decided in place of the planned opening and closing of enrollment. */
export type EnrollmentOverride = (typeof enrollmentOverrides)[number];

export const enrollmentStatuses = [
  'invited',
  'applied',
  'waitlisted',
  'offered',
  'enrolled',
  'declined',
  'refused',
  'expired',
  'left',
  'removed',
] as const;
/**
 * The status of a person in a cohort. An enrolled person and, until it expires, an offered one take
 * a place. Someone who applies waits for the owner's decision, and holds none.
 */
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

/** Of people who no longer take part, and neither wait nor are invited. */
export const endedStatuses: readonly (EnrollmentStatus | null)[] = [
  'declined',
  'refused',
  'expired',
  'left',
  'removed',
];

/**
 * Lists of accounts that may need the owner. owing: people who still owe. left: people who no longer
 * take part and still owe, or have paid what was not refunded. gone: people who are no longer in the
 * cohort.
 */
export const balanceLists = ['owing', 'left', 'gone'] as const;

export const enrollmentActors = ['owner', 'person', 'clock'] as const;
/** Who changed an enrollment. clock: time ran out, or a place was free for the next in line. */
export type EnrollmentActor = (typeof enrollmentActors)[number];

/** Why a place is held until it is paid: someone asked for it, or has accepted an invitation. */
export const holds = ['checkout', 'invitation'] as const;

/** How a person came to an instructor: by the public page, or by the instructor. */
export const personSources = ['self', 'added', 'invited', 'imported'] as const;

export const blockReasons = ['removed', 'no_invitations'] as const;
/**
 * removed: the owner has removed them from a cohort, so they cannot come back by themselves.
 * no_invitations: they have asked the owner for no more invitations.
 */

export const ledgerKinds = ['charge', 'payment', 'refund', 'waiver'] as const;
/** What an entry of an account says: what is owed, paid, paid back or no longer owed. */
export type LedgerKind = (typeof ledgerKinds)[number];

export const methodsByHand = ['transfer', 'cash', 'card', 'check', 'other'] as const;
export const paymentMethods = [...methodsByHand, 'online'] as const;
/** How money changed hands. online: by Stripe, which nobody records by hand. */
export type PaymentMethod = (typeof paymentMethods)[number];

export const paymentModes = ['own', 'online', 'online_first'] as const;
/**
 * How people pay for a place. own: their instructor, as these agree. online: by Stripe, whenever
 * they like. online_first: by Stripe, before the place is theirs.
 */
export type PaymentMode = (typeof paymentModes)[number];

export const checkoutStatuses = ['open', 'confirming', 'paid', 'expired'] as const;
/** What has become of a payment at Stripe. confirming: the bank of the payer takes its time. */
export type CheckoutStatus = (typeof checkoutStatuses)[number];

export const checkoutProblems = [
  'no_place',
  'overpaid',
  'disputed',
  'dispute_lost',
  'lost',
] as const;
/**
 * Why a payment needs its instructor. no_place: it came when the place was no longer theirs.
 * overpaid: more than was owed. disputed: the payer asks their bank for it. dispute_lost: the bank
 * has given it back, so until that is settled the payer is not asked for it. lost: a refund of it has
 * failed.
 */
export type CheckoutProblem = (typeof checkoutProblems)[number];

export const refundReasons = ['owner', 'no_place'] as const;
/** owner: the instructor pays back. no_place: nobody decided within a day. */

/**
 * Where an entry comes from. enrollment: someone became enrolled. owner: written by hand. move:
 * someone was moved to another cohort, with what they had paid. leaving: they left, and their owner
 * has ended their account; what was waived then is owed again if they come back. stripe: paid or
 * refunded online.
 */
export const ledgerSources = ['enrollment', 'owner', 'move', 'leaving', 'stripe'] as const;
export type LedgerSource = (typeof ledgerSources)[number];

export const versionReasons = ['saved', 'published', 'conflict', 'restored'] as const;
/**
 * Why a version of a lesson is kept. saved: it was about to be overwritten. published: it went out.
 * conflict: it was not saved, because another tab was faster. restored: an older one replaced it.
 */
export type VersionReason = (typeof versionReasons)[number];

/** When a section opens for one cohort: on a date, with a live session, or never. */
export const sectionModes = ['date', 'meeting', 'hidden'] as const;

export const messageAudiences = ['enrolled', 'stuck', 'owing', 'waitlist', 'chosen'] as const;
/**
 * Whom an instructor writes to. stuck: who started an evergreen course and has stopped. owing:
 * enrolled people who still have to pay.
 */
export type MessageAudience = (typeof messageAudiences)[number];

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

export const languageNames: Record<Locale, string> = { en: 'English', fr: 'Français' };
export const defaultLocale: Locale = 'en';
