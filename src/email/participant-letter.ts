import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Locale, ParticipantMailKind } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { clockTime, dayRange, longDay, momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import type { Letter } from './document.ts';
import { buttonOf, messageOf } from './layout.ts';
import type { Message } from './send.ts';

type Dates = { starts_on: string; ends_on: string; time_zone: string };

type PayloadCohort = Dates & {
  /** Missing in emails that were written before there were transfers. */
  id?: string;
  name: string;
  course: string;
  place: string | null;
  welcome_note: string | null;
  price_minor: number | null;
  currency: string | null;
  /** How to pay; both are missing in emails that were written before there were accounts. */
  payment_note?: string | null;
  payment_url?: string | null;
};

/** A live session as people are told of it. Its wall time is in the zone of the cohort. */
export type PayloadMeeting = {
  title: string;
  starts_local: string;
  duration_minutes: number;
  place: string | null;
};

/** What people did not know of a live session; `before` is null for one that is new to them. */
export type PayloadChange = PayloadMeeting & {
  /** Absent in older rows. */
  id?: string;
  is_cancelled: boolean | 0 | 1;
  before: (Pick<PayloadMeeting, 'title' | 'starts_local'> & { time_zone: string }) | null;
};

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
  } | null;
  /** The dates until now. */
  before: Dates | null;
  /** The first live session to come, after a move or before the first day; null without one. */
  next_meeting?: Pick<PayloadMeeting, 'title' | 'starts_local'> | null;
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
  /** Of a preview: which email it shows, and of which cohort. */
  preview?: { kind: ParticipantMailKind; cohort_id: string };
};

/** The same as the texts need it. */
type Told = Payload & { cohort: PayloadCohort };

/** In the place of a cohort that no text mentions. */
const noCohort: PayloadCohort = {
  name: '',
  course: '',
  starts_on: '2000-01-01',
  ends_on: '2000-01-01',
  time_zone: 'UTC',
  place: null,
  welcome_note: null,
  price_minor: null,
  currency: null,
};

/** Emails about a person's page and not a cohort, or whose text is complete without facts. */
const withoutFacts: readonly ParticipantMailKind[] = [
  'new_link',
  'data_link',
  'address_proof',
  'message',
];

type Words = {
  subject: MessageDescriptor;
  preheader: MessageDescriptor;
  title: MessageDescriptor;
  paragraphs: MessageDescriptor[];
  /** The label of the button; without one, the email has no link. */
  action?: MessageDescriptor;
  notes?: MessageDescriptor[];
  why: MessageDescriptor;
};

/**
 * An email to a participant, in their language, with the name of the instructor.
 *
 * @param link where its button leads
 * @param waysOut `removal`: where people can remove themselves who did not ask for it;
 *   `subscription`: where these emails end, for those that are not about one's own place
 */
export async function participantLetter(
  kind: ParticipantMailKind,
  to: string,
  stored: Payload,
  link: string,
  { removal = null, subscription }: WaysOut = {},
): Promise<Message> {
  const payload: Told = { ...stored, cohort: stored.cohort ?? noCohort };
  const { language } = payload;
  const i18n = i18nFor(language);
  const instructor = plain(payload.instructor.name);
  const words = wordsOf[kind]({ ...valuesOf(payload), isUnasked: removal !== null });
  const letter: Letter = {
    language,
    subject: i18n._(words.subject),
    preheader: i18n._(words.preheader),
    kind: plain(payload.cohort.course) || i18n._(msg`Your cohorts`),
    title: i18n._(words.title),
    greeting: greetingOf(payload, i18n),
    paragraphs: words.paragraphs.map((text) => i18n._(text)),
    quotes: [ownWords(kind, payload, i18n), waysToPay(kind, payload, i18n)].filter(
      ({ lines }) => lines.length > 0,
    ),
    ...(words.action !== undefined && { button: buttonOf({ label: words.action, link }, i18n) }),
    ...(removal !== null && { second: { label: i18n._(msg`Remove me`), link: removal } }),
    facts: withoutFacts.includes(kind) ? [] : factsOf(kind, payload, i18n),
    entries: changesOf(payload, i18n),
    notes: (words.notes ?? []).map((text) => i18n._(text)),
    why: i18n._(words.why),
    ...(subscription !== undefined && {
      wayOut: { label: i18n._(wayOutOf(kind, instructor)), link: subscription },
    }),
  };
  const message = await messageOf(to, letter);
  const fromName = i18n._(msg`${instructor} via Lectern`);
  return { ...message, fromName, replyTo: payload.instructor.email };
}

