import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Locale } from '#db/values.ts';
import type { CohortPayload, Payload, PayloadChange, PayloadMeeting } from '#email/payload.ts';
import { clockTime, longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { type LetterTexts, openPage, plain } from './letter-text.ts';

/** What people who are enrolled read of live sessions. */
export const meetingLetters = {
  meeting_reminder: {
    name: msg`Reminder of a live session`,
    when: msg`A day before a live session, an hour before it, or both`,
    say: ({ course, short, cohort, instructor, meeting, meetingDay, meetingTime, ...values }) => ({
      subject: msg`${short}: ${meeting}, ${meetingDay}, ${meetingTime}`,
      preheader: msg`“${cohort}” with ${instructor}.`,
      title: msg`A live session is coming up`,
      paragraphs: [msg`This is a reminder of a live session of “${course}” (${cohort}).`],
      action: openPage,
      notes: [msg`If there is a link to join, you’ll find it on your page.`],
      why: values.whyEnrolled,
    }),
  },
  meeting_changed: {
    name: msg`Changes to the live sessions`,
    when: msg`When you tell everyone who is enrolled what has changed`,
    say: ({ course, short, cohort, instructor, whyEnrolled }) => ({
      subject: msg`Changes to the live sessions of ${short}`,
      preheader: msg`Please check that you can still come.`,
      paragraphs: [msg`${instructor} has changed the live sessions of “${course}” (${cohort}).`],
      action: openPage,
      why: whyEnrolled,
    }),
  },
  meeting_cancelled: {
    name: msg`Canceled live sessions`,
    when: msg`When every change you announce is a cancellation`,
    say: ({ course, short, cohort, instructor, whyEnrolled }) => ({
      subject: msg`Canceled live sessions: ${short}`,
      preheader: msg`Everything else stays as it is.`,
      paragraphs: [
        msg`${instructor} has canceled live sessions of “${course}” (${cohort}). You keep your place.`,
      ],
      action: openPage,
      why: whyEnrolled,
    }),
  },
} satisfies LetterTexts;

/** What and when a live session is, on one line. */
export function nextMeetingFact(
  { title, starts_local: startsLocal }: NonNullable<Payload['next_meeting']>,
  zone: string,
  i18n: I18n,
): string {
  return `${plain(title)} · ${whenOf(startsLocal, zone, i18n)}`;
}

/** The facts of a live session. */
export function meetingFacts(meeting: PayloadMeeting, zone: string, i18n: I18n) {
  const minutes = meeting.duration_minutes;
  return [
    { label: i18n._(msg`Live session`), value: plain(meeting.title) },
    { label: i18n._(msg`When`), value: whenOf(meeting.starts_local, zone, i18n) },
    { label: i18n._(msg`Length`), value: i18n._(msg`${minutes} minutes`) },
    ...(meeting.place === null
      ? []
      : [{ label: i18n._(msg`Place`), value: meeting.place, isPlace: true }]),
  ];
}

/** The live sessions that have changed, in the order of time. */
export function changeEntries({ changes = [], cohort }: CohortPayload, i18n: I18n) {
  return changes
    .toSorted((one, other) => one.starts_local.localeCompare(other.starts_local))
    .map((change) => ({
      title: plain(change.title),
      lines: changeLines(change, cohort.time_zone, i18n),
    }));
}

/** When a live session takes place now, and when it did before if its readers know another time. */
function changeLines(change: PayloadChange, zone: string, i18n: I18n): string[] {
  const { before } = change;
  const minutes = change.duration_minutes;
  const when = whenOf(change.starts_local, zone, i18n);
  if (change.is_cancelled) {
    const known = before === null ? when : whenOf(before.starts_local, before.time_zone, i18n);
    return [i18n._(msg`Canceled: ${known}`)];
  }
  const place = change.place === null ? [] : [change.place];
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
