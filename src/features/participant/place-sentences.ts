import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { EnrollmentState } from '#features/cohorts/cohort-status.ts';
import type { Participation } from './schema.ts';

/** Where someone stands in a cohort, in a sentence for themselves. */
export function placeSentence(i18n: I18n, place: Participation, isOver: boolean): string {
  if (place.is_canceled) {
    return i18n._(msg`This cohort was canceled.`);
  }
  if (isOver) {
    return i18n._(msg`This cohort has ended.`);
  }
  const n = place.queue_position ?? 1;
  switch (place.status) {
    case 'enrolled':
      return i18n._(msg`You are enrolled.`);
    case 'waitlisted':
      return i18n._(msg`You are number ${n} on the waitlist.`);
    case 'offered':
      return i18n._(msg`A place is kept for you.`);
    case 'invited':
      return i18n._(msg`You are invited.`);
    case 'applied':
      return i18n._(msg`You have asked for a place.`);
    case 'left':
      return i18n._(msg`You no longer take part.`);
    case 'declined':
      return i18n._(msg`You have declined.`);
    case 'expired':
      return i18n._(msg`The time to answer is over.`);
    case 'removed':
      return i18n._(msg`You were removed from this cohort.`);
    case 'refused':
      return i18n._(msg`Your request was turned down.`);
  }
}

/** What comes next, or what a button does; null if nothing is to be said. */
export function nextSentence(
  i18n: I18n,
  place: Participation,
  { canRejoin, instructor }: { canRejoin: EnrollmentState | null; instructor: string },
): string | null {
  if (place.actions.includes('rejoin')) {
    if (canRejoin === 'approval') {
      return i18n._(msg`${instructor} decides who takes part.`);
    }
    return canRejoin === 'open'
      ? i18n._(msg`A place is free.`)
      : i18n._(msg`All places are taken. You would be last on the waitlist.`);
  }
  switch (place.actions.length > 0 ? place.status : null) {
    case 'offered':
      return i18n._(msg`If you decline, the place goes to the next person on the waitlist.`);
    case 'invited':
      return i18n._(msg`An invitation doesn’t hold a place.`);
    case 'applied':
      return i18n._(msg`${instructor} decides who takes part. We’ll email you the answer.`);
    case 'waitlisted':
      return i18n._(msg`When a place is free for you, we’ll email you.`);
    default:
      return null;
  }
}