function wayOutOf(kind: ParticipantMailKind, instructor: string): MessageDescriptor {
  return kind === 'invitation' || kind === 'invitation_reminder'
    ? msg`No more invitations from ${instructor}`
    : msg`No more reminders or messages from ${instructor}`;
}

/** Without what mail programs make links of: it was typed by people we do not know. */
export function plain(text: string): string {
  return text
    .replace(/:\/\//g, ' ')
    .replace(/[.\uff0e](?=\p{DI}*[\p{L}\p{N}])/gu, '. ')
    .replaceAll('@', ' (at) ');
}

function greetingOf({ name }: Payload, i18n: I18n): string {
  if (name === null) {
    return i18n._(msg`Hello,`);
  }
  const firstName = plain(name);
  return i18n._(msg`Hello ${firstName},`);
}

/** Emails that say what to prepare. */
const withWelcome: readonly ParticipantMailKind[] = ['enrolled', 'transferred', 'starts_soon'];

function linesOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== '');
}

type Quote = NonNullable<Letter['quotes']>[number];

/** The instructor's, to people who take part: the note of the move, or what to prepare. */
function ownWords(
  kind: ParticipantMailKind,
  { note, cohort, instructor, message }: Told,
  i18n: I18n,
): Quote {
  if (message !== undefined) {
    return { lines: linesOf(message.text) };
  }
  const text = withWelcome.includes(kind) ? cohort.welcome_note : note;
  const name = plain(instructor.name);
  return { label: i18n._(msg`${name} writes:`), lines: linesOf(text ?? '') };
}

/** The instructor's, to people with a place that costs something. */
function waysToPay(kind: ParticipantMailKind, { cohort, owed }: Told, i18n: I18n): Quote {
  const isPriced = (cohort.price_minor ?? 0) > 0 && (kind === 'enrolled' || kind === 'transferred');
  const { payment_note: note, payment_url: url } = cohort;
  const lines = [...linesOf(note ?? ''), ...(url && isPriced ? [url] : [])];
  return { label: i18n._(msg`How to pay:`), lines: isPriced || owed ? lines : [] };
}

function factsOf(kind: ParticipantMailKind, payload: Told, i18n: I18n) {
  const { cohort, enrollment, before, next_meeting: next, meeting, owed } = payload;
  if (meeting !== undefined) {
    return meetingFacts(meeting, cohort.time_zone, i18n);
  }
  if (payload.changes !== undefined) {
    return [];
  }
  const language = i18n.locale as Locale;
  const { place, price_minor: price, currency, time_zone: zone } = cohort;
  const until = enrollment?.expires_at ?? null;
  const daysOf = (dates: Dates) => {
    const [days, city] = [
      // Beside its label, a day may be wider than a phone.
      dayRange(dates.starts_on, dates.ends_on, language).replaceAll('\u00a0', ' '),
      cityOf(dates.time_zone, language),
    ];
    return i18n._(msg`${days} (${city})`);
  };
  const city = cityOf(zone, language);
  const moment = until === null ? '' : momentIn(zone, new Date(until), language);
  return [
    ...(before === null ? [] : [{ label: i18n._(msg`Previously`), value: daysOf(before) }]),
    { label: i18n._(msg`Dates`), value: daysOf(cohort) },
    ...(next ? [nextMeeting(next, zone, i18n)] : []),
    ...(place === null || kind === 'confirm_request'
      ? []
      : [{ label: i18n._(msg`Place`), value: plain(place) }]),
    ...(owed
      ? [
          {
            label: i18n._(msg`Still owed`),
            value: fullPriceOf(owed.minor, owed.currency, language),
          },
        ]
      : []),
    ...(price === null || currency === null
      ? []
      : [{ label: i18n._(msg`Price`), value: fullPriceOf(price, currency, language) }]),
    ...(until === null
      ? []
      : [{ label: i18n._(msg`Valid until`), value: i18n._(msg`${moment} (${city})`) }]),
  ];
}

