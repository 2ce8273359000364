import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohortRows } from '#features/cohorts/get-cohort.ts';
import { refundable } from '#features/ledger/paid-online.ts';
import { requireFound } from '#lib/app-error.ts';
import { type fromJson, toJson } from '#lib/to-json.ts';
import { Checkout, type CheckoutFilter, type CheckoutPage } from './schema.ts';

const pageRows = 100;
/** More are on the pages of their cohorts. */
const shownProblems = 20;

type Row = ReturnType<typeof fromJson<Checkout>>;
type TimesOf = 'paidAt' | 'decideBy' | 'createdAt';
type ReadRow = Omit<Row, TimesOf> & Record<TimesOf, number | null>;

const columns = sql`o.id, o.cohort_id AS cohortId, o.cohort_name AS cohortName,
  o.enrollment_id AS enrollmentId, o.person_id AS personId,
  (SELECT p.name FROM people p WHERE p.id = o.person_id AND p.erased_at IS NULL) AS name,
  o.status, o.problem, o.amount_minor AS amountMinor, o.currency, o.paid_minor AS paidMinor,
  o.paid_currency AS paidCurrency, o.paid_at AS paidAt, o.refunded_minor AS refundedMinor,
  max(0, coalesce(${refundable}, 0)) AS refundableMinor, o.decide_by AS decideBy,
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

/** A payment that its owner has to look at, with how full its cohort is. */
export type ProblemCheckout = Checkout & { capacity: number | null; enrolled: number };

const problemsOfCourse = prepared(({ ownerId, userId }: Given<'ownerId' | 'userId'>) =>
  db.all<ReadRow & { capacity: number | null; enrolled: number }>(sql`SELECT ${columns},
      (SELECT c.capacity FROM cohorts c WHERE c.id = o.cohort_id) AS capacity,
      (SELECT count(*) FROM enrollments e
        WHERE e.cohort_id = o.cohort_id AND e.status = 'enrolled') AS enrolled
    FROM checkouts o WHERE o.owner_id = ${ownerId} AND o.problem IS NOT NULL
      AND o.course_id = (SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})
    ORDER BY o.decide_by IS NULL, o.decide_by, o.paid_at, o.id LIMIT ${shownProblems}`),
);

/** What the viewer has to look at in their selected course; decisions with a deadline first. */
export function findProblems(_ctx: Context, ownerId: SQL, userId: SQL) {
  return query({ rows: problemsOfCourse({ ownerId, userId }) }, ({ rows }): ProblemCheckout[] =>
    rows.map((row) => ({
      ...toCheckout(row),
      capacity: row.capacity,
      enrolled: row.enrolled,
    })),
  );
}
