import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { type CountedCohort, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { isCharged, newId } from './balances.ts';

/**
 * Charges everyone who is enrolled in one of the viewer's cohorts and is not charged, because its
 * price was set later. The same again charges no one.
 *
 * @param cohort as the request has read it
 * @returns how many were charged
 * @throws AppError `cohort_in_trash`; `price_required` without a price
 */
export async function chargeEnrolled(ctx: ViewerContext, cohort: CountedCohort): Promise<number> {
  requireOutsideTrash(cohort);
  if (!cohort.priceMinor) {
    throw new AppError('price_required');
  }
  const { charged } = await ask(ctx, {
    // The price of the moment at which they are charged, which the database knows.
    charged: db.all<{ id: string }>(sql`INSERT INTO ledger_entries (id, owner_id, course_id,
        course_name, cohort_id, cohort_name, person_id, enrollment_id, kind, amount_minor, currency,
        source, created_by, created_by_user_id, created_at)
      SELECT ${newId}, c.owner_id, c.course_id, k.name, c.id, c.name, e.person_id, e.id, 'charge',
        c.price_minor, c.currency, 'owner', 'owner', ${ctx.viewer.id},
        ${ctx.now().getTime()}
      FROM cohorts c JOIN courses k ON k.id = c.course_id
        JOIN enrollments e ON e.cohort_id = c.id AND e.status = 'enrolled'
      WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND c.price_minor > 0
        AND NOT ${isCharged}
      RETURNING id`),
  });
  if (charged.length > 0) {
    ctx.observe.log('ledger_written', { kind: 'charge', count: charged.length });
  }
  return charged.length;
}
