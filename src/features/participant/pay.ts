import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask } from '#db/query.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { openCheckout } from '#features/checkouts/open-checkout.ts';
import type { OpenedCheckout } from '#features/checkouts/schema.ts';
import { consume } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { findParticipant, ownEnrollments, toParticipation } from './find-participant.ts';
import type { CheckedPayment, CheckInput, ParticipationInput } from './schema.ts';

/**
 * Opens the page at Stripe on which the person of a link pays for one of their places.
 *
 * @throws AppError `person_link_invalid`; `not_found` for an enrollment of someone else; what
 *   `openCheckout` throws
 */
export async function payOnline(
  ctx: Context,
  { link, enrollment_id: enrollmentId }: ParticipationInput,
): Promise<OpenedCheckout> {
  const { participant, enrollments } = await findParticipant(ctx, link);
  requireFound(enrollments.find(({ id }) => id === enrollmentId));
  if (ctx.config.stripe === null) {
    throw new AppError('payment_off', { values: { instructor: participant.instructor.name } });
  }
  return openCheckout(ctx, participant, enrollmentId);
}

/**
 * Asks Stripe what has become of a payment, for the person who comes back from there.
 *
 * @throws AppError `person_link_invalid`; `not_found` for a payment of someone else;
 *   `payment_unavailable`, `rate_limited`
 */
export async function checkPayment(
  ctx: Context,
  { link, checkout_id: checkoutId }: CheckInput,
): Promise<CheckedPayment> {
  await consume(ctx, [{ limit: 'payment_checks_per_ip' }], 'allow');
  const { participant } = await findParticipant(ctx, link);
  const { rows } = await ask(ctx, {
    rows: checkoutRows(ctx, sql`o.id = ${checkoutId} AND o.person_id = ${participant.id}`),
  });
  const row = requireFound(rows[0]);
  const payment = row.status === 'paid' ? 'paid' : await lookUp(ctx, row);
  const { after } = await ask(ctx, {
    after: ownEnrollments(ctx, sql`e.id = ${row.enrollmentId} AND e.person_id = ${participant.id}`),
  });
  return { ...toParticipation(ctx, requireFound(after[0])), payment };
}