function nextMeeting(
  { title, starts_local: startsLocal }: Pick<PayloadMeeting, 'title' | 'starts_local'>,
  zone: string,
  i18n: I18n,
) {
  const value = `${plain(title)} · ${whenOf(startsLocal, zone, i18n)}`;
  return { label: i18n._(msg`Next live session`), value };
}

function meetingFacts(meeting: PayloadMeeting, zone: string, i18n: I18n) {
  const minutes = meeting.duration_minutes;
  return [
    { label: i18n._(msg`Live session`), value: plain(meeting.title) },
    { label: i18n._(msg`When`), value: whenOf(meeting.starts_local, zone, i18n) },
    { label: i18n._(msg`Length`), value: i18n._(msg`${minutes} minutes`) },
    ...(meeting.place === null ? [] : [{ label: i18n._(msg`Place`), value: plain(meeting.place) }]),
  ];
}

/** The live sessions that have changed, in the order of time. */
function changesOf({ changes = [], cohort }: Told, i18n: I18n): NonNullable<Letter['entries']> {
  return changes
    .toSorted((one, other) => one.starts_local.localeCompare(other.starts_local))
    .map((change) => ({
      title: plain(change.title),
      lines: changeLines(change, cohort.time_zone, i18n),
    }));
}

/** When a live session takes place now, and when it did before if people know another time. */
function changeLines(change: PayloadChange, zone: string, i18n: I18n): string[] {
  const { before } = change;
  const minutes = change.duration_minutes;
  const when = whenOf(change.starts_local, zone, i18n);
  if (change.is_cancelled) {
    const known = before === null ? when : whenOf(before.starts_local, before.time_zone, i18n);
    return [i18n._(msg`Canceled: ${known}`)];
  }
  const place = change.place === null ? [] : [plain(change.place)];
  const details = [i18n._(msg`${minutes} minutes`), ...place].join(' · ');
  if (before === null) {
    return [i18n._(msg`New: ${when}`), details];
  }
  const known = whenOf(before.starts_local, before.time_zone, i18n);
  const former = plain(before.title);
  const isMoved = known !== when;
  const isRenamed = before.title !== change.title;
  return [
    when,
    details,
    ...(isMoved ? [i18n._(msg`Previously: ${known}`)] : []),
    ...(isRenamed ? [i18n._(msg`Previously: “${former}”`)] : []),
  ];
}

function whenOf(startsLocal: string, zone: string, i18n: I18n): string {
  const language = i18n.locale as Locale;
  const [day, time] = [
    longDay(startsLocal.slice(0, 10), language),
    clockTime(startsLocal, language),
  ];
  const city = cityOf(zone, language);
  return i18n._(msg`${day}, ${time} (${city})`);
}

type WaysOut = { removal?: string | null; subscription?: string | undefined };

/** One of the emails as its instructor gets it, to look at. */
export async function previewLetter(
  to: string,
  kind: ParticipantMailKind,
  payload: Payload,
  link: string,
): Promise<Message> {
  const message = await participantLetter(kind, to, payload, link);
  const i18n = i18nFor(payload.language);
  const { subject } = message;
  return { ...message, subject: i18n._(msg`Preview: ${subject}`) };
}

type Values = ReturnType<typeof valuesOf> & {
  /** Whether the instructor has their address from elsewhere, and they have agreed to nothing. */
  isUnasked: boolean;
};

