import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import type { CheckoutProblem, CheckoutStatus } from '#db/values.ts';

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
  /** Whether the person still waits to pay: their place is held, or they owe something. */
  isWanted: 0 | 1;
};

/** The columns of checkout `o` with what has become of the place. */
const columns = sql`o.id, o.owner_id AS ownerId, o.cohort_id AS cohortId,
  o.enrollment_id AS enrollmentId, o.stripe_account AS stripeAccount,
  o.session_id AS sessionId, o.payment_intent AS paymentIntent, o.price_minor AS priceMinor,
  o.amount_minor AS amountMinor, o.currency, o.course_name AS courseName,
  o.cohort_name AS cohortName, o.status, o.problem, o.expires_at AS expiresAt,
  o.created_at AS createdAt,
  (SELECT c.time_zone FROM cohorts c WHERE c.id = o.cohort_id) AS timeZone,
  EXISTS (SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
    WHERE e.id = o.enrollment_id AND c.deleted_at IS NULL AND (o.price_minor IS NULL
      OR (c.archived_at IS NULL AND e.status IN ('offered', 'enrolled')))) AS isWanted`;

/** Payments at Stripe for which a condition about `o` holds. */
export function checkoutRows(where: SQL, limit = 1) {
  return db.all<CheckoutRow>(sql`SELECT ${columns} FROM checkouts o WHERE ${where} LIMIT ${limit}`);
}
