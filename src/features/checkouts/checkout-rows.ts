import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { priceAt } from '#db/prices.ts';
import { db } from '#db/query.ts';
import type { CheckoutProblem, CheckoutStatus } from '#db/values.ts';
import { wantedAt } from './payable.ts';

/** A payment at Stripe as the verbs need it. Times are milliseconds. */
export type CheckoutRow = {
  id: string;
  ownerId: string;
  cohortId: string;
  enrollmentId: string;
  /** Null: the operator's own. */
  stripeAccount: string | null;
  sessionId: string | null;
  paymentIntent: string | null;
  priceMinor: number | null;
  amountMinor: number;
  currency: string;
  courseName: string;
  cohortName: string;
  status: CheckoutStatus;
  problem: CheckoutProblem | null;
  expiresAt: number;
  createdAt: number;
  /** Of its cohort; null once that is deleted. */
  timeZone: string | null;
  /** Whether the person still owes what its page asks for, or is to pay it for their place. */
  isWanted: 0 | 1;
};

/** The columns of checkout `o` with what has become of the place. */
function columnsAt(now: number) {
  return sql`o.id, o.owner_id AS ownerId, o.cohort_id AS cohortId,
  o.enrollment_id AS enrollmentId, o.stripe_account AS stripeAccount,
  o.session_id AS sessionId, o.payment_intent AS paymentIntent, o.price_minor AS priceMinor,
  o.amount_minor AS amountMinor, o.currency, o.course_name AS courseName,
  o.cohort_name AS cohortName, o.status, o.problem, o.expires_at AS expiresAt,
  o.created_at AS createdAt,
  (SELECT c.time_zone FROM cohorts c WHERE c.id = o.cohort_id) AS timeZone,
  EXISTS (SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
    WHERE e.id = o.enrollment_id AND NOT EXISTS (SELECT 1 FROM payment_accounts a
        WHERE a.stripe_account = o.stripe_account AND a.disconnected_at IS NOT NULL)
      AND o.amount_minor <= ${wantedAt(
        now,
        // Null without a price by now.
        sql`min(coalesce(o.price_minor, ${priceAt(now)}), ${priceAt(now)})`,
      )}) AS isWanted`;
}

/** Payments at Stripe for which a condition about `o` holds. */
export function checkoutRows({ now }: Pick<Context, 'now'>, where: SQL, limit = 1) {
  return db.all<CheckoutRow>(
    sql`SELECT ${columnsAt(now().getTime())} FROM checkouts o WHERE ${where} LIMIT ${limit}`,
  );
}
