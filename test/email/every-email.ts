import {
  addressChanged,
  addressChangeLink,
  addressChangeRequested,
  addressRestored,
  addressTaken,
  loginLink,
  verifyEmail,
} from '#email/account-letters.ts';
import { type InterestPayload, interestLetter } from '#email/interest-letter.ts';
import {
  mailKindsOf,
  type OutboxKind,
  type ParticipantMailKind,
  participantMailKinds,
  traitsOf,
} from '#email/kinds.ts';
import type { Addressee, RequestOrigin } from '#email/layout.ts';
import { accountNotice, paymentProblem } from '#email/owner-payments.ts';
import { participantLetter, previewLetter } from '#email/participant-letter.ts';
import type { Payload, PayloadCohort, PaymentReason } from '#email/payload.ts';
import { type NewsPayload, rosterNews } from '#email/roster-news.ts';
import type { Message } from '#email/send.ts';
import { typedAddress } from '#support/typed-texts.ts';

export const appOrigin = 'https://lectern.test';

/** The link of every email that has one. */
export const link = `${appOrigin}/confirm?token=a`;

export const payload: Payload & { cohort: PayloadCohort } = {
  name: 'Grace Hopper',
  language: 'en',
  instructor: { name: 'Anna Martin', email: 'anna@example.com' },
  cohort: {
    name: 'Writing in spring',
    course: 'Fiction',
    starts_on: '2027-01-04',
    ends_on: '2027-02-12',
    time_zone: 'Europe/Paris',
    place: 'Room 4',
    welcome_note: 'Bring a pen.',
    price_minor: 24_000,
    currency: 'EUR',
  },
  person: null,
  request: null,
  enrollment: {
    expires_at: Date.UTC(2026, 11, 1, 17),
    offer_hours: 48,
    position: 2,
    moved_from: 'Writing',
  },
  before: null,
  note: null,
};

/** The open run of an evergreen course, whose dates no one sees. */
const run: PayloadCohort = {
  ...payload.cohort,
  kind: 'open',
  name: 'Fiction',
  starts_on: '2026-11-24',
  ends_on: '2100-12-31',
  time_zone: 'UTC',
  place: null,
  has_lessons: 1,
  payment_note: 'To FR76 3000.',
};

/** Of someone who takes part in two. */
export const cohortsOfOne = [
  { name: 'Writing in spring', course: 'Fiction' },
  { name: 'Writing in fall', course: 'Poetry' },
];

const interest: InterestPayload = {
  language: 'en',
  course: payload.cohort.course,
  instructor: payload.instructor,
  interest: { id: '00000000-0000-4000-8000-000000000000', expires_at: 0 },
};

/** Where people end emails that are not about their own place. */
export const pageOut = `${appOrigin}/p/unsubscribe?u=a`;

/** The calendar of someone with a place. */
export const calendarFile = `${appOrigin}/calendar/p-a.ics`;

/** Where people who were added remove themselves. */
export const pageRemoval = `${appOrigin}/p/remove?token=a`;

/** The page of a cohort in the news. */
export const rosterPage = `${appOrigin}/cohorts/a/roster`;

const news: NewsPayload['cohorts'] = [
  { id: 'a', name: 'Writing in spring', joined: 2, left: 1, waiting: 0 },
  {
    id: 'b',
    name: 'Writing in summer',
    joined: 0,
    left: 0,
    waiting: 3,
    asking: 1,
    paid: { people: 3, minor: 72_000, currency: 'EUR' },
    refunded: { people: 1, minor: 24_000, currency: 'EUR' },
  },
];

/** Of someone who paid online when their place had been given on. */
const payment: Payload['payment'] = {
  minor: 24_000,
  currency: 'EUR',
  course: payload.cohort.course,
  cohort: payload.cohort.name,
  cohort_id: 'a',
  enrollment_id: 'b',
  time_zone: 'Europe/Paris',
  decide_by: Date.UTC(2026, 11, 2, 17),
  payer: 'Grace Hopper',
};
const problems: PaymentReason[] = [
  'no_place',
  'bank_refused',
  'overpaid',
  'disputed',
  'dispute_lost',
  'lost',
  'refund_refused',
  'refunded_by_itself',
];

