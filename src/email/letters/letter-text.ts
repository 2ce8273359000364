import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CohortKind } from '#db/values.ts';
import type { ParticipantMailKind } from '#email/kinds.ts';
import type { Words } from '#email/layout.ts';
import type { CohortPayload, Payload } from '#email/payload.ts';
import { i18nFor } from '#i18n/server.ts';
import { linksInText } from '#lib/links-in-text.ts';
import { payableLimits } from '#lib/payable-amounts.ts';
import { priceOf } from '#lib/price.ts';
import { shortTitle } from '#lib/text.ts';
import { clockRange, clockTime, dayOfYear, longDay, momentIn, weekdayOf } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';

/** By default, its title is its name, and people get it because their instructor has their address. */
type ParticipantsWords = Omit<Words, 'title' | 'why'> &
  Partial<Pick<Words, 'title' | 'why'>> & {
    /** The label of the button; without one, the email has no link. */
    action?: MessageDescriptor;
  };

/** An email to participants. */
export type LetterText = {
  /** What instructors call it, and when it goes out. */
  name: MessageDescriptor;
  when: MessageDescriptor;
  /** The same of an open run, if it differs. */
  run?: { name?: MessageDescriptor; when?: MessageDescriptor };
  /** Which facts of the cohort it has; by default all. */
  facts?: 'none' | 'without_place';
  /** Whether it sets the first session like a page of a calendar, beside the way to add it. */
  hasFirstSession?: true;
  say: (values: Values) => ParticipantsWords;
};

/** What instructors call an email of a cohort or of an open run, and when it goes out. */
export function wordsAbout(
  { name, when, run }: Omit<LetterText, 'say'>,
  kind: CohortKind = 'dated',
): { name: MessageDescriptor; when: MessageDescriptor } {
  return { name, when, ...(kind === 'open' && run) };
}

/** The emails of one topic, by kind. */
export type LetterTexts = Partial<Record<ParticipantMailKind, LetterText>>;

