import type { CohortKind, EnrollmentStatus } from '#db/values.ts';

/** As long as what an email is worth sending: the conditions of letters/is-still-needed.ts. */
export type Need =
  | 'always'
  | 'link_valid'
  | 'subscribed'
  | 'enrollment_open'
  | 'cohort_cancelled'
  | 'cohort_archived'
  | 'status_same'
  | 'place_same'
  | 'answer_awaited'
  | 'dates_same'
  | 'amount_same'
  | 'still_completed'
  | 'entry_stands'
  | 'reader_same'
  | 'reminder_due'
  | 'release_wanted'
  | 'nudge_wanted'
  | 'invitation_open';

export const subscriptionKinds = ['invitation', 'reminder', 'news'] as const;
/**
 * What can be unsubscribed from: invitations, reminders with messages of one instructor, and the
 * news of an account.
 */
export type SubscriptionKind = (typeof subscriptionKinds)[number];

/** How emails of a kind are treated. */
export type Traits = {
  /** By default, as long as nothing about the enrollment has changed since it was written. */
  needed?: Need;
  /** The status of the enrollment that it is about; not needed in any other. */
  status?: EnrollmentStatus;
  /** What sends it, if not both cohorts with dates and open runs do. */
  only?: CohortKind;
  /** Only sent where people pay online. */
  isOfOnline?: true;
  /** Who asked for it: anyone who knows the address, or someone who takes part. */
  askedBy?: 'anyone' | 'participant';
  /** Twice as many reach one address, because it could expire unread. */
  isUrgent?: true;
  /** Counts as what one instructor sends to many; beyond their limit it waits, or has no words. */
  bulk?: 'waits' | 'counts';
  /** Held back while people mark the emails of its instructor as spam. */
  pauses?: true;
  /** Waits like those of `bulk` and `pauses`, but only to people who have not agreed to take part. */
  waitsForStrangers?: true;
  /** Keeps a distance from the next that an instructor sends to people who have not asked. */
  spaced?: 'always' | 'in_bulk';
  /** Which words of the instructor it has; a message and a note wait for an introduction. */
  words?: 'message' | 'note' | 'welcome';
  /** Says that an instructor has its reader on a list, and how to be removed from it. */
  introduces?: true;
  /** Says how to pay, to those who have agreed to take part. */
  asksForMoney?: true;
  /** What its reader can unsubscribe from. All others always come. */
  subscription?: SubscriptionKind;
  /** Who gets it, if not a participant. Instructors never see who waits for enrollment to open. */
  reader?: 'instructor' | 'interested';
};

const invitation: Traits = {
  status: 'invited',
  bulk: 'waits',
  pauses: true,
  subscription: 'invitation',
};
const reminder: Traits = {
  only: 'dated',
  needed: 'reminder_due',
  status: 'enrolled',
  bulk: 'counts',
  subscription: 'reminder',
};
/** About the lessons of someone who is enrolled, whenever their instructor opens some. */
const lessonReminder = {
  status: 'enrolled',
  bulk: 'counts',
  waitsForStrangers: true,
  subscription: 'reminder',
} satisfies Traits;
const notice = { bulk: 'counts', words: 'note' } satisfies Traits;
const archived: Traits = { only: 'dated', needed: 'cohort_archived', bulk: 'counts' };
const meetingNotice: Traits = {
  ...notice,
  only: 'dated',
  needed: 'status_same',
  status: 'enrolled',
};
const welcome = {
  status: 'enrolled',
  words: 'welcome',
  introduces: true,
  asksForMoney: true,
} satisfies Traits;
const offer = { status: 'offered', askedBy: 'participant', isUrgent: true } satisfies Traits;

