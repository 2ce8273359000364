import type { PeopleCounts, StatusFacts } from '#features/cohorts/cohort-status.ts';

/** Why nobody is being offered a place at a moment. */
export const offerReasons = [
  'cohort_in_trash',
  'cohort_archived',
  'cohort_over',
  'nobody_waits',
  'cohort_not_published',
  'too_late',
  'waiting_for_answers',
  'no_place_free',
  'next_run',
] as const;
export type OfferReason = (typeof offerReasons)[number];

const hourMs = 60 * 60 * 1000;

/**
 * The reason, so that the page of a waitlist always says one; the first that applies. The same
 * rules as `promote` in places.ts: a place that is free and could be offered is, with the next run.
 */
export function whyNoOffer(
  cohort: StatusFacts,
  { enrolled, offered, waitlisted }: PeopleCounts,
  now: Date,
): OfferReason {
  if (cohort.deletedAt !== null) {
    return 'cohort_in_trash';
  }
  if (cohort.archivedAt !== null) {
    return 'cohort_archived';
  }
  if (cohort.endsAt <= now) {
    return 'cohort_over';
  }
  if (waitlisted === 0) {
    return 'nobody_waits';
  }
  if (cohort.publishedAt === null) {
    return 'cohort_not_published';
  }
  if (lastOfferAt(cohort) - now.getTime() < hourMs) {
    return 'too_late';
  }
  if (cohort.capacity !== null && enrolled + offered >= cohort.capacity) {
    return offered > 0 ? 'waiting_for_answers' : 'no_place_free';
  }
  return 'next_run';
}

/** As in places.ts: the beginning, or when enrollment closes later, but never after the end. */
function lastOfferAt({ startsAt, endsAt, enrollmentClosesAt }: StatusFacts): number {
  const closes = enrollmentClosesAt?.getTime() ?? startsAt.getTime();
  return Math.min(endsAt.getTime(), Math.max(startsAt.getTime(), closes));
}
