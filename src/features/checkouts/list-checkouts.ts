import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohortRows } from '#features/cohorts/get-cohort.ts';
import { paymentEntry, refundable, underWay } from '#features/ledger/paid-online.ts';
import { takenAt } from '#features/places/places.ts';
import { requireFound } from '#lib/app-error.ts';
import { type fromJson, toJson } from '#lib/to-json.ts';
import { Checkout, type CheckoutFilter, type CheckoutPage } from './schema.ts';

const pageRows = 100;
/** How many are shown of those that are read; the API lists more. */
const shownProblems = 20;
const readProblems = 200;

type Row = ReturnType<typeof fromJson<Checkout>>;
type TimesOf = 'paidAt' | 'decideBy' | 'createdAt';
type ReadRow = Omit<Row, TimesOf> & Record<TimesOf, number | null>;

const columns = sql`o.id, o.cohort_id AS cohortId, o.cohort_name AS cohortName,
  o.enrollment_id AS enrollmentId, o.person_id AS personId,
  (SELECT p.name FROM people p WHERE p.id = o.person_id AND p.erased_at IS NULL) AS name,
  o.status, o.problem, o.amount_minor AS amountMinor, o.currency, o.paid_minor AS paidMinor,
  o.paid_currency AS paidCurrency, o.paid_at AS paidAt, o.refunded_minor AS refundedMinor,
  coalesce(${refundable}, 0) AS refundableMinor, o.decide_by AS decideBy,
  o.created_at AS createdAt`;

function toCheckout(row: ReadRow): Checkout {
  const timeOf = (time: number | null) => (time === null ? null : new Date(time));
  return toJson(Checkout, {
    ...row,
    paidAt: timeOf(row.paidAt),
    decideBy: timeOf(row.decideBy),
    createdAt: new Date(row.createdAt ?? 0),
  });
}

type Own = 'ownerId' | 'cohortId';

const pageOfCohort = prepared(({ ownerId, cohortId, which, last }: Given<Own | 'which' | 'last'>) =>
  db.all<ReadRow>(sql`SELECT ${columns} FROM checkouts o
    WHERE o.owner_id = ${ownerId} AND o.cohort_id = ${cohortId} AND ${which}
      AND (o.created_at, o.id) < ${last}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${pageRows + 1}`),
);

const isAny = fragment(() => sql`true`);
const hasProblem = fragment(() => sql`o.problem IS NOT NULL`);
const fromFirst = fragment(() => sql`(9e15, '')`);
const before = fragment(
  ({ after, ownerId }: Given<'after' | 'ownerId'>) =>
    sql`(SELECT x.created_at, x.id FROM checkouts x WHERE x.id = ${after} AND x.owner_id = ${ownerId})`,
);

/**
 * A page of the payments at Stripe of one of the viewer's cohorts, the newest first.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function listCheckouts(cohortId: string, filter: CheckoutFilter, after: string | null) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        rows: pageOfCohort({
          ownerId,
          cohortId,
          which: filter === 'all' ? isAny({}) : hasProblem({}),
          last: after === null ? fromFirst({}) : before({ after, ownerId }),
        }),
      },
      ({ cohort, rows }): CheckoutPage => {
        requireFound(cohort[0]);
        const items = rows.slice(0, pageRows).map(toCheckout);
        return { items, next: rows.length > pageRows ? (items.at(-1)?.id ?? null) : null };
      },
    );
}

/** A payment that its owner has to look at. */
export type ProblemCheckout = Checkout & {
  /** Null for a cohort without a limit; how many places are taken, or kept. */
  capacity: number | null;
  taken: number;
  /** Whether someone can still be let in. */
  canJoin: boolean;
  /** What their account is too much by. */
  overpaid: number;
  /** Null for who starts on any day, and once the cohort is deleted. */
  timeZone: string | null;
};

