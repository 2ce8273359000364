import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, dayOfYear, longDay } from '#lib/time/words.ts';
import { isEndOfDay, lastDayOf } from './cohort-dates.ts';
import { type PeopleCounts, takenPlaces } from './cohort-status.ts';
import type { Cohort } from './schema.ts';

/** Whether people can enroll now, and until when, in a sentence for the owner. */
export function enrollmentSentence(i18n: I18n, cohort: Cohort): string {
  const { enrollment_state: state, enrollment_override: override } = cohort;
  const { enrollment_opens_local: opens, enrollment_closes_local: closes } = cohort;
  switch (state) {
    case 'not_published':
      return i18n._(msg`Enrollment begins when you publish it.`);
    case 'by_invitation':
      return i18n._(msg`Only people you invite or add can join.`);
    case 'not_yet':
      return opening(i18n, opens ?? '');
    case 'closed':
      return override === 'closed'
        ? i18n._(msg`You have closed enrollment.`)
        : i18n._(msg`Enrollment is closed.`);
    default:
      return override === 'open'
        ? i18n._(msg`You have opened enrollment. It stays open until the last day.`)
        : openUntil(i18n, closes, cohort.starts_on);
  }
}

/** When enrollment opens, by the clock of the cohort. */
export function opening(i18n: I18n, opens: string): string {
  const day = longDay(dayOfWallTime(opens), i18n.locale);
  const time = clockTime(opens, i18n.locale);
  return i18n._(msg`Enrollment opens on ${day} at ${time}.`);
}

/** Until when enrollment is open, by the clock of the cohort. */
export function openUntil(i18n: I18n, closes: string | null, startsOn: string): string {
  if (closes === null) {
    const day = dayOfYear(startsOn, i18n.locale);
    return i18n._(msg`Enrollment is open until the cohort starts on ${day}.`);
  }
  const day = dayOfYear(lastDayOf(closes), i18n.locale);
  if (isEndOfDay(closes)) {
    return i18n._(msg`Enrollment is open until the end of ${day}.`);
  }
  const time = clockTime(closes, i18n.locale);
  return i18n._(msg`Enrollment is open until ${day} at ${time}.`);
}

/** Until when the early price is, by the clock of the cohort. */
export function earlyUntil(i18n: I18n, until: string): string {
  const day = dayOfYear(lastDayOf(until), i18n.locale);
  if (isEndOfDay(until)) {
    return i18n._(msg`Early price until ${day}`);
  }
  const time = clockTime(until, i18n.locale);
  return i18n._(msg`Early price until ${day} at ${time}`);
}

/** When enrollment closes, by the clock of the cohort, whether or not it has opened. */
export function closingSentence(i18n: I18n, cohort: Cohort): string {
  const closes = cohort.enrollment_closes_local;
  if (closes === null) {
    const day = dayOfYear(cohort.starts_on, i18n.locale);
    return i18n._(msg`Enrollment closes when the cohort starts on ${day}.`);
  }
  const day = dayOfYear(lastDayOf(closes), i18n.locale);
  if (isEndOfDay(closes)) {
    return i18n._(msg`Enrollment closes at the end of ${day}.`);
  }
  const time = clockTime(closes, i18n.locale);
  return i18n._(msg`Enrollment closes on ${day} at ${time}.`);
}

/** How many places are taken, and how many of these are only kept for someone. */
export function takenWords(counts: PeopleCounts, capacity: number): MessageDescriptor {
  const { enrolled, offered } = counts;
  const taken = takenPlaces(counts);
  if (offered > 0) {
    return msg`${plural(capacity, { one: `${enrolled} of # place is taken, ${offered} is offered.`, other: `${enrolled} of # places are taken, ${offered} offered.` })}`;
  }
  return taken < capacity || taken === 0
    ? msg`${plural(capacity, { one: `${taken} of # place is taken.`, other: `${taken} of # places are taken.` })}`
    : msg`${plural(capacity, { one: 'The only place is taken.', other: 'All # places are taken.' })}`;
}
