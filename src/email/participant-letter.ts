import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { fullPriceOf, isEarlyAt } from '#lib/price.ts';
import { dayIn, dayOfYear, dayParts, dayRange, momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import type { Letter } from './document.ts';
import { type ParticipantMailKind, traitsOf } from './kinds.ts';
import { buttonOf, codeOf, messageOf, wordsIn } from './layout.ts';
import { cohortLetters } from './letters/cohorts.ts';
import { completionLetters } from './letters/completion.ts';
import { lessonLetters } from './letters/lessons.ts';
import {
  type LetterText,
  mapPlaces,
  openCourse,
  paysOnline,
  plain,
  plainBesideLinks,
  valuesOf,
  whyIn,
  wordsAbout,
} from './letters/letter-text.ts';
import {
  changeEntries,
  meetingFacts,
  meetingLetters,
  nextMeetingFact,
} from './letters/meetings.ts';
import { paymentLetters } from './letters/payments.ts';
import { placeLetters } from './letters/places.ts';
import { receiptFacts, receiptLetters } from './letters/receipts.ts';
import { requestLetters } from './letters/requests.ts';
import { rightsLetters } from './letters/rights.ts';
import type { CohortPayload, Payload, PayloadCohort, PayloadDates } from './payload.ts';
import type { Message } from './send.ts';

/** The texts of all emails to participants. */
export const letterTexts: Record<ParticipantMailKind, LetterText> = {
  ...requestLetters,
  ...placeLetters,
  ...cohortLetters,
  ...meetingLetters,
  ...rightsLetters,
  ...completionLetters,
  ...lessonLetters,
  ...receiptLetters,
  ...paymentLetters,
};

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

type OtherLinks = {
  removal?: string | null;
  subscription?: string | undefined;
  calendar?: string | null;
  code?: string;
};

/** A payment outlives its cohort, and keeps its names. */
function cohortOfPayment({ payment }: Payload): PayloadCohort {
  const { course = '', cohort: name = '' } = payment ?? {};
  return { ...noCohort, course, name, kind: course === name ? 'open' : 'dated' };
}

/**
 * An email to a participant, in their language, with the name of the instructor.
 *
 * @param link where its button leads
 * @param others `removal`: where people can remove themselves who did not ask for it;
 *   `subscription`: where these emails end, for those that are not about one's own place;
 *   `calendar`: the calendar of someone with a place; `code`: six digits to type instead
 */
export async function participantLetter(
  kind: ParticipantMailKind,
  to: string,
  given: Payload,
  link: string,
  { removal = null, subscription, calendar = null, code }: OtherLinks = {},
): Promise<Message> {
  const { cohorts = [] } = given;
  const isAboutMany = cohorts.length > 1;
  const areCourses = cohorts.some(({ kind }) => kind === 'open');
  const stored = isAboutMany ? { ...given, cohort: null } : given;
  const payload: CohortPayload = mapPlaces(
    { ...stored, cohort: stored.cohort ?? cohortOfPayment(given) },
    // People who haven't agreed to take part get none of the instructor's links.
    stored.enrollment?.source == null ? plainBesideLinks : plain,
  );
  const { language } = payload;
  const i18n = i18nFor(language);
  const instructor = plain(payload.instructor.name);
  const { say, facts = 'all', ...text } = letterTexts[kind];
  const isOpen = payload.cohort.kind === 'open';
  const hasFirstSession = text.hasFirstSession === true && !isOpen;
  const { name } = wordsAbout(text, payload.cohort.kind);
  // On the page of someone with a place, where the button leads, too.
  const hasLessons = payload.cohort.has_lessons === 1 && traitsOf[kind].status === 'enrolled';
  const words = say(valuesOf(payload, removal !== null));
  const aboutMany = areCourses
    ? msg`This email is about these courses with ${instructor}:`
    : msg`This email is about these cohorts with ${instructor}:`;
  const { title, ...texts } = wordsIn(i18n, {
    title: name,
    why: whyIn(instructor, isOpen),
    ...words,
    paragraphs: [...words.paragraphs, ...(isAboutMany ? [aboutMany] : [])],
  });
  const letter: Letter = {
    language,
    hue: payload.cohort.hue,
    ...texts,
    ...coverOf(stored, title, areCourses, i18n),
    greeting: greetingOf(payload, i18n),
    ...(hasFirstSession && dayOf(payload)),
    quotes: [ownWords(kind, payload, i18n), ...beforePaying(kind, payload, i18n)].filter(
      ({ lines }) => lines.length > 0,
    ),
    ...(code !== undefined && { code: codeOf(code, i18n) }),
    ...(words.action !== undefined && { button: buttonOf({ label: words.action, link }, i18n) }),
    ...(calendar !== null &&
      hasFirstSession && { calendar: { label: i18n._(msg`Add to calendar`), link: calendar } }),
    ...(hasLessons &&
      kind !== 'course_completed' &&
      words.action !== openCourse && { second: { label: i18n._(openCourse), link } }),
    ...(removal !== null && { second: { label: i18n._(msg`Remove me`), link: removal } }),
    facts: facts === 'none' ? [] : factsOf(payload, facts, i18n, hasFirstSession),
    entries: isAboutMany
      ? cohorts.map(({ kind, name, course }) => ({
          title: plain(course),
          lines: kind === 'open' ? [] : [plain(name)],
        }))
      : [...changeEntries(payload, i18n), ...releasedEntries(payload)],
    ...(subscription !== undefined && {
      wayOut: {
        label:
          traitsOf[kind].subscription === 'invitation'
            ? i18n._(msg`No more invitations from ${instructor}`)
            : i18n._(msg`No more reminders or messages from ${instructor}`),
        link: subscription,
      },
    }),
  };
  const message = await messageOf(to, letter);
  const fromName = i18n._(msg`${instructor} via Lectern`);
  return { ...message, fromName, replyTo: payload.instructor.email };
}

/** In the place of six digits, in what instructors look at. */
export const sampleCode = '123456';

/** One of the emails as its instructor gets it, to look at. */
export async function previewLetter(
  to: string,
  kind: ParticipantMailKind,
  payload: Payload,
  link: string,
): Promise<Message> {
  const code = kind === 'learner_link' ? { code: sampleCode } : {};
  const message = await participantLetter(kind, to, payload, link, code);
  const i18n = i18nFor(payload.language);
  const { subject } = message;
  return { ...message, subject: i18n._(msg`Preview: ${subject}`) };
}

/** What the email is about, by the course and the cohort; without one, only what it says. */
function coverOf(
  { cohort, instructor }: Payload,
  heading: string,
  areCourses: boolean,
  i18n: I18n,
) {
  if (cohort === null) {
    return { kind: i18n._(areCourses ? msg`Your courses` : msg`Your cohorts`), title: heading };
  }
  const [kind, title, teacher] = [plain(cohort.course), plain(cohort.name), plain(instructor.name)];
  if (cohort.kind === 'open') {
    const about = i18n._(msg`${kind} · with ${teacher}`);
    return { kind: i18n._(msg`At your own pace`), title: kind, heading, about };
  }
  return { kind, title, heading, about: i18n._(msg`${kind} · ${title} · with ${teacher}`) };
}

/** The first session, like a page of a calendar. */
function dayOf({ next_meeting: next, language }: Payload): Pick<Letter, 'day'> {
  if (next == null) {
    return {};
  }
  const { title, starts_local: startsLocal, public_line: line } = next;
  const lines = line ? [plain(line)] : [];
  return { day: { ...dayParts(startsLocal.slice(0, 10), language), title: plain(title), lines } };
}

function greetingOf({ name }: Payload, i18n: I18n): string {
  if (name === null) {
    return i18n._(msg`Hello,`);
  }
  const firstName = plain(name);
  return i18n._(msg`Hello ${firstName},`);
}

function linesOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== '');
}