/** The kinds of emails of a cohort, in the order in which its page lists them. */
const participantKinds = {
  confirm_request: { needed: 'link_valid', askedBy: 'anyone' },
  already_there: { needed: 'always', askedBy: 'anyone' },
  write_to_instructor: { needed: 'always', askedBy: 'anyone' },
  new_link: { needed: 'always', askedBy: 'anyone' },
  learner_link: { needed: 'link_valid', askedBy: 'anyone', isUrgent: true },
  applied: { status: 'applied', askedBy: 'participant' },
  refused: { status: 'refused' },
  enrolled: { ...welcome, askedBy: 'participant' },
  added: {
    status: 'enrolled',
    bulk: 'counts',
    pauses: true,
    waitsForStrangers: true,
    spaced: 'in_bulk',
    introduces: true,
  },
  waitlisted: { status: 'waitlisted', askedBy: 'participant', spaced: 'in_bulk', introduces: true },
  offer: { ...offer, introduces: true },
  offer_expiring: { ...offer, needed: 'answer_awaited' },
  offer_expired: { status: 'expired' },
  invitation: { ...invitation, spaced: 'always', introduces: true },
  invitation_reminder: { ...invitation, needed: 'invitation_open' },
  removed: { status: 'removed' },
  left: { status: 'left', askedBy: 'participant' },
  left_by_owner: { status: 'left' },
  transferred: { ...welcome, bulk: 'counts' },
  starts_soon: { ...reminder, words: 'welcome' },
  meeting_reminder: reminder,
  meeting_changed: meetingNotice,
  meeting_cancelled: meetingNotice,
  message: {
    needed: 'reader_same',
    bulk: 'waits',
    pauses: true,
    words: 'message',
    subscription: 'reminder',
  },
  cohort_cancelled: { ...notice, needed: 'cohort_cancelled' },
  cohort_archived: archived,
  no_place_free: archived,
  dates_moved: { ...notice, only: 'dated', needed: 'dates_same' },
  data_link: { needed: 'link_valid', askedBy: 'anyone', isUrgent: true },
  address_proof: { needed: 'link_valid', askedBy: 'anyone' },
  enrollment_open: { needed: 'enrollment_open', spaced: 'always', reader: 'interested' },
  payment_reminder: {
    needed: 'amount_same',
    status: 'enrolled',
    bulk: 'waits',
    pauses: true,
    asksForMoney: true,
  },
  lessons_released: { ...lessonReminder, needed: 'release_wanted' },
  nudge: { ...lessonReminder, only: 'open', needed: 'nudge_wanted' },
  course_completed: {
    only: 'open',
    needed: 'still_completed',
    status: 'enrolled',
    askedBy: 'participant',
  },
  completed: { needed: 'still_completed', status: 'enrolled', bulk: 'waits', pauses: true },
  receipt: { needed: 'entry_stands', bulk: 'counts', waitsForStrangers: true },
  place_held: { ...offer, introduces: true, isOfOnline: true },
  payment_failed: { needed: 'always', isOfOnline: true },
  paid_without_place: { needed: 'always', askedBy: 'participant', isOfOnline: true },
  paid_back: { needed: 'always', isOfOnline: true },
} satisfies Record<string, Traits>;

const otherKinds = {
  confirm_interest: { needed: 'link_valid', askedBy: 'anyone', reader: 'interested' },
  /** Shows an instructor one of the emails to participants. */
  preview: { needed: 'always', reader: 'instructor' },
  /** What an instructor has to look at, and what has become of their account at Stripe. */
  payment_problem: { needed: 'always', reader: 'instructor' },
  payment_account: { needed: 'always', reader: 'instructor' },
  roster_news: { needed: 'subscribed', bulk: 'waits', subscription: 'news', reader: 'instructor' },
} satisfies Record<string, Traits>;

/** What the emails of a cohort say. */
export type ParticipantMailKind = keyof typeof participantKinds;

/** All emails of the outbox. */
export type OutboxKind = ParticipantMailKind | keyof typeof otherKinds;

export const traitsOf: Record<OutboxKind, Traits> = { ...participantKinds, ...otherKinds };

// Casts, because `Object.keys` forgets the names of the keys.
export const participantMailKinds = Object.keys(participantKinds) as ParticipantMailKind[];
export const outboxKinds = Object.keys(traitsOf) as OutboxKind[];

export function kindsWith(hasTrait: (traits: Traits) => boolean): OutboxKind[] {
  return outboxKinds.filter((kind) => hasTrait(traitsOf[kind]));
}

/** What a cohort with dates sends, or an open run, in the order of its page. */
export function mailKindsOf(kind: CohortKind): ParticipantMailKind[] {
  return participantMailKinds.filter((mail) => (traitsOf[mail].only ?? kind) === kind);
}

/** Whether a cohort only sends it if people pay online. */
export function isOfOnline(kind: ParticipantMailKind): boolean {
  return traitsOf[kind].isOfOnline === true;
}

/** To people who wait for enrollment to open, whose addresses their instructor never sees. */
export const interestMailKinds = kindsWith(({ reader }) => reader === 'interested');
