import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { type EnrollmentStatus, endedStatuses } from '#db/values.ts';
import { type CountedCohort, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { isUndecided, usedCurrency } from '#features/ledger/balances.ts';
import type { SettleInput } from '#features/ledger/schema.ts';
import {
  hasWanted,
  hasWritten,
  isAsSeen,
  isWantedBy,
  settlement,
} from '#features/ledger/settle.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollmentDetails } from '#features/places/find-enrollments.ts';
import { markLeft, withPlaces } from '#features/places/places.ts';
import { refuseTransition } from '#features/places/refusals.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { dayIn } from '#lib/time/words.ts';
import type { LeftInput } from './schema.ts';

/** An enrollment and its cohort, as the request has read them. */
type OwnEnrollment = { cohort: CountedCohort; enrollment: EnrollmentDetails };

/**
 * Marks someone who is enrolled as left, and does to their account what the owner has chosen, all
 * at once. Their place goes to the next who waits. The same again changes nothing.
 *
 * @throws AppError `cohort_in_trash`; `balance_changed` if the account is not as the owner has seen
 *   it; `nothing_owed`, `nothing_paid`; `enrollment_transition` for someone who is not enrolled
 */
export async function markAsLeft(
  ctx: ViewerContext,
  { cohort, enrollment }: OwnEnrollment,
  input: LeftInput,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  requirePossible(input);
  const { id } = enrollment;
  const { id: cohortId, ownerId } = cohort;
  if (enrollment.status === 'left') {
    return enrollment;
  }
  const now = ctx.now().getTime();
  const { money, note, notify } = input;
  const account = accountOf(ctx, cohort, id, money);
  const isAccountAsSeen = sql`EXISTS (SELECT 1 FROM enrollments e
    WHERE e.id = enrollments.id AND ${isAsSeen(input)})`;
  const refund =
    money === 'refund'
      ? sql`json_object('minor', ${input.paid_minor}, 'currency', ${usedCurrency(cohortId)})`
      : undefined;
  const leaving = { id, cohortId, note, owes: money === 'keep', condition: isAccountAsSeen };
  const { placed, after } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      markLeft(ctx, now, leaving),
      notify ? { refund } : { silentFor: [id] },
    ),
    ...settlement({
      ...account,
      now,
      // Another request may have marked them in the same millisecond, and decided otherwise.
      isDue: sql`e.status = 'left' AND e.changed_by = 'owner' AND e.status_changed_at = ${now}
        AND e.owes_after_leaving = 0 AND NOT EXISTS (SELECT 1 FROM ledger_entries w
          WHERE w.enrollment_id = e.id AND w.created_at = ${now} AND w.source = 'leaving'
            AND w.idempotency_key <> ${account.key})
        AND NOT EXISTS (SELECT 1 FROM checkouts o CROSS JOIN refunds_wanted w ON w.checkout_id = o.id
          WHERE o.enrollment_id = e.id AND w.created_at = ${now} AND NOT ${isWantedBy(account.key)})`,
    }),
    after: enrollmentDetails(ownerId, cohortId, id),
  });
  sendSoon(ctx, placed.mailIds);
  const details = requireFound(after);
  if (placed.changed === null && details.status !== 'left') {
    if (details.status === 'enrolled') {
      throw new AppError('balance_changed');
    }
    refuseTransition(ctx, details.name, details.status);
  }
  if (placed.changed !== null) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: details.status });
  }
  return details;
}

/**
 * Decides what happens to the account of someone who no longer takes part. It is decided once: the
 * same again changes nothing.
 *
 * @throws AppError `cohort_in_trash`; `balance_changed`; `nothing_owed`, `nothing_paid`;
 *   `enrollment_transition` for someone who takes part
 */
export async function settleAccount(
  ctx: ViewerContext,
  { cohort, enrollment }: OwnEnrollment,
  input: SettleInput,
): Promise<EnrollmentDetails> {
  requireOutsideTrash(cohort);
  requirePossible(input);
  const { id } = enrollment;
  const { id: cohortId, ownerId } = cohort;
  const account = accountOf(ctx, cohort, id, input.money);
  const { key } = account;
  const own = sql`e.id = ${id} AND e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}`;
  const isDue = sql`(${isUndecided('e')} AND ${isAsSeen(input)})`;
  const isDone =
    input.money === 'waive'
      ? hasWritten(ownerId, key, 'waiver')
      : sql`EXISTS (SELECT 1 FROM enrollments e WHERE ${own} AND ${isDue})`;
  const { before, changed, refunds, after } = await ask(ctx, {
    before: db.all<{ is_undecided: 0 | 1 }>(
      sql`SELECT ${isUndecided('e')} AS is_undecided FROM enrollments e WHERE ${own}`,
    ),
    ...settlement({ ...account, now: ctx.now().getTime(), isDue }),
    // After a refund nothing is open. After a waiver nothing is, and the owner keeps what was paid.
    changed:
      input.money === 'refund'
        ? undefined
        : db.all(sql`UPDATE enrollments SET owes_after_leaving = 1
            WHERE id = ${id} AND owner_id = ${ownerId} AND ${isDone} RETURNING id`),
    refunds: db.all(sql`SELECT 1 WHERE ${hasWritten(ownerId, key, 'refund')}
      OR ${hasWanted(id, key)}`),
    after: enrollmentDetails(ownerId, cohortId, id),
  });
  const details = requireFound(after);
  if ((changed ?? refunds).length === 0) {
    if (isTakingPart(details.status)) {
      refuseTransition(ctx, details.name, details.status);
    }
    if (before[0]?.is_undecided === 1) {
      throw new AppError('balance_changed');
    }
  }
  return details;
}

/** @throws AppError `nothing_owed`, `nothing_paid` */
function requirePossible({ money, balance_minor: due, paid_minor: paid }: SettleInput): void {
  if (money === 'refund' && paid <= 0) {
    throw new AppError('nothing_paid');
  }
  if (money === 'waive' && due <= 0) {
    throw new AppError('nothing_owed');
  }
}

function isTakingPart(status: EnrollmentStatus): boolean {
  return !endedStatuses.includes(status);
}

function accountOf(
  ctx: ViewerContext,
  { ownerId, timeZone }: CountedCohort,
  enrollmentId: string,
  money: SettleInput['money'],
) {
  const today = dayIn(timeZone, ctx.now());
  const key = crypto.randomUUID();
  return {
    ownerId,
    authorId: ctx.viewer.id,
    which: sql`e.id = ${enrollmentId}`,
    money,
    today,
    key,
  };
}
