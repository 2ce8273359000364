import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { consume } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { add, withPlaces } from '#features/places/places.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { checkoutRows } from './checkout-rows.ts';
import { lookUp } from './look-up.ts';

type Place = {
  cohortId: string;
  personId: string | null;
  capacity: number | null;
  isIn: 0 | 1;
  isGone: 0 | 1;
};

/**
 * Lets in someone who paid after their place had gone, at the agreed price. A trigger settles the payment
 * of anyone who becomes enrolled.
 *
 * @param isOver although all places are taken
 * @throws AppError `not_found` for a payment that does not exist or belongs to another user, or needs
 *   no decision; `cohort_full`, `cohort_over`
 */
export async function letIn(ctx: ViewerContext, checkoutId: string, isOver: boolean) {
  const { ownerId } = ctx;
  const now = ctx.now().getTime();
  const isWaiting = sql`o.id = ${checkoutId} AND o.owner_id = ${ownerId} AND o.problem = 'no_place'
    AND NOT EXISTS (SELECT 1 FROM refunds_wanted w
      WHERE w.checkout_id = o.id AND w.done_at IS NULL AND w.failed_at IS NULL)`;
  const { rows } = await ask(ctx, { rows: checkoutRows(ctx, isWaiting) });
  const { cohortId, enrollmentId } = requireFound(rows[0]);
  const personId = sql`(SELECT e.person_id FROM enrollments e WHERE e.id = ${enrollmentId})`;
  const { placed, place } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      add(
        ctx,
        now,
        {
          id: crypto.randomUUID(),
          cohortId,
          personId,
          condition: sql`c.ends_at > ${now} AND EXISTS (SELECT 1 FROM checkouts o WHERE ${isWaiting})`,
        },
        isOver,
      ),
    ),
    settled: db.run(sql`UPDATE checkouts SET problem = NULL, decide_by = NULL
      WHERE id = (SELECT o.id FROM checkouts o JOIN enrollments e ON e.id = o.enrollment_id
        WHERE ${isWaiting} AND e.owner_id = ${ownerId} AND e.status = 'enrolled')`),
    place: db.all<Place>(sql`SELECT c.capacity, c.id AS cohortId, e.person_id AS personId,
        coalesce(e.status = 'enrolled', 0) AS isIn,
        c.deleted_at IS NOT NULL OR c.archived_at IS NOT NULL OR c.ends_at <= ${now} AS isGone
      FROM cohorts c LEFT JOIN enrollments e ON e.id = ${enrollmentId}
      WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}`),
  });
  sendSoon(ctx, placed.mailIds);
  const [found] = place;
  if (found === undefined || found.personId === null || found.isGone === 1) {
    throw new AppError('cohort_over');
  }
  if (found.isIn === 0) {
    throw new AppError('cohort_full', { values: { n: found.capacity ?? 0 } });
  }
  ctx.observe.log('enrollment_changed', { cohort: cohortId, status: 'enrolled' });
}

/**
 * Takes a payment off the list of those to look at, as the owner has settled it otherwise.
 *
 * @throws AppError `not_found` for a payment that does not exist or belongs to another user, or that
 *   waits for a decision about a place
 */
export async function settleProblem(ctx: ViewerContext, checkoutId: string): Promise<void> {
  const { settled } = await ask(ctx, {
    settled: db.all(sql`UPDATE checkouts SET problem = NULL
      WHERE id = ${checkoutId} AND owner_id = ${ctx.ownerId} AND problem <> 'no_place'
      RETURNING id`),
  });
  requireFound(settled[0]);
}

/**
 * Asks Stripe now what has become of a payment.
 *
 * @throws AppError `not_found` for a payment that does not exist or belongs to another user;
 *   `payment_unavailable`, `rate_limited`
 */
export async function checkAgain(ctx: ViewerContext, checkoutId: string): Promise<void> {
  await consume(ctx, [{ limit: 'refunds_per_user', subject: ctx.viewer.id }], 'refuse');
  const { rows } = await ask(ctx, {
    rows: checkoutRows(ctx, sql`o.id = ${checkoutId} AND o.owner_id = ${ctx.ownerId}`),
  });
  await lookUp(ctx, requireFound(rows[0]));
}