type Quote = NonNullable<Letter['quotes']>[number];

/** The sections that have opened. */
function releasedEntries({ released }: Payload): NonNullable<Letter['entries']> {
  const titles = released?.sections ?? [];
  return titles.flatMap((title) => (title === null ? [] : [{ title: plain(title), lines: [] }]));
}

/** The instructor's, to people who take part: the note of the move, or what to prepare. */
function ownWords(
  kind: ParticipantMailKind,
  { note, cohort, instructor, message }: CohortPayload,
  i18n: I18n,
): Quote {
  if (message !== undefined) {
    return { lines: linesOf(message.text) };
  }
  const text = traitsOf[kind].words === 'welcome' ? cohort.welcome_note : note;
  const name = plain(instructor.name);
  return { label: i18n._(msg`A word from ${name}:`), lines: linesOf(text ?? '') };
}

/** How to pay, and what applies to refunds, to people with a place for which something is open. */
function beforePaying(kind: ParticipantMailKind, payload: CohortPayload, i18n: I18n): Quote[] {
  const { cohort, owed, price, payable = price ?? cohort.price_minor } = payload;
  const asks = (payable ?? 0) > 0 && !owed;
  const isOpen = asks && traitsOf[kind].asksForMoney;
  const { payment_note: note, payment_url: url, refund_note: refunds } = cohort;
  const ways = paysOnline(payload)
    ? isOpen
      ? [i18n._(msg`You can pay online on your page.`)]
      : []
    : isOpen || owed
      ? [...linesOf(note ?? ''), ...(url && isOpen ? [url] : [])]
      : [];
  const isAsked = isOpen || owed || (asks && kind === 'place_held');
  return [
    { label: i18n._(msg`How to pay:`), lines: ways },
    { label: i18n._(msg`Refunds:`), lines: isAsked ? linesOf(refunds ?? '') : [] },
  ];
}