const newsOfRun: NewsPayload['cohorts'] = [
  { id: 'a', kind: 'open', name: 'Fiction', joined: 2, left: 1, waiting: 0 },
];

const session = {
  title: 'First draft',
  starts_local: '2027-01-05T18:00',
  duration_minutes: 90,
  place: 'Room 4',
};
const known = { title: 'Draft', starts_local: '2027-01-05T17:00', time_zone: 'Europe/Paris' };

const receipt: NonNullable<Payload['receipt']> = {
  entry_id: 'a',
  minor: 10_000,
  currency: 'EUR',
  method: 'other',
  word: 'Wero',
  day: '2026-12-01',
  left: 14_000,
};

/** What only some of them say. */
const detailsByKind: Partial<Record<OutboxKind, Partial<Payload>>> = {
  starts_soon: { next_meeting: known, cohort: { ...payload.cohort, has_lessons: 1 } },
  enrolled: { next_meeting: { ...session, public_line: 'Reading: Chekhov' } },
  meeting_reminder: {
    meeting: { ...session, id: 'a', starts_at: Date.UTC(2027, 0, 5, 17), which: 'day' },
  },
  meeting_changed: {
    changes: [
      { ...session, is_cancelled: 0, before: known },
      { ...session, title: 'Second draft', is_cancelled: 1, before: known },
      { ...session, title: 'Third draft', place: null, is_cancelled: 0, before: null },
    ],
    note: 'The room is taken.',
  },
  meeting_cancelled: { changes: [{ ...session, is_cancelled: 1, before: known }] },
  dates_moved: {
    before: { starts_on: '2026-12-28', ends_on: '2027-02-05', time_zone: 'Europe/Paris' },
    next_meeting: { title: 'First draft', starts_local: '2027-01-05T18:00' },
  },
  payment_reminder: {
    owed: { minor: 14_000, currency: 'EUR' },
    cohort: {
      ...payload.cohort,
      payment_note: 'To FR76 3000.',
      refund_note: 'In full until December 1.',
    },
  },
  receipt: { receipt },
  message: { message: { subject: 'Chairs', text: 'Bring chairs.\n\nAnd a pen.' } },
  lessons_released: {
    released: { sections: ['Characters', null], lessons: 3, first: 'Who speaks?' },
  },
  nudge: { progress: { done: 4, of: 12, next: 'Dialogue' } },
  place_held: { payable: 24_000 },
  payment_failed: { payment },
  paid_without_place: { payment },
  paid_back: { payment },
};

type Letter = (to: Addressee) => Promise<Message>;

/** An email to a participant: what it says beside the rest, and what else it leads to. */
function letterOf(
  kind: ParticipantMailKind,
  facts: Partial<Payload> = {},
  ways: Parameters<typeof participantLetter>[4] = {
    subscription: traitsOf[kind].subscription && pageOut,
    calendar: calendarFile,
    ...(kind === 'learner_link' && { code: '123456' }),
  },
): Letter {
  return ({ email, firstName: name, language }) => {
    const said = { ...payload, ...detailsByKind[kind], ...facts, name, language };
    return participantLetter(kind, email, said, link, ways);
  };
}

/** Such emails of several kinds, by kind and what they have in common. */
function lettersOf(
  kinds: readonly ParticipantMailKind[],
  what: string,
  ...of: [facts?: Partial<Payload>, ways?: Parameters<typeof participantLetter>[4]]
): Record<string, Letter> {
  return Object.fromEntries(kinds.map((kind) => [`${kind}${what}`, letterOf(kind, ...of)]));
}

/** Of people whom their instructor has added, who have agreed to nothing. */
const unasked = {
  enrollment: { ...payload.enrollment, source: 'imported', by_owner: 1 } as Payload['enrollment'],
};

