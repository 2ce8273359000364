import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { insertMails, payloadOf } from '#features/outbox/queue-mails.ts';

type PaymentMail = {
  /** So that asking twice writes only one. */
  key: SQL;
  /** The amount that it is about. */
  minor: SQL;
  now: number;
  /** Which checkouts `o` it is about. */
  where: SQL;
  /** What else is read, by which it is one for each of several. */
  join?: SQL;
};

function paymentFacts(minor: SQL, more: SQL = sql``): SQL {
  return sql`json_object('minor', ${minor}, 'currency', coalesce(o.paid_currency, o.currency), 'course', o.course_name,
    'cohort', o.cohort_name, 'cohort_id', o.cohort_id, 'enrollment_id', o.enrollment_id,
    'time_zone', coalesce((SELECT z.time_zone FROM cohorts z WHERE z.id = o.cohort_id), 'UTC'),
    'decide_by', o.decide_by${more})`;
}

/**
 * Tells the person who has paid what becomes of it, also once the cohort is deleted. Nothing to who is
 * erased.
 */
export function mailToPayer({
  kind,
  key,
  minor,
  now,
  where,
  join = sql``,
}: PaymentMail & { kind: 'paid_without_place' | 'paid_back' | 'payment_failed' }) {
  return insertMails({
    kind,
    key,
    dueAt: now,
    ownerId: sql`o.owner_id`,
    payload: payloadOf({ payment: paymentFacts(minor) }),
    from: sql`checkouts o ${join} JOIN people p ON p.id = o.person_id AND p.erased_at IS NULL
      JOIN users u ON u.id = o.owner_id LEFT JOIN enrollments e ON e.id = o.enrollment_id
      LEFT JOIN cohorts c ON c.id = e.cohort_id LEFT JOIN courses k ON k.id = c.course_id
      WHERE ${where}`,
  });
}

/** Tells the owner of a payment that they have to look at it, and why. */
export function mailToOwner({
  key,
  minor,
  reason,
  now,
  where,
  join = sql``,
}: PaymentMail & { reason: SQL }) {
  return insertMails({
    kind: 'payment_problem',
    key,
    dueAt: now,
    ownerId: sql`u.id`,
    enrollmentId: null,
    cohortId: null,
    to: { address: sql`u.email`, canonical: sql`u.email_canonical` },
    payload: sql`json_object('name', u.first_name, 'language', u.language, 'payment',
      ${paymentFacts(
        minor,
        sql`, 'reason', ${reason}, 'payer', (SELECT p.name FROM people p
          WHERE p.id = o.person_id AND p.erased_at IS NULL)`,
      )})`,
    from: sql`checkouts o ${join} JOIN users u ON u.id = o.owner_id WHERE ${where}`,
  });
}