/** What their place costs, or what it would cost to enroll before and after the early price ends. */
function priceIn({ cohort, enrollment, ...payload }: CohortPayload, i18n: I18n): string | null {
  const { currency, time_zone: zone, price_minor: regular } = cohort;
  const { early_price_minor: early = null, early_until_at: until = null } = cohort;
  const price = payload.price ?? regular;
  if (price === null || currency === null) {
    return null;
  }
  const language = i18n.locale as Locale;
  const amount = fullPriceOf(price, currency, language);
  const writtenAt = enrollment?.since ?? payload.written_at ?? 0;
  if (payload.price != null && payload.payable === 0 && price > 0) {
    return i18n._(msg`${amount}, nothing left to pay`);
  }
  if (payload.price != null || early === null || !isEarlyAt(until, writtenAt)) {
    return amount;
  }
  const lastDay = dayIn(zone, new Date(until - 1));
  const end =
    lastDay === dayIn(zone, new Date(until))
      ? momentIn(zone, new Date(until), language)
      : dayOfYear(lastDay, language);
  const earlyAmount = fullPriceOf(early, currency, language);
  return i18n._(msg`${earlyAmount} until ${end}, then ${amount}`);
}

/** What is left to pay of the price, if a part of it is on their account already. */
function restIn({ cohort, price, payable }: CohortPayload, i18n: I18n): string | null {
  const { price_minor: regular, early_price_minor: early = null, currency } = cohort;
  const isPart = payable != null && payable > 0 && ![price ?? regular, early].includes(payable);
  return isPart && currency !== null ? fullPriceOf(payable, currency, i18n.locale) : null;
}

function factsOf(
  payload: CohortPayload,
  which: 'all' | 'without_place',
  i18n: I18n,
  hasFirstSession: boolean,
) {
  const { cohort, enrollment, before, next_meeting: next, meeting, owed } = payload;
  if (meeting !== undefined) {
    return meetingFacts(meeting, cohort.time_zone, i18n);
  }
  if (payload.receipt !== undefined) {
    return receiptFacts(payload, i18n);
  }
  if (payload.changes !== undefined) {
    return [];
  }
  const language = i18n.locale as Locale;
  const { place, time_zone: zone } = cohort;
  const until = enrollment?.expires_at ?? null;
  const daysOf = (dates: PayloadDates) => {
    // Beside its label, a day may be wider than a phone.
    const days = dayRange(dates.starts_on, dates.ends_on, language).replaceAll('\u00a0', ' ');
    const city = cityOf(dates.time_zone, language);
    return i18n._(msg`${days} (${city})`);
  };
  const city = cityOf(zone, language);
  const moment = until === null ? '' : momentIn(zone, new Date(until), language);
  const facts: [label: string, value: string | null, isPlace?: boolean][] = [
    [i18n._(msg`Previously`), before && daysOf(before)],
    [i18n._(msg`Dates`), cohort.kind === 'open' ? null : daysOf(cohort)],
    [
      i18n._(msg`Next live session`),
      next && !hasFirstSession ? nextMeetingFact(next, zone, i18n) : null,
    ],
    [i18n._(msg`Place`), which === 'without_place' ? null : place, true],
    [i18n._(msg`Still owed`), owed ? fullPriceOf(owed.minor, owed.currency, language) : null],
    [i18n._(msg`Price`), priceIn(payload, i18n)],
    [i18n._(msg`Still to pay`), restIn(payload, i18n)],
    [i18n._(msg`With`), plain(payload.instructor.name)],
    [i18n._(msg`Valid until`), until === null ? null : i18n._(msg`${moment} (${city})`)],
  ];
  return facts.flatMap(([label, value, isPlace = false]) =>
    value === null ? [] : [{ label, value, isPlace }],
  );
}