/** Without what mail programs make links of: it was typed by people we do not know. */
export function plain(text: string): string {
  return text
    .replace(/:\/\//g, ' ')
    .replace(/[.\uff0e](?=\p{DI}*[\p{L}\p{N}])/gu, '. ')
    .replaceAll('@', ' (at) ');
}

/** Like `plain`, but keeps `https://` addresses, which pages show as links, too. */
export function plainBesideLinks(text: string): string {
  return linksInText(text)
    .map((part) => (part.href === undefined ? plain(part.text) : part.text))
    .join('');
}

/** The email with each place passed through `say`. */
export function mapPlaces<Facts extends Payload>(
  payload: Facts,
  say: (place: string) => string,
): Facts {
  const { cohort, meeting, changes } = payload;
  const said = <Where extends { place: string | null }>(where: Where) => ({
    ...where,
    place: where.place && say(where.place),
  });
  return {
    ...payload,
    cohort: cohort && said(cohort),
    ...(meeting && { meeting: said(meeting) }),
    ...(changes && { changes: changes.map(said) }),
  };
}

type Values = ReturnType<typeof valuesOf>;

/**
 * What the texts of an email mention, as people read it.
 *
 * @param isUnasked whether the instructor has put its reader on a list, who has agreed to nothing
 */
export function valuesOf(payload: CohortPayload, isUnasked: boolean) {
  const { language, cohort, enrollment, message, owed, meeting, receipt } = payload;
  const { released, progress, refund, payable = null } = payload;
  const { expires_at: expiresAt = null, offer_hours: hours = 48 } = enrollment ?? {};
  const ends = expiresAt === null ? new Date(0) : new Date(expiresAt);
  const local = new Intl.DateTimeFormat('sv', {
    timeZone: cohort.time_zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(ends);
  const [endDay = '', endTime = ''] = local.split(' ');
  const instructor = plain(payload.instructor.name);
  const course = plain(cohort.course);
  const name = plain(cohort.name);
  const short = shortTitle(course);
  const isOpen = cohort.kind === 'open';
  return {
    course,
    /** For subjects, which mail programs cut. */
    short,
    cohort: name,
    /** Whether it is about an open run: it has no dates, and is called by its course alone. */
    isOpen,
    /** The course with its cohort in a sentence, and in subjects. */
    group: i18nFor(language)._(isOpen ? msg`“${course}”` : msg`“${course}” (${name})`),
    named: isOpen ? course : `${course} (${name})`,
    shortNamed: isOpen ? short : `${short} (${name})`,
    /** Whether there are lessons that someone with a place can begin with on any day. */
    canStart: isOpen && cohort.has_lessons === 1,
    instructor,
    isUnasked,
    whatIsKept: isUnasked ? whatIsKept(instructor, enrollment?.source === 'imported') : [],
    whatRemovingDoes: isUnasked
      ? [msg`“Remove me” erases all this, and ${instructor} can’t invite you again.`]
      : [],
    whyTakesPart: isUnasked ? whyIn(instructor, isOpen) : whyAsked(instructor, isOpen),
    whyAsked: whyAsked(instructor, isOpen),
    whyEnrolled: whyEnrolled(instructor, isOpen),
    starts: longDay(cohort.starts_on, language),
    startsOn: dayOfYear(cohort.starts_on, language),
    firstSession: firstSessionOf(payload),
    day: longDay(endDay, language),
    time: clockTime(`${endDay}T${endTime}`, language),
    position: enrollment?.position ?? 1,
    former: plain(enrollment?.moved_from ?? ''),
    hours,
    meeting: plain(meeting?.title ?? ''),
    meetingDay: longDay(meeting?.starts_local.slice(0, 10) ?? cohort.starts_on, language),
    meetingTime: clockTime(meeting?.starts_local ?? `${cohort.starts_on}T00:00`, language),
    messageSubject: plain(message?.subject ?? ''),
    /** Where the times are what clocks show. */
    city: cityOf(cohort.time_zone, language),
    /** What makes the place that is kept for them theirs; null if nothing has to be paid for that. */
    toPay: payable ? priceOf(payable, cohort.currency ?? 'EUR', language) : null,
    paysFirst: cohort.payment_mode === 'online_first' && (cohort.price_minor ?? 0) > 0,
    paysOnline: paysOnline(payload),
    payment: paymentOf(payload),
    amount: owed ? priceOf(owed.minor, owed.currency, language) : '',
    paid: receipt ? priceOf(receipt.minor, receipt.currency, language) : '',
    /** What is being refunded; null if nothing is. */
    refund: refund ? priceOf(refund.minor, refund.currency, language) : null,
    isPaidOnline: receipt?.method === 'online',
    released: {
      /** For subjects: the first section, or the first lesson of one without a title. */
      what: shortTitle(plain(released?.sections[0] ?? released?.first ?? '')),
      lessons: released?.lessons ?? 0,
      first: plain(released?.first ?? ''),
    },
    progress: {
      done: progress?.done ?? 0,
      of: progress?.of ?? 0,
      next: plain(progress?.next ?? ''),
    },
    canReturn: enrollment?.can_return !== 0,
    isByOwner: isUnasked && enrollment?.by_owner === 1,
    isApproved: enrollment?.by_owner === 1,
    /** Whether their offer has ended while no one could be paid. */
    waitsAgain: enrollment?.by_clock === 1,
    haveMeetingsMoved: Boolean(payload.next_meeting),
  };
}

/** Whether people pay on their page what an email is about, which may be too little for that. */
export function paysOnline({ cohort, owed, payable }: CohortPayload): boolean {
  const { payment_mode: mode = 'own', currency } = cohort;
  const due = owed?.minor ?? payable ?? 0;
  return mode !== 'own' && (due === 0 || due >= payableLimits(currency ?? '').least);
}

/** The payment at Stripe that an email is about, and until when its instructor decides. */
function paymentOf({ payment, language }: Payload) {
  const {
    minor = 0,
    currency = 'EUR',
    time_zone: zone = 'UTC',
    decide_by: until = 0,
  } = payment ?? {};
  return {
    amount: priceOf(minor, currency, language),
    decideBy: momentIn(zone, new Date(until ?? 0), language),
    zone: cityOf(zone, language),
  };
}

/** When the first session is that someone can come to, with its weekday; nothing without one. */
function firstSessionOf({ next_meeting: next, cohort, language }: CohortPayload) {
  if (next == null) {
    return [];
  }
  const { starts_local: startsLocal, starts_at: at, duration_minutes: minutes } = next;
  const [zone, start] =
    at === undefined ? ['UTC', new Date(`${startsLocal}Z`)] : [cohort.time_zone, new Date(at)];
  const weekday = weekdayOf(startsLocal.slice(0, 10), language);
  const day = dayOfYear(startsLocal.slice(0, 10), language);
  const end = new Date(start.getTime() + (minutes ?? 0) * 60_000);
  const time =
    minutes === undefined
      ? clockTime(startsLocal, language)
      : clockRange(zone, start, end, language);
  const city = cityOf(cohort.time_zone, language);
  return [msg`The first session is on ${weekday}, ${day}, ${time} (${city}).`];
}

/** To people who were put on a list: by whom, from where, and what is kept of them. */
function whatIsKept(instructor: string, isFromList: boolean): MessageDescriptor[] {
  return [
    isFromList
      ? msg`${instructor} has your name and email address from a list of their own, and has passed them on to us for this.`
      : msg`${instructor} entered your name and email address.`,
    msg`For ${instructor}, we keep your name, email address and language, what happens to your place, and a note if they write one. On your page, you can ask to download or erase all of it.`,
  ];
}

export const openPage = msg`Open my page`;
export const pay = (amount: string) => msg`Pay ${amount}`;
export const ifYouCannotCome = msg`If you can’t make it, give up your place there: someone else may be waiting.`;
export const openCourse = msg`Open the course`;
const whyAsked = (instructor: string, isOpen: boolean) =>
  isOpen
    ? msg`You’re receiving this email because you asked ${instructor} to take part in this course.`
    : msg`You’re receiving this email because you asked ${instructor} to take part in this cohort.`;
export const whyIn = (instructor: string, isOpen: boolean) =>
  isOpen
    ? msg`You’re receiving this email because ${instructor} has your address for this course.`
    : msg`You’re receiving this email because ${instructor} has your address for this cohort.`;

const whyEnrolled = (instructor: string, isOpen: boolean) =>
  isOpen
    ? msg`You’re receiving this email because you take part in ${instructor}’s course.`
    : msg`You’re receiving this email because you have a place in ${instructor}’s cohort.`;
