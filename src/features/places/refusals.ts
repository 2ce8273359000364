import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import type { CohortKind, EnrollmentStatus } from '#db/values.ts';
import {
  enrollmentState,
  type PeopleCounts,
  type StatusFacts,
} from '#features/cohorts/cohort-status.ts';
import { AppError } from '#lib/app-error.ts';
import { momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { cannotPay, mayHold, paysFirst, unpayableCohorts } from './places.ts';

/** Why no one can enroll by themselves: the errors of `refuseUnlessOpen`. */
export const whyNobodyEnrolls = [
  'cohort_full',
  'cohort_invitation_only',
  'cohort_over',
  'course_invitation_only',
  'enrollment_closed',
  'enrollment_not_open',
] as const;

/** Why people cannot enroll by themselves depends on these. */
type EnrollableCohort = StatusFacts & PeopleCounts & { kind: CohortKind; timeZone: string };

/**
 * Refuses those who would like to enroll, if no one can by themselves now.
 *
 * @throws AppError `cohort_full`, `cohort_invitation_only`, `cohort_over`,
 *   `course_invitation_only`, `enrollment_closed`, `enrollment_not_open`; `not_found` for a cohort
 *   that is not public
 */
export function refuseUnlessOpen(ctx: Context, cohort: EnrollableCohort): void {
  const state = enrollmentState(cohort, cohort, ctx.now());
  const { enrollmentOpensAt, timeZone } = cohort;
  switch (state) {
    case 'open':
    case 'approval':
    case 'waitlist':
      return;
    case 'not_published':
      throw new AppError('not_found');
    case 'full':
      throw cohortFull(cohort);
    case 'by_invitation':
      throw new AppError(
        cohort.kind === 'open' ? 'course_invitation_only' : 'cohort_invitation_only',
      );
    case 'not_yet': {
      const { locale } = ctx.request;
      const moment = momentIn(timeZone, enrollmentOpensAt ?? ctx.now(), locale);
      const date = `${moment} (${cityOf(timeZone, locale)})`;
      throw new AppError('enrollment_not_open', { values: { date } });
    }
    case 'closed':
      throw new AppError(ctx.now() >= cohort.endsAt ? 'cohort_over' : 'enrollment_closed');
  }
}

/**
 * Refuses someone who has to pay first for a place in a cohort: while no one can be paid, and if a place
 * was held for them too often without being paid for.
 *
 * @param instructor their name
 * @throws AppError `payment_off`, `too_many_holds`
 */
export async function refuseHolds(
  ctx: Context,
  { cohortId, personId, instructor }: { cohortId: string; personId: SQL; instructor: string },
): Promise<void> {
  const now = ctx.now().getTime();
  const known = sql`(SELECT y.id FROM enrollments y
    WHERE y.cohort_id = c.id AND y.person_id = ${personId})`;
  const { rows } = await ask(ctx, {
    rows: db.all<{ cannotPay: 0 | 1 }>(sql`SELECT ${cannotPay(ctx, now, known)} AS cannotPay
      FROM cohorts c WHERE c.id = ${cohortId} AND ${paysFirst(ctx, now, known)}
        AND (${cannotPay(ctx, now, known)} OR NOT ${mayHold(ctx, now, personId)})`),
  });
  const [row] = rows;
  if (row !== undefined) {
    throw new AppError(row.cannotPay ? 'payment_off' : 'too_many_holds', {
      values: { instructor },
    });
  }
}

/**
 * Refuses to hold or offer places for which no one could pay.
 *
 * @throws AppError `payments_paused`
 */
export async function refuseUnpayable(ctx: Context, cohortId: string): Promise<void> {
  const { rows } = await ask(ctx, { rows: unpayableCohorts(ctx, cohortId) });
  if (rows.length > 0) {
    throw new AppError('payments_paused');
  }
}

/** The error for someone who finds no free place. */
export function cohortFull({ capacity }: { capacity: number | null }): AppError {
  return new AppError('cohort_full', { values: { n: capacity ?? 0 } });
}

/** The error for a cohort that holds no more people. */
export function tooManyPeople({ kind }: { kind: CohortKind }): AppError {
  return new AppError('too_many_people', { values: { kind } });
}

/** Where someone stands, after “is now”. */
export const statusWords: Record<EnrollmentStatus, MessageDescriptor> = {
  invited: msg`invited`,
  applied: msg`asking for a place`,
  waitlisted: msg`on the waitlist`,
  offered: msg`offered a place`,
  enrolled: msg`enrolled`,
  declined: msg`no longer interested`,
  refused: msg`turned down`,
  expired: msg`out, because the time to answer is over`,
  left: msg`no longer taking part`,
  removed: msg`removed`,
};

/** @throws AppError `enrollment_transition`, with what the person is now */
export function refuseTransition(ctx: Context, name: string, status: EnrollmentStatus): never {
  const now = ctx.request.i18n._(statusWords[status]);
  throw new AppError('enrollment_transition', { values: { name, status: now } });
}
