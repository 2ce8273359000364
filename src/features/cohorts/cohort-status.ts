import type { EnrollmentOverride, JoinMode } from '#db/values.ts';

/** What a cohort is at a moment, for its owner. */
export const cohortStatuses = [
  'trashed',
  'archived',
  'draft',
  'finished',
  'running',
  'scheduled',
  'enrolling',
  'full',
  'upcoming',
] as const;
export type CohortStatus = (typeof cohortStatuses)[number];

/** What someone who would like to take part can do at a moment. */
export const enrollmentStates = [
  'not_published',
  'not_yet',
  'open',
  'approval',
  'waitlist',
  'full',
  'closed',
  'by_invitation',
] as const;
export type EnrollmentState = (typeof enrollmentStates)[number];

/** What the states of a cohort depend on, of what is stored. */
export type StatusFacts = {
  startsAt: Date;
  endsAt: Date;
  joinMode: JoinMode;
  enrollmentOpensAt: Date | null;
  enrollmentClosesAt: Date | null;
  enrollmentOverride: EnrollmentOverride | null;
  closedByType: boolean;
  capacity: number | null;
  waitlist: boolean;
  publishedAt: Date | null;
  archivedAt: Date | null;
  deletedAt: Date | null;
};

export const liveStatuses = ['enrolled', 'offered', 'waitlisted', 'applied', 'invited'] as const;

/** How many people have a place or are offered one, wait for one, ask for one, or are invited. */
export type PeopleCounts = Record<(typeof liveStatuses)[number], number>;

/** How many these are together. */
export function sumOfPeople(counts: PeopleCounts): number {
  return liveStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/** Whether people still come and go. */
export function isOngoing(status: CohortStatus): boolean {
  return !['trashed', 'archived', 'draft', 'finished'].includes(status);
}

/** How many places are taken: one that is offered is kept. */
export function takenPlaces({ enrolled, offered }: PeopleCounts): number {
  return enrolled + offered;
}

/** How many people are on the roster, by those of its statuses that still mean something. */
export function rosterCount({ enrolled, offered, invited }: PeopleCounts): number {
  return enrolled + offered + invited;
}

/** What holds, by states of which the first that holds counts. */
type States<State> = [State, boolean][];

function firstOf<State>(states: States<State>): State | undefined {
  return states.find(([, holds]) => holds)?.[0];
}

/** The state of a cohort at a moment: never stored, because time changes it. */
export function cohortStatus(cohort: StatusFacts, counts: PeopleCounts, now: Date): CohortStatus {
  const window = enrollmentWindow(cohort, now);
  const states: States<CohortStatus> = [
    ['trashed', cohort.deletedAt !== null],
    ['archived', cohort.archivedAt !== null],
    ['draft', cohort.publishedAt === null],
    ['finished', now >= cohort.endsAt],
    ['running', now >= cohort.startsAt],
    ['scheduled', window === 'not_yet'],
    ['upcoming', window !== 'open'],
    ['enrolling', hasFreePlace(cohort, counts)],
  ];
  return firstOf(states) ?? 'full';
}

/** What its public page offers. A running cohort may still take people. */
export function enrollmentState(
  cohort: StatusFacts,
  counts: PeopleCounts,
  now: Date,
): EnrollmentState {
  const window = enrollmentWindow(cohort, now);
  const states: States<EnrollmentState> = [
    ['not_published', cohort.publishedAt === null || cohort.deletedAt !== null],
    [window, window !== 'open'],
    // Regardless of how many places are free: the owner decides.
    ['approval', cohort.joinMode === 'approval'],
    // No one overtakes those who wait for a place that is free for a moment.
    ['open', hasFreePlace(cohort, counts) && counts.waitlisted === 0],
    ['waitlist', cohort.waitlist],
  ];
  return firstOf(states) ?? 'full';
}

/** Whether people can do something in this state: enroll, ask to, or join the waitlist. */
export function isJoinable(state: EnrollmentState): boolean {
  return state === 'open' || state === 'approval' || state === 'waitlist';
}

/** Whether someone who leaves can come back: a place that becomes free can be asked for. */
export function canReturn(state: EnrollmentState): boolean {
  return isJoinable(state) || state === 'full';
}

/** Whether people can enroll by themselves, as far as places do not matter. Half open in time. */
function enrollmentWindow(
  cohort: StatusFacts,
  now: Date,
): 'not_yet' | 'open' | 'closed' | 'by_invitation' {
  if (cohort.archivedAt !== null || now >= cohort.endsAt || cohort.closedByType) {
    return 'closed';
  }
  if (cohort.joinMode === 'invitation') {
    return 'by_invitation';
  }
  if (cohort.enrollmentOverride !== null) {
    return cohort.enrollmentOverride;
  }
  if (cohort.enrollmentOpensAt !== null && now < cohort.enrollmentOpensAt) {
    return 'not_yet';
  }
  return now < (cohort.enrollmentClosesAt ?? cohort.startsAt) ? 'open' : 'closed';
}

/** How many places are free; null if there is no limit. */
export function placesLeft(
  { capacity }: Pick<StatusFacts, 'capacity'>,
  counts: PeopleCounts,
): number | null {
  return capacity === null ? null : Math.max(0, capacity - takenPlaces(counts));
}

function hasFreePlace(cohort: StatusFacts, counts: PeopleCounts): boolean {
  return placesLeft(cohort, counts) !== 0;
}