type ProblemRow = ReadRow & Omit<ProblemCheckout, keyof Checkout | 'canJoin'> & { canJoin: 0 | 1 };

const problemsOfCourse = prepared(({ ownerId, userId, now }: Given<'ownerId' | 'userId' | 'now'>) =>
  db.all<ProblemRow>(sql`SELECT ${columns}, c.capacity,
      CASE WHEN c.id IS NULL THEN 0 ELSE ${takenAt(now)} END AS taken,
      coalesce(c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}
        AND EXISTS (SELECT 1 FROM enrollments e WHERE e.id = o.enrollment_id), 0) AS canJoin,
      CASE c.kind WHEN 'dated' THEN c.time_zone END AS timeZone,
      coalesce((SELECT max(0, -b.balance) FROM enrollments e JOIN balances b
        ON b.enrollment_id = e.id AND b.cohort_id = e.cohort_id WHERE e.id = o.enrollment_id), 0)
        AS overpaid
    FROM checkouts o LEFT JOIN cohorts c ON c.id = o.cohort_id
    WHERE o.owner_id = ${ownerId} AND o.problem IS NOT NULL
      AND o.course_id = (SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})
    LIMIT ${readProblems}`),
);

/** What the viewer has to look at in their selected course; decisions with a deadline first. */
export function findProblems(ctx: Context, ownerId: SQL, userId: SQL) {
  const rows = problemsOfCourse({ ownerId, userId, now: ctx.now() });
  return query({ rows }, ({ rows: found }): ProblemCheckout[] =>
    found
      .toSorted(byDeadline)
      .slice(0, shownProblems)
      .map(({ capacity, taken, canJoin, overpaid, timeZone, ...row }) => ({
        ...toCheckout(row),
        ...{ capacity, taken, overpaid, timeZone, canJoin: canJoin === 1 },
      })),
  );
}

/** Those without a deadline last, and the oldest first. Few, so that the database need not sort them. */
function byDeadline(one: ProblemRow, other: ProblemRow): number {
  const never = Number.MAX_SAFE_INTEGER;
  const deadlines = (one.decideBy ?? never) - (other.decideBy ?? never);
  return deadlines || (one.paidAt ?? 0) - (other.paidAt ?? 0) || one.id.localeCompare(other.id);
}

/** A payment of someone in one account, for its page. */
export type OnlinePayment = {
  id: string;
  /** Its entry in the account; null if it is in none. */
  entryId: string | null;
  paymentIntent: string | null;
  paidMinor: number;
  currency: string;
  refundable: number;
  /** What is on its way back, and when the last refund that failed was wanted. */
  underWay: number;
  failedAt: number | null;
  failed: number | null;
};

const paymentsOfPerson = prepared(
  ({ ownerId, enrollmentId }: Given<'ownerId' | 'enrollmentId'>) => {
    const lastFailed = sql`(SELECT w.id FROM refunds_wanted w
    WHERE w.checkout_id = o.id AND w.failed_at IS NOT NULL ORDER BY w.rowid DESC LIMIT 1)`;
    return db.all<OnlinePayment>(sql`SELECT o.id, o.payment_intent AS paymentIntent,
      (SELECT l.id FROM ledger_entries l WHERE l.rowid = ${paymentEntry}) AS entryId,
      o.paid_minor AS paidMinor, o.paid_currency AS currency,
      ${refundable} AS refundable, ${underWay} AS underWay,
      f.failed_at AS failedAt, f.amount_minor AS failed
    FROM checkouts o LEFT JOIN refunds_wanted f ON f.id = ${lastFailed}
    WHERE o.enrollment_id = ${enrollmentId} AND o.owner_id = ${ownerId} AND o.status = 'paid'
    ORDER BY o.paid_at`);
  },
);

/** What someone has paid online for one of their places. */
export function findOnlinePayments(enrollmentId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: paymentsOfPerson({ ownerId, enrollmentId }) }, ({ rows }) => rows);
}
