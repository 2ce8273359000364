import type { PeopleCounts, StatusFacts } from '#features/cohorts/cohort-status.ts';
import { hourMs } from '#lib/time/calendar.ts';

/** Why nobody is being offered a place at a moment; the first that applies counts. */
export const offerReasons = [
  'cohort_in_trash',
  'cohort_archived',
  'cohort_over',
  'nobody_waits',
  'cohort_not_published',
  'too_late',
  'no_payments',
  'waiting_for_answers',
  'no_place_free',
  'next_run',
] as const;
type OfferReason = (typeof offerReasons)[number];

/**
 * The reason, so that the page of a waitlist always says one. The same
 * rules as `promote` in places.ts: a place that is free and could be offered is, with the next run.
 *
 * @param isUnpayable whether places have to be paid first, and no one can be paid: see `cannotPay`
 */
export function whyNoOffer(
  cohort: StatusFacts,
  { enrolled, offered, waitlisted }: PeopleCounts,
  now: Date,
  isUnpayable = false,
): OfferReason {
  const isFull = cohort.capacity !== null && enrolled + offered >= cohort.capacity;
  const applies: Record<OfferReason, boolean> = {
    cohort_in_trash: cohort.deletedAt !== null,
    cohort_archived: cohort.archivedAt !== null,
    cohort_over: cohort.endsAt <= now,
    nobody_waits: waitlisted === 0,
    cohort_not_published: cohort.publishedAt === null,
    too_late: lastOfferOf(cohort) - now.getTime() < hourMs,
    no_payments: isUnpayable && !isFull,
    waiting_for_answers: isFull && offered > 0,
    no_place_free: isFull,
    next_run: true,
  };
  return offerReasons.find((reason) => applies[reason]) ?? 'next_run';
}

/** Whether the place of someone who leaves is offered to the next person who waits. */
export function isPassedOn(cohort: StatusFacts, counts: PeopleCounts, now: Date): boolean {
  return whyNoOffer(cohort, { ...counts, enrolled: counts.enrolled - 1 }, now) === 'next_run';
}

/** For how many hours a place is kept for someone who is let in now and pays first, as in places.ts. */
export function hoursToPay(
  cohort: Parameters<typeof lastOfferOf>[0] & { offerHours: number },
  now: Date,
): number {
  const left = (lastOfferOf(cohort) - now.getTime()) / hourMs;
  return Math.max(1, Math.floor(Math.min(cohort.offerHours, left)));
}

/** As `lastOfferAt` in places.ts: the beginning, or when enrollment closes later, but never after the end. */
export function lastOfferOf({
  startsAt,
  endsAt,
  enrollmentClosesAt,
}: Pick<StatusFacts, 'startsAt' | 'endsAt' | 'enrollmentClosesAt'>): number {
  const closes = enrollmentClosesAt?.getTime() ?? startsAt.getTime();
  return Math.min(endsAt.getTime(), Math.max(startsAt.getTime(), closes));
}
