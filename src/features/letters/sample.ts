import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type ParticipantMailKind, traitsOf } from '#email/kinds.ts';
import { participantLetter, sampleCode } from '#email/participant-letter.ts';
import type { Payload, PayloadMeeting } from '#email/payload.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { i18nFor } from '#i18n/server.ts';
import { isEarlyAt } from '#lib/price.ts';
import { hourMs } from '#lib/time/calendar.ts';
import { pick } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import type { EmailPreview } from './schema.ts';

/** What an email of a cohort would say to someone with the owner's name. */
export function samplePayload(
  { viewer, now }: ViewerContext,
  cohort: OwnCohort,
  kind: ParticipantMailKind,
): Payload {
  const { firstName, lastName, email } = viewer;
  const name = `${firstName} ${lastName}`;
  const { status = '' } = traitsOf[kind];
  const { offer_hours, price_minor, early_price_minor } = cohort;
  const until = cohort.early_until_at === null ? null : Date.parse(cohort.early_until_at);
  const at = now().getTime();
  const price = isEarlyAt(until, at) ? early_price_minor : price_minor;
  const hasEnd = ['offered', 'invited'].includes(status);
  return {
    name,
    language: cohort.language,
    instructor: { name, email },
    cohort: {
      ...datesOf(cohort),
      ...pick(cohort, ['kind', 'name', 'place', 'welcome_note', 'price_minor', 'currency']),
      early_price_minor,
      early_until_at: until,
      ...pick(cohort, ['payment_note', 'refund_note', 'payment_url', 'payment_mode']),
      course: cohort.courseName,
      hue: cohort.courseHue,
      ...(cohort.kind === 'open' && { has_lessons: 1 as const }),
    },
    person: null,
    request: null,
    enrollment: {
      expires_at: hasEnd ? at + offer_hours * hourMs : null,
      offer_hours,
      position: 1,
      moved_from: cohort.courseName,
      can_return: cohort.join_mode === 'invitation' ? 0 : 1,
    },
    price: status === 'enrolled' ? price : null,
    ...(status === 'offered' && { payable: cohort.payment_mode === 'online_first' ? price : null }),
    written_at: at,
    before: null,
    note: null,
    ...samples[kind]?.(cohort, i18nFor(cohort.language)),
  };
}

type Sample = (cohort: OwnCohort, i18n: I18n) => Partial<Payload>;

/** What only some emails say, as if the first live session were on the first evening. */
const samples: Partial<Record<ParticipantMailKind, Sample>> = {
  // To those whose name is not known, or not proven.
  confirm_request: () => ({ name: null }),
  enrollment_open: () => ({ name: null }),
  dates_moved: (cohort, i18n) => ({
    before: datesOf(cohort),
    next_meeting: meetingOf(cohort, i18n),
  }),
  meeting_reminder: (cohort, i18n) => ({
    // Its instant decides nothing here.
    meeting: { ...meetingOf(cohort, i18n), id: '', starts_at: 0, which: 'day' },
  }),
  meeting_changed: (cohort, i18n) => changeOf(cohort, i18n, '17:00'),
  meeting_cancelled: (cohort, i18n) => changeOf(cohort, i18n, '18:00', true),
  lessons_released: (_cohort, i18n) => {
    const { section, lesson } = lessonWords(i18n);
    return { released: { sections: [section], lessons: 3, first: lesson } };
  },
  nudge: (_cohort, i18n) => ({ progress: { done: 3, of: 10, next: lessonWords(i18n).lesson } }),
  message: (_cohort, i18n) => ({ message: sampleWords(i18n) }),
  receipt: ({ price_minor: minor, currency, starts_on: day }) => ({
    receipt: {
      entry_id: '',
      minor: minor ?? 0,
      currency: currency ?? 'EUR',
      method: 'transfer',
      word: null,
      day,
      left: 0,
    },
  }),
  payment_reminder: ({ price_minor: minor, currency }) => ({
    owed: { minor: minor ?? 0, currency: currency ?? 'EUR' },
  }),
  // Sent only where a place has to be paid first.
  place_held: ({ price_minor: minor }) => ({ payable: minor }),
  payment_failed: paymentOf,
  paid_without_place: paymentOf,
  paid_back: paymentOf,
};

/** The price, paid online on the first day. */
function paymentOf(cohort: OwnCohort): Partial<Payload> {
  const { id, name, courseName, price_minor: minor, currency, time_zone } = cohort;
  return {
    payment: {
      minor: minor ?? 0,
      currency: currency ?? 'EUR',
      course: courseName,
      cohort: name,
      cohort_id: id,
      enrollment_id: '',
      time_zone,
      decide_by: Date.parse(cohort.starts_at),
    },
  };
}

/** The words in place of those that an instructor types. */
export function sampleWords(i18n: I18n) {
  return { subject: i18n._(msg`Your subject`), text: i18n._(msg`Your message goes here.`) };
}

/** In the place of titles, in a course without lessons. */
function lessonWords(i18n: I18n) {
  return { section: i18n._(msg`Title of a section`), lesson: i18n._(msg`Title of a lesson`) };
}

function datesOf(cohort: OwnCohort) {
  return pick(cohort, ['starts_on', 'ends_on', 'time_zone']);
}

function meetingOf({ place, starts_on: day }: OwnCohort, i18n: I18n): PayloadMeeting {
  const title = i18n._(msg`First session`);
  return { title, starts_local: `${day}T18:00`, duration_minutes: 90, place };
}

function changeOf(cohort: OwnCohort, i18n: I18n, timeBefore: string, isCancelled = false) {
  const meeting = meetingOf(cohort, i18n);
  const { starts_on: day, time_zone } = cohort;
  const before = { title: meeting.title, starts_local: `${day}T${timeBefore}`, time_zone };
  return { changes: [{ ...meeting, is_cancelled: isCancelled, before }] };
}

/**
 * An email of a cohort as people get it. Its button leads only to what they see.
 *
 * @param facts what it says instead of the sample
 */
export async function previewEmail(
  ctx: ViewerContext,
  cohort: OwnCohort,
  kind: ParticipantMailKind,
  facts: Partial<Payload> = {},
): Promise<EmailPreview> {
  const payload = { ...samplePayload(ctx, cohort, kind), ...facts };
  const link = ctx.config.appOrigin + serverPaths.cohortPreview(cohort.id);
  const code = kind === 'learner_link' ? { code: sampleCode } : {};
  const letter = await participantLetter(kind, ctx.viewer.email, payload, link, code);
  const { fromName = '', replyTo = '', subject, text, html } = letter;
  return { kind, from: fromName, reply_to: replyTo, subject, text, html };
}
