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
  'other_currency',
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
    },
  },
  receipt: {
    receipt: {
      entry_id: 'a',
      minor: 10_000,
      currency: 'EUR',
      method: 'other',
      word: 'Wero',
      day: '2026-12-01',
      left: 14_000,
    },
  },
  message: { message: { subject: 'Chairs', text: 'Bring chairs.\n\nAnd a pen.' } },
  lessons_released: {
    released: { sections: ['Characters', null], lessons: 3, first: 'Who speaks?' },
  },
  nudge: { progress: { done: 4, of: 12, next: 'Dialogue' } },
  place_held: { payable: 24_000 },
  paid_without_place: { payment },
  paid_back: { payment },
};

const letterOf =
  (kind: ParticipantMailKind, facts: Partial<Payload> = {}) =>
  ({ email, firstName: name, language }: Addressee) =>
    participantLetter(
      kind,
      email,
      { ...payload, ...detailsByKind[kind], ...facts, name, language },
      link,
      {
        subscription: traitsOf[kind].subscription && pageOut,
        calendar: calendarFile,
        ...(kind === 'learner_link' && { code: '123456' }),
      },
    );

const lettersByKind = {
  ...Object.fromEntries(participantMailKinds.map((kind) => [kind, letterOf(kind)])),
  confirm_interest: ({ email, language }: Addressee) =>
    interestLetter(email, { ...interest, language }, link),
};

const lettersOfRun = Object.fromEntries(
  mailKindsOf('open').map((kind) => [
    `${kind}, of a run`,
    letterOf(kind, {
      cohort: { ...run, ...(kind === 'payment_reminder' && { payment_note: 'To FR76 3000.' }) },
      next_meeting: null,
    }),
  ]),
);

/** The first emails to people whom their instructor has added, who have agreed to nothing. */
const unasked = { ...payload.enrollment, source: 'imported', by_owner: 1 };

const lettersToAdded = Object.fromEntries(
  (['added', 'invitation', 'waitlisted', 'new_link'] as const).map((kind) => [
    `${kind}, unasked`,
    ({ email, firstName: name, language }: Addressee) =>
      participantLetter(
        kind,
        email,
        { ...payload, name, language, enrollment: unasked as Payload['enrollment'] },
        link,
        { removal: pageRemoval },
      ),
  ]),
);

/** Those of people who take part in several cohorts. */
const lettersOfMany = Object.fromEntries(
  (['new_link', 'data_link', 'address_proof'] as const).map((kind) => [
    `${kind}, of many`,
    ({ email, firstName: name, language }: Addressee) =>
      participantLetter(kind, email, { ...payload, name, language, cohorts: cohortsOfOne }, link),
  ]),
);

/** What else someone reads in an open run: before they start, or whom its owner has added. */
const othersOfRun = {
  'nudge before the start, of a run': letterOf('nudge', {
    cohort: run,
    progress: { done: 0, of: 1, next: 'Who speaks?' },
  }),
  'added, unasked, of a run': ({ email, firstName: name, language }: Addressee) =>
    participantLetter(
      'added',
      email,
      { ...payload, cohort: run, name, language, enrollment: unasked as Payload['enrollment'] },
      link,
      { removal: pageRemoval },
    ),
};

const paidFirst: PayloadCohort = {
  ...payload.cohort,
  payment_mode: 'online_first',
  early_price_minor: 20_000,
  early_until_at: Date.UTC(2026, 11, 1),
};
const online: PayloadCohort = { ...payload.cohort, payment_mode: 'online' };

/** What people read who pay online, for a place or later. */
const lettersOfOnline = {
  ...Object.fromEntries(
    (['offer', 'offer_expiring', 'offer_expired', 'place_held'] as const).map((kind) => [
      `${kind}, paid first`,
      letterOf(kind, {
        cohort: paidFirst,
        payable: 15_000,
        enrollment: { ...payload.enrollment, by_owner: 1 } as Payload['enrollment'],
      }),
    ]),
  ),
  'enrolled, paid': letterOf('enrolled', { cohort: paidFirst, price: 20_000, payable: 0 }),
  'enrolled, to pay online': letterOf('enrolled', { cohort: online, payable: 24_000 }),
  'payment_reminder, online': letterOf('payment_reminder', { cohort: online }),
  'receipt, online': letterOf('receipt', {
    receipt: {
      entry_id: 'a',
      minor: 24_000,
      currency: 'EUR',
      method: 'online',
      word: null,
      day: '2026-12-01',
      left: 0,
    },
  }),
};

/** Every email to participants, by its kind, and one of them as its instructor gets it. */
export const participantMails = {
  ...lettersByKind,
  ...lettersOfRun,
  ...lettersToAdded,
  ...othersOfRun,
  ...lettersOfMany,
  ...lettersOfOnline,
  preview: ({ email, language }: Addressee) =>
    previewLetter(email, 'offer', { ...payload, language }, link),
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