function valuesOf({ language, instructor, cohort, enrollment, message, owed, ...facts }: Told) {
  const { meeting, next_meeting: next } = facts;
  const { expires_at: expiresAt = null, offer_hours: hours = 48 } = enrollment ?? {};
  const ends = expiresAt === null ? new Date(0) : new Date(expiresAt);
  const local = new Intl.DateTimeFormat('sv', {
    timeZone: cohort.time_zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(ends);
  const [endDay = '', endTime = ''] = local.split(' ');
  return {
    cohort: plain(cohort.name),
    instructor: plain(instructor.name),
    starts: longDay(cohort.starts_on, language),
    day: longDay(endDay, language),
    time: clockTime(`${endDay}T${endTime}`, language),
    position: enrollment?.position ?? 1,
    former: plain(enrollment?.moved_from ?? ''),
    hours,
    meeting: plain(meeting?.title ?? ''),
    meetingDay: longDay(meeting?.starts_local.slice(0, 10) ?? cohort.starts_on, language),
    meetingTime: clockTime(meeting?.starts_local ?? `${cohort.starts_on}T00:00`, language),
    messageSubject: plain(message?.subject ?? ''),
    amount: owed ? priceOf(owed.minor, owed.currency, language) : '',
    isFromList: enrollment?.source === 'imported',
    isByOwner: enrollment?.by_owner === 1,
    haveMeetingsMoved: Boolean(next),
  };
}

/** To people who were put on a list: by whom, from where, and what is kept of them. */
function whatIsKept(
  instructor: string,
  { isFromList }: Pick<Values, 'isFromList'>,
): MessageDescriptor[] {
  return [
    isFromList
      ? msg`${instructor} has your name and email address from a list of their own, and has passed them on to us for this.`
      : msg`${instructor} entered your name and email address.`,
    msg`For ${instructor}, we keep your name, email address and language, what happens to your place, and a note if they write one. On your page, you can ask to download or erase all of it.`,
  ];
}

/** What *Remove me* does. */
function whatRemovingDoes(instructor: string): MessageDescriptor {
  return msg`“Remove me” erases all this, and ${instructor} can’t invite you again.`;
}

const seePlace = msg`See my place`;
const whyAsked = (instructor: string) =>
  msg`You’re receiving this email because you asked ${instructor} to take part in this cohort.`;
const whyIn = (instructor: string) =>
  msg`You’re receiving this email because ${instructor} has your address for this cohort.`;

/** People who were put on a list have asked for nothing. */
const whyOf = (instructor: string, { isUnasked }: Pick<Values, 'isUnasked'>) =>
  isUnasked ? whyIn(instructor) : whyAsked(instructor);

const whyEnrolled = msg`You’re receiving this email because you have a place in this cohort.`;

const wordsOf: Record<ParticipantMailKind, (values: Values) => Words> = {
  confirm_request: ({ cohort, instructor }) => ({
    subject: msg`Confirm your place in ${cohort}`,
    preheader: msg`One click, and ${instructor} knows that you want to take part.`,
    title: msg`Confirm your request`,
    paragraphs: [
      msg`No place is kept until you confirm.`,
      msg`Someone asked to enroll in “${cohort}” with this address. If it was you, please confirm it.`,
    ],
    action: msg`Confirm my request`,
    notes: [
      msg`This link expires in 24 hours.`,
      msg`If you didn’t ask for this, please ignore this email: nothing changes unless you confirm.`,
    ],
    why: msg`You’re receiving this email because someone asked to enroll with this address.`,
  }),
  already_there: ({ cohort, instructor }) => ({
    subject: msg`Your place in ${cohort}`,
    preheader: msg`You don’t need to ask again.`,
    title: msg`You’re already on the list`,
    paragraphs: [
      msg`Someone asked to enroll in “${cohort}” with this address, which is on its list already. Your page says where you stand.`,
    ],
    action: seePlace,
    notes: [msg`If you didn’t ask for this, please ignore this email: nothing has changed.`],
    why: whyIn(instructor),
  }),
  write_to_instructor: ({ cohort, instructor }) => ({
    subject: msg`Your request for ${cohort}`,
    preheader: msg`Please contact ${instructor}.`,
    title: msg`Please write to the instructor`,
    paragraphs: [
      msg`Someone asked to enroll in “${cohort}” with this address. You can’t do that yourself anymore.`,
      msg`Please write to ${instructor}: just reply to this email.`,
    ],
    why: whyIn(instructor),
  }),
  new_link: ({ instructor, ...values }) => ({
    subject: msg`Your new link`,
    preheader: msg`It opens your page with ${instructor}.`,
    title: msg`Your new link`,
    paragraphs: [
      msg`Here’s the link to your page. Older links may no longer work.`,
      ...(values.isUnasked ? whatIsKept(instructor, values) : []),
    ],
    action: seePlace,
    notes: [
      values.isUnasked
        ? whatRemovingDoes(instructor)
        : msg`If you didn’t ask for this, please ignore this email: nothing has changed.`,
    ],
    why: whyIn(instructor),
  }),
  applied: ({ cohort, instructor }) => ({
    subject: msg`You have asked for a place in ${cohort}`,
    preheader: msg`${instructor} decides, and we’ll email you the answer.`,
    title: msg`Your request has arrived`,
    paragraphs: [
      msg`${instructor} has your request for “${cohort}” and decides who takes part. No place is kept for you yet.`,
      msg`We’ll email you as soon as there is an answer. You can withdraw your request on your page.`,
    ],
    action: msg`See my request`,
    why: whyAsked(instructor),
  }),
  refused: ({ cohort, instructor }) => ({
    subject: msg`No place for you this time: ${cohort}`,
    preheader: msg`${instructor} has answered your request.`,
    title: msg`Your request was turned down`,
    paragraphs: [
      msg`${instructor} can’t give you a place in “${cohort}”. If you have a question, reply to this email.`,
    ],
    why: whyAsked(instructor),
  }),
  enrolled: ({ cohort, instructor, starts }) => ({
    subject: msg`You are in: ${cohort}, from ${starts}`,
    preheader: msg`${instructor} is looking forward to seeing you.`,
    title: msg`You are in`,
    paragraphs: [msg`You have a place in “${cohort}”.`],
    action: seePlace,
    notes: [
      msg`If you can’t come, please leave your place on that page: someone else may be waiting.`,
    ],
    why: whyAsked(instructor),
  }),
  added: ({ cohort, instructor, starts, ...values }) => ({
    subject: msg`${instructor} has enrolled you: ${cohort}, from ${starts}`,
    preheader: msg`Not for you? You can remove yourself at any time.`,
    title: msg`You have a place`,
    paragraphs: [
      msg`${instructor} has added you to “${cohort}”.`,
      ...(values.isUnasked ? whatIsKept(instructor, values) : []),
    ],
    action: seePlace,
    notes: values.isUnasked
      ? [whatRemovingDoes(instructor)]
      : [
          msg`If you can’t come, please leave your place on that page: someone else may be waiting.`,
        ],
    why: whyIn(instructor),
  }),
  waitlisted: ({ cohort, instructor, position, hours, ...values }) => ({
    subject: msg`You are number ${position} on the waitlist for ${cohort}`,
    preheader: msg`We’ll write to you as soon as a place is free.`,
    title: msg`You are on the waitlist`,
    paragraphs: [
      ...(values.isUnasked && values.isByOwner
        ? [msg`${instructor} has put you on the waitlist for “${cohort}”.`]
        : []),
      msg`All places in “${cohort}” are taken, and you are number ${position} on its waitlist.`,
      msg`When a place is free for you, we’ll email you. It is then kept for you for ${hours} hours, or until the cohort begins.`,
      ...(values.isUnasked && values.isByOwner ? whatIsKept(instructor, values) : []),
    ],
    action: seePlace,
    notes: values.isUnasked ? [whatRemovingDoes(instructor)] : [],
    why: whyOf(instructor, values),
  }),
  offer: ({ cohort, instructor, day, time, hours, ...values }) => ({
    subject: msg`A place is free for you in ${cohort}, until ${day}, ${time}`,
    preheader: msg`Accept it, or pass it on to the next person.`,
    title: msg`A place is free for you`,
    paragraphs: [
      msg`A place in “${cohort}” is free, and you are next. It is kept for you for ${hours} hours at most: please accept or decline it by then.`,
    ],
    action: msg`Accept or decline`,
    why: whyOf(instructor, values),
  }),
  offer_expiring: ({ cohort, instructor, day, time, ...values }) => ({
    subject: msg`Your place in ${cohort} is kept until ${day}, ${time}`,
    preheader: msg`After that, it goes to the next person.`,
    title: msg`Your place is still free`,
    paragraphs: [msg`The place in “${cohort}” that we keep for you is waiting for your answer.`],
    action: msg`Accept or decline`,
    why: whyOf(instructor, values),
  }),
  offer_expired: ({ cohort, instructor, ...values }) => ({
    subject: msg`The place in ${cohort} was passed on`,
    preheader: msg`You can join the waitlist again.`,
    title: msg`Your offer has expired`,
    paragraphs: [
      msg`The place in “${cohort}” was kept for you, and now goes to the next person. If you would still like to take part, join the waitlist again on your page.`,
    ],
    action: msg`Open my page`,
    why: whyOf(instructor, values),
  }),
  invitation: ({ cohort, instructor, ...values }) => ({
    subject: msg`${instructor} invites you: ${cohort}`,
    preheader: msg`An invitation keeps no place, so answer soon.`,
    title: msg`You are invited`,
    paragraphs: [
      msg`${instructor} invites you to “${cohort}”. An invitation doesn’t hold a place.`,
      ...(values.isUnasked ? whatIsKept(instructor, values) : []),
    ],
    action: msg`Accept or decline`,
    notes: [
      msg`If you don’t know ${instructor}, ignore this email or decline: you won’t get this invitation again.`,
      ...(values.isUnasked ? [whatRemovingDoes(instructor)] : []),
    ],
    why: whyIn(instructor),
  }),
  invitation_reminder: ({ cohort, instructor, day, time }) => ({
    subject: msg`Your invitation expires on ${day}, ${time}: ${cohort}`,
    preheader: msg`This is the only reminder.`,
    title: msg`Your invitation is still open`,
    paragraphs: [
      msg`${instructor} has invited you to “${cohort}”, and would like to know whether you will come.`,
    ],
    action: msg`Accept or decline`,
    why: whyIn(instructor),
  }),
  removed: ({ cohort, instructor }) => ({
    subject: msg`You were removed: ${cohort}`,
    preheader: msg`Your place was taken back.`,
    title: msg`You were removed from a cohort`,
    paragraphs: [
      msg`${instructor} has removed you from “${cohort}”. If you think that this is a mistake, reply to this email.`,
    ],
    why: whyIn(instructor),
  }),
  left: ({ cohort, instructor, ...values }) => ({
    subject: msg`You no longer take part: ${cohort}`,
    preheader: msg`Changed your mind? You can ask for a place again.`,
    title: msg`You no longer take part`,
    paragraphs: [
      msg`You have left “${cohort}”. If this wasn’t you, open your page and ask for a place again.`,
    ],
    action: msg`Open my page`,
    why: whyOf(instructor, values),
  }),
  transferred: ({ cohort, instructor, former, starts }) => ({
    subject: msg`You are now in ${cohort}, from ${starts}`,
    preheader: msg`${instructor} has moved your place. Please check the dates.`,
    title: msg`You are in another cohort now`,
    paragraphs: [
      msg`${instructor} has moved your place from “${former}” to “${cohort}”. Your old place is free for someone else.`,
    ],
    action: seePlace,
    notes: [
      msg`If you can’t come then, please leave your place on that page, or reply to this email.`,
    ],
    why: whyIn(instructor),
  }),
  starts_soon: ({ cohort, instructor, starts }) => ({
    subject: msg`${cohort} begins on ${starts}`,
    preheader: msg`${instructor} is looking forward to seeing you.`,
    title: msg`It begins soon`,
    paragraphs: [msg`“${cohort}” begins on ${starts}.`],
    action: seePlace,
    notes: [
      msg`If you can’t come, please leave your place on that page: someone else may be waiting.`,
    ],
    why: whyEnrolled,
  }),
  meeting_reminder: ({ cohort, meeting, meetingDay, meetingTime }) => ({
    subject: msg`${meeting}: ${meetingDay}, ${meetingTime}`,
    preheader: msg`A live session of “${cohort}”.`,
    title: msg`A live session is coming up`,
    paragraphs: [msg`This is a reminder of a live session of “${cohort}”.`],
    action: msg`Open my page`,
    notes: [msg`If there is a link to join, you’ll find it on your page.`],
    why: whyEnrolled,
  }),
  meeting_changed: ({ cohort, instructor }) => ({
    subject: msg`Changes to the live sessions of ${cohort}`,
    preheader: msg`Please check that you can still come.`,
    title: msg`Changes to the live sessions`,
    paragraphs: [msg`${instructor} has changed the live sessions of “${cohort}”.`],
    action: msg`Open my page`,
    why: whyEnrolled,
  }),
  meeting_cancelled: ({ cohort, instructor }) => ({
    subject: msg`Canceled live sessions: ${cohort}`,
    preheader: msg`Everything else stays as it is.`,
    title: msg`Canceled live sessions`,
    paragraphs: [
      msg`${instructor} has canceled live sessions of “${cohort}”. You keep your place.`,
    ],
    action: msg`Open my page`,
    why: whyEnrolled,
  }),
  message: ({ cohort, instructor, messageSubject }) => ({
    subject: msg`${messageSubject} (${cohort})`,
    preheader: msg`${instructor} writes to everyone in “${cohort}”.`,
    title: msg`A message from ${instructor}`,
    paragraphs: [msg`${instructor} writes to everyone in “${cohort}”:`],
    action: msg`Open my page`,
    notes: [msg`To answer, reply to this email. Your answer goes to ${instructor} alone.`],
    why: whyEnrolled,
  }),
  cohort_cancelled: ({ cohort, instructor }) => ({
    subject: msg`Canceled: ${cohort}`,
    preheader: msg`You don’t need to do anything.`,
    title: msg`This cohort was canceled`,
    paragraphs: [
      msg`${instructor} has canceled “${cohort}”. If you have questions, reply to this email.`,
    ],
    why: whyIn(instructor),
  }),
  dates_moved: ({ cohort, instructor, haveMeetingsMoved }) => ({
    subject: msg`New dates for ${cohort}`,
    preheader: msg`Please check that you can still come.`,
    title: msg`New dates`,
    paragraphs: [
      msg`${instructor} has moved “${cohort}” to other dates. If you can’t come anymore, please say so on your page.`,
      ...(haveMeetingsMoved
        ? [msg`The live sessions have moved too: you’ll find all their times on your page.`]
        : []),
    ],
    action: msg`See my place`,
    why: whyIn(instructor),
  }),
  enrollment_open: ({ cohort, instructor, starts }) => ({
    subject: msg`Enrollment is open: ${cohort}, from ${starts}`,
    preheader: msg`You asked us to tell you. This is the only email.`,
    title: msg`Enrollment is open`,
    paragraphs: [
      msg`You can now enroll in “${cohort}” with ${instructor}. This email keeps no place for you.`,
    ],
    action: msg`See the cohort`,
    notes: [msg`We’ve deleted your address: you won’t get another email about this.`],
    why: msg`You’re receiving this email because you asked to know when enrollment opens.`,
  }),
  payment_reminder: ({ cohort, instructor, amount }) => ({
    subject: msg`Still to pay for ${cohort}: ${amount}`,
    preheader: msg`Paid already? Then reply to this email.`,
    title: msg`You have a payment due`,
    paragraphs: [
      msg`According to ${instructor}’s records, you still owe ${amount} for “${cohort}”.`,
      msg`You pay ${instructor} directly: Lectern keeps the account and doesn’t take payments. If you have paid already, please reply to this email.`,
    ],
    action: msg`See what I owe`,
    why: whyIn(instructor),
  }),
  data_link: ({ instructor }) => ({
    subject: msg`The link to your data`,
    preheader: msg`It shows what ${instructor} keeps about you.`,
    title: msg`The link to your data`,
    paragraphs: [
      msg`Here you can download what we keep about you for ${instructor}, change your email address or erase everything.`,
    ],
    action: msg`Open my data`,
    notes: [
      msg`This link expires in 10 minutes.`,
      msg`If you didn’t ask for this, someone else has the link to your page. Nothing has changed; ask ${instructor} for a new link.`,
    ],
    why: msg`You’re receiving this email because someone asked for it on your page.`,
  }),
  address_proof: ({ instructor }) => ({
    subject: msg`Confirm your new email address`,
    preheader: msg`Emails from ${instructor} will then be sent here.`,
    title: msg`Confirm your new email address`,
    paragraphs: [
      msg`Someone who takes part in cohorts of ${instructor} would like to get their emails at this address. If it was you, please confirm it.`,
    ],
    action: msg`Confirm my address`,
    notes: [
      msg`This link expires in 24 hours.`,
      msg`If you didn’t ask for this, please ignore this email: nothing changes unless you confirm.`,
    ],
    why: msg`You’re receiving this email because someone gave this address as their own.`,
  }),
};