const paidFirst: PayloadCohort = {
  ...payload.cohort,
  payment_mode: 'online_first',
  early_price_minor: 20_000,
  early_until_at: Date.UTC(2026, 11, 1),
};
const online: PayloadCohort = { ...payload.cohort, payment_mode: 'online' };

/** Every email to participants, by its kind, and one of them as its instructor gets it. */
export const participantMails: Record<string, Letter> = {
  ...lettersOf(participantMailKinds, ''),
  confirm_interest: ({ email, language }) => interestLetter(email, { ...interest, language }, link),
  ...lettersOf(mailKindsOf('open'), ', of a run', { cohort: run, next_meeting: null }),
  ...lettersOf(['added', 'invitation', 'waitlisted', 'new_link'], ', unasked', unasked, {
    removal: pageRemoval,
  }),
  'nudge before the start, of a run': letterOf('nudge', {
    cohort: run,
    progress: { done: 0, of: 1, next: 'Who speaks?' },
  }),
  'added, unasked, of a run': letterOf(
    'added',
    { ...unasked, cohort: run },
    { removal: pageRemoval },
  ),
  // To people who take part in several cohorts.
  ...lettersOf(
    ['new_link', 'data_link', 'address_proof'],
    ', of many',
    { cohorts: cohortsOfOne },
    {},
  ),
  // To people who pay online, for a place or later.
  ...lettersOf(['offer', 'offer_expiring', 'offer_expired', 'place_held'], ', paid first', {
    cohort: paidFirst,
    payable: 15_000,
    enrollment: { ...payload.enrollment, by_owner: 1 } as Payload['enrollment'],
  }),
  'enrolled, paid': letterOf('enrolled', { cohort: paidFirst, price: 20_000, payable: 0 }),
  'enrolled, to pay online': letterOf('enrolled', { cohort: online, payable: 24_000 }),
  'payment_reminder, online': letterOf('payment_reminder', { cohort: online }),
  'receipt, online': letterOf('receipt', {
    receipt: { ...receipt, minor: 24_000, method: 'online', word: null, left: 0 },
  }),
  preview: ({ email, language }) => previewLetter(email, 'offer', { ...payload, language }, link),
};

/** What people have typed into these emails, and what Lectern knows, for a test that changes it. */
export const facts: unknown = [
  payload,
  run,
  paidFirst,
  online,
  interest,
  news,
  newsOfRun,
  payment,
  detailsByKind,
];

const newsLinks = { cohorts: link, cohort: () => rosterPage, out: pageOut };

/** Every other email, by its file or its function in account-letters.ts. */
export const mails: Record<string, (to: Addressee, asked: RequestOrigin) => Promise<Message>> = {
  'address-change-link': (to, asked) => addressChangeLink(to, link, asked),
  'address-change-requested': (to, asked) => addressChangeRequested(to, typedAddress, link, asked),
  'address-changed': (to) => addressChanged(to, typedAddress, link),
  'address-restored': (to) => addressRestored(to, typedAddress),
  'address-taken': (to) => addressTaken(to),
  ...Object.fromEntries(
    problems.map((reason) => [
      `owner-payments, ${reason}`,
      ({ email, firstName: name, language }: Addressee) =>
        paymentProblem(email, { name, language, payment: { ...payment, reason } }, link),
    ]),
  ),
  ...Object.fromEntries(
    (['connected', 'disconnected', 'paused'] as const).map((change) => [
      `owner-payments, ${change}`,
      ({ email, firstName: name, language }: Addressee) =>
        accountNotice(email, { name, language, account: { change } }, link),
    ]),
  ),
  'login-link': (to, asked) => loginLink(to, link, asked, '123456'),
  'roster-news': ({ email, firstName: name, language }) =>
    rosterNews(email, { name, language, cohorts: news }, newsLinks),
  'roster-news, of a run': ({ email, firstName: name, language }) =>
    rosterNews(email, { name, language, cohorts: newsOfRun }, newsLinks),
  'verify-email': (to, asked) => verifyEmail(to, link, asked, '123456'),
};
