import type {
  CheckoutProblem,
  CohortKind,
  CourseHue,
  Locale,
  PaymentMethod,
  PaymentMode,
} from '#db/values.ts';
import type { ParticipantMailKind } from './kinds.ts';

export type PayloadDates = { starts_on: string; ends_on: string; time_zone: string };

export type PayloadCohort = PayloadDates & {
  /** Missing in emails that were written before there were transfers. */
  id?: string;
  /** Missing in emails that were written before courses had open runs. */
  kind?: CohortKind;
  name: string;
  course: string;
  /** Both are missing in older emails. */
  course_id?: string;
  hue?: CourseHue | null;
  place: string | null;
  welcome_note: string | null;
  price_minor: number | null;
  currency: string | null;
  /** What people owe who enrolled before a moment; missing in older emails. */
  early_price_minor?: number | null;
  early_until_at?: number | null;
  /** How to pay; both are missing in emails that were written before there were accounts. */
  payment_note?: string | null;
  /** What applies to refunds; missing in older emails. */
  refund_note?: string | null;
  /** Missing in emails that were written before people could pay online. */
  payment_mode?: PaymentMode;
  /** Whether there are lessons to read; missing in older emails. */
  has_lessons?: 0 | 1;
  payment_url?: string | null;
};

/** A live session as an email says it. Its wall time is in the zone of the cohort. */
export type PayloadMeeting = {
  title: string;
  starts_local: string;
  duration_minutes: number;
  place: string | null;
};

/** Older emails have only the title and the time: the other fields were added later. */
type NextMeeting = Pick<PayloadMeeting, 'title' | 'starts_local'> & {
  starts_at?: number;
  duration_minutes?: number;
  public_line?: string | null;
};

/** A change of a live session; `before` is null for one that is new to its readers. */
export type PayloadChange = PayloadMeeting & {
  /** Absent in older rows. */
  id?: string;
  is_cancelled: boolean | 0 | 1;
  before: (Pick<PayloadMeeting, 'title' | 'starts_local'> & { time_zone: string }) | null;
};

/** A problem of a payment, or what has become of it without its instructor. */
export type PaymentReason =
  | CheckoutProblem
  | 'bank_refused'
  | 'refunded_by_itself'
  | 'refund_refused';

/** What someone has typed who asks for a place. No text says it: it may be a stranger's. */
export type RequestFacts = {
  name: string;
  email: string;
  language: Locale;
  consent_version: number;
  question: string | null;
  answer: string | null;
};

/** What an email to a participant says, as the outbox keeps it. Times are milliseconds. */
export type Payload = {
  /** Their name; null for someone who has not proven the address. */
  name: string | null;
  language: Locale;
  instructor: { name: string; email: string };
  /** Null for an email about no cohort, to someone who is in none any more. */
  cohort: PayloadCohort | null;
  /** All their cohorts, for emails about none in particular. */
  cohorts?: Pick<PayloadCohort, 'kind' | 'name' | 'course'>[];
  /** The public page that the button opens; missing in most. */
  slug?: string;
  /** Whose page the button opens. */
  person: { id: string; link_version: number } | null;
  /** What the button confirms. */
  request: { id: string; expires_at: number; facts?: RequestFacts } | null;
  enrollment: {
    expires_at: number | null;
    offer_hours: number;
    position: number | null;
    /** The cohort from which they were moved. */
    moved_from?: string | null;
    /** When that became so; absent in older rows, as is the next. */
    since?: number;
    /** How the instructor got an address whose person has not agreed yet; null for all others. */
    source?: string | null;
    /** Whether the instructor has made it so; absent in older rows. */
    by_owner?: 0 | 1;
    /** Whether the clock has made it so; absent in older rows. */
    by_clock?: 0 | 1;
    /** Whether someone who has left can ask for a place again; absent in older rows. */
    can_return?: 0 | 1 | null;
  } | null;
  /** The price of their place; null or absent for people without one. */
  price?: number | null;
  /**
   * What they had to pay when it was written: what is open of the price, or what makes the place that
   * is kept for them theirs. Null if nothing does; absent in older rows and most emails.
   */
  payable?: number | null;
  /** When it was written; absent where `enrollment` says it, and in older rows. */
  written_at?: number;
  /** The dates until now. */
  before: PayloadDates | null;
  /** The first live session to come, for who has a place; null without one. */
  next_meeting?: NextMeeting | null;
  /** What the instructor says about the change. */
  note: string | null;
  /** Of the reminder of a live session: which, and whether it comes a day or an hour before. */
  meeting?: PayloadMeeting & { id: string; starts_at: number; which: 'day' | 'hour' };
  /** What has changed about live sessions, in any order. */
  changes?: PayloadChange[];
  /** What the instructor writes to everyone. */
  message?: { subject: string; text: string };
  /** What is owed, in a reminder of it. */
  owed?: { minor: number; currency: string } | null;
  /** The payment of a receipt, and what is left to pay after it; null while that is undecided. */
  receipt?: {
    entry_id: string;
    minor: number;
    currency: string;
    method: PaymentMethod;
    word: string | null;
    day: string;
    left: number | null;
  };
  /** What is being refunded, if the place ended so. */
  refund?: { minor: number; currency: string };
  /** What has opened: the titles of its sections, null for one without, and its first lesson. */
  released?: { sections: (string | null)[]; lessons: number; first: string };
  /** How far someone is who has stopped, and the lesson that they would read next. */
  progress?: { done: number; of: number; next: string | null };
  /** A payment at Stripe that is about more than a receipt. */
  payment?: {
    minor: number;
    currency: string;
    course: string;
    cohort: string;
    cohort_id: string;
    enrollment_id: string;
    time_zone: string;
    /** When it is refunded by itself; null if it is not. */
    decide_by: number | null;
    /** Why the instructor has to look at it, in emails to them. */
    reason?: PaymentReason;
    /** Who has paid, in emails to their instructor; null once that is erased. */
    payer?: string | null;
  };
  /** What has become of the instructor's account at Stripe, in emails to them. */
  account?: { change: 'connected' | 'disconnected' | 'paused' };
  /** Of a preview: which email it shows, and of which cohort. */
  preview?: { kind: ParticipantMailKind; cohort_id: string };
};

/** An email to a participant whose texts may mention its cohort. */
export type CohortPayload = Payload & { cohort: PayloadCohort };
