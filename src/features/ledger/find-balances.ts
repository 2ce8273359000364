import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { priceThen } from '#db/prices.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import type { CohortKind } from '#db/values.ts';
import { beforeAll, lastOfPage } from '#features/places/find-enrollments.ts';
import { enrolledCount } from '#features/places/places.ts';
import { requireFound } from '#lib/app-error.ts';
import {
  type BalanceRow,
  type EntryRow,
  entryColumns,
  isCharged,
  leftAloneIn,
  type TotalsRow,
  toBalance,
  toEntry,
  toTotals,
  totalColumns,
} from './balances.ts';
import { refundableOf, returningTo } from './paid-online.ts';
import {
  type Balance,
  type BalanceDetails,
  type BalanceFilter,
  type BalancePage,
  balanceFilters,
} from './schema.ts';

const pageRows = 100;
const shownEntries = 10;
const shownStrangers = 10;

/** A cohort as its account needs it, which outlives it. */
export type LedgerCohort = {
  id: string;
  courseId: string;
  courseName: string;
  name: string;
  /** Of its entries, or else of its price; null without both. */
  currency: string | null;
  priceMinor: number | null;
  earlyPriceMinor: number | null;
  /** Null once the cohort is deleted, as `timeZone`. */
  kind: CohortKind | null;
  timeZone: string | null;
  deletedAt: number | null;
  archivedAt: number | null;
};

type Own = 'ownerId' | 'cohortId';

/**
 * The query for a cohort of an owner as its account needs it: by what the entries say, if the
 * cohort is deleted. Nothing for someone else.
 */
const ledgerCohort = prepared(({ ownerId, cohortId }: Given<Own>) => {
  const last = sql`(SELECT x.id FROM ledger_entries x
    WHERE x.owner_id = ${ownerId} AND x.cohort_id = ${cohortId}
    ORDER BY x.created_at DESC, x.id DESC LIMIT 1)`;
  return db.all<LedgerCohort>(sql`SELECT ${cohortId} AS id,
      coalesce(c.course_id, l.course_id) AS courseId,
      coalesce(k.name, l.course_name) AS courseName, coalesce(c.name, l.cohort_name) AS name,
      coalesce(l.currency, c.currency) AS currency, c.price_minor AS priceMinor,
      c.early_price_minor AS earlyPriceMinor,
      c.kind, c.time_zone AS timeZone, c.deleted_at AS deletedAt, c.archived_at AS archivedAt
    FROM json_each('[1]') AS wanted
      LEFT JOIN cohorts c ON c.id = ${cohortId} AND c.owner_id = ${ownerId}
      LEFT JOIN courses k ON k.id = c.course_id
      LEFT JOIN ledger_entries l ON l.id = ${last}
    WHERE c.id IS NOT NULL OR l.id IS NOT NULL`);
});

/**
 * A cohort as its ledger needs it, for a verb in the trip that looks up the viewer.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findLedgerCohort(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: ledgerCohort({ ownerId, cohortId }) }, ({ rows: [cohort] }) =>
      requireFound(cohort),
    );
}

type CountsRow = TotalsRow & {
  /** How many of those who are enrolled have any entry. */
  enrolledWithEntries: number;
  /** How many people are enrolled and not charged, although their place was not free. */
  uncharged: number;
  /** How many no longer take part, but owe or have paid something. */
  to_settle: number;
  gone: number;
  enrolled: number;
  /** How many of those who are enrolled owe something, and of these have not agreed to take part. */
  owing_now: number;
  not_agreed: number;
  left_alone: number;
};

/** How many are enrolled in cohort `c` and not charged. An open run has one price for everyone. */
const unchargedCount = sql`CASE WHEN c.price_minor > 0 THEN CASE c.kind
  WHEN 'open' THEN max(0, ${enrolledCount} - coalesce(t.enrolled_charged, 0))
  ELSE (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND e.status = 'enrolled'
    AND ${priceThen('e')} > 0 AND NOT ${isCharged}) END END`;

/** The query for what the accounts of a cohort of an owner add up to. */
export const totalsOf = prepared(({ ownerId, cohortId }: Given<Own>) =>
  db.all<CountsRow>(sql`SELECT ${totalColumns},
      coalesce(t.enrolled, 0) AS enrolledWithEntries, coalesce(${unchargedCount}, 0) AS uncharged,
      coalesce(t.to_settle, 0) AS to_settle, coalesce(t.gone, 0) AS gone,
      coalesce(t.enrolled_owing, 0) AS owing_now, coalesce(t.not_agreed, 0) AS not_agreed,
      ${leftAloneIn(ownerId, cohortId)} AS left_alone,
      coalesce(${enrolledCount}, 0) AS enrolled
    FROM json_each('[1]') AS wanted
      LEFT JOIN cohorts c ON c.id = ${cohortId} AND c.owner_id = ${ownerId}
      LEFT JOIN balance_totals t ON t.cohort_id = ${cohortId} AND t.owner_id = ${ownerId}`),
);

type BalanceView = { filter: BalanceFilter; after: string | null };

/** What the query of the page's address asks for; no cohort without one. */
export function viewIn(address: string): BalanceView & { cohortId: string } {
  const parameters = new URLSearchParams(address);
  return {
    cohortId: parameters.get('cohort') ?? '',
    filter: balanceFilters.find((filter) => filter === parameters.get('show')) ?? 'everyone',
    after: parameters.get('after'),
  };
}

/** The query for a page of the accounts of a cohort, by name. */
function balancesOf(ownerId: SQL | string, cohortId: string, { filter, after }: BalanceView) {
  const own = { ownerId, cohortId };
  if (filter === 'everyone') {
    return everyone({ ...own, last: lastOfPage(cohortId, after) });
  }
  const last = after === null ? beforeAll({}) : lastAccount({ cohortId, after });
  return listed({ ...own, list: filter, last });
}

/** As `lastOfPage`, also for accounts without an enrollment. */
const lastAccount = fragment(
  ({ after, cohortId }: Given<'after' | 'cohortId'>) =>
    sql`(SELECT x.name_key, x.enrollment_id FROM balances x
      WHERE x.enrollment_id = ${after} AND x.cohort_id = ${cohortId})`,
);

/** What is shown of an account `b` of a person `p`. */
const sumColumns = sql`coalesce(b.charged, 0) AS charged, coalesce(b.waived, 0) AS waived,
  coalesce(b.paid, 0) AS paid, coalesce(b.refunded, 0) AS refunded,
  coalesce(b.balance, 0) AS balance, b.list IS 'left' AS isUnsettled, p.name, p.email,
  p.erased_at AS erasedAt, p.erased_no AS erasedNo`;

// Cross joins, because both indexes have this order, and SQLite would begin with people.
const everyone = prepared(({ ownerId, cohortId, last }: Given<Own | 'last'>) =>
  db.all<BalanceRow>(sql`SELECT e.name_key AS nameKey, e.id AS id, e.person_id AS personId, e.status,
      ${sumColumns}, ${returningTo(sql`e.id`)} AS underWay
    FROM enrollments e CROSS JOIN people p ON p.id = e.person_id
      LEFT JOIN balances b ON b.enrollment_id = e.id AND b.cohort_id = e.cohort_id
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'enrolled'
      AND (e.name_key, e.id) > ${last}
    UNION ALL SELECT b.name_key, b.enrollment_id, b.person_id, b.status, ${sumColumns},
      ${returningTo(sql`b.enrollment_id`)} AS underWay
    FROM balances b CROSS JOIN people p ON p.id = b.person_id
    WHERE b.cohort_id = ${cohortId} AND b.owner_id = ${ownerId} AND b.status <> 'enrolled'
      AND (b.name_key, b.enrollment_id) > ${last}
    ORDER BY nameKey, id LIMIT ${pageRows + 1}`),
);

// Those of people who are erased have no name, and come first.
const listed = prepared(({ ownerId, cohortId, list, last }: Given<Own | 'list' | 'last'>) =>
  db.all<BalanceRow>(sql`SELECT b.enrollment_id AS id, b.person_id AS personId, b.status,
      ${sumColumns}, ${returningTo(sql`b.enrollment_id`)} AS underWay
    FROM balances b CROSS JOIN people p ON p.id = b.person_id
    WHERE b.cohort_id = ${cohortId} AND b.owner_id = ${ownerId} AND b.list = ${list}
      AND (b.name_key, b.enrollment_id) > ${last}
    ORDER BY b.name_key, b.enrollment_id LIMIT ${pageRows + 1}`),
);

function pageOf(rows: BalanceRow[]): { items: Balance[]; next: string | null } {
  const items = rows.slice(0, pageRows).map(toBalance);
  return { items, next: rows.length > pageRows ? (items.at(-1)?.id ?? null) : null };
}

/**
 * A page of the accounts of one of the viewer's cohorts, with what all of them add up to.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function listBalances(cohortId: string, shown: BalanceView) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: ledgerCohort({ ownerId, cohortId }),
        totals: totalsOf({ ownerId, cohortId }),
        rows: balancesOf(ownerId, cohortId, shown),
      },
      ({ cohort: [cohort], totals: [totals], rows }): BalancePage => ({
        totals: toTotals(requireFound(cohort), requireFound(totals)),
        ...pageOf(rows),
      }),
    );
}

/** The cohorts of the viewer's selected course, as far as they are listed or have an account. */
const choicesOf = prepared(({ ownerId, userId }: Given<'ownerId' | 'userId'>) =>
  db.all<{ id: string; name: string }>(sql`SELECT id, name FROM cohorts
    WHERE owner_id = ${ownerId} AND course_id =
        (SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})
      AND (deleted_at IS NULL OR EXISTS (SELECT 1 FROM balance_totals t
        WHERE t.cohort_id = cohorts.id))
    ORDER BY starts_on DESC, id`),
);

/** What the page of a cohort's account shows. */
export type CohortLedger = AnswerFrom<typeof findCohortLedger>;

/** The account of one of the viewer's cohorts for its page; null for another owner's, or none. */
export function findCohortLedger({ cohortId, ...shown }: BalanceView & { cohortId: string }) {
  return (_ctx: Context, ownerId: SQL, userId: SQL) => {
    if (cohortId === '') {
      return query({}, () => null);
    }
    return query(
      {
        cohort: ledgerCohort({ ownerId, cohortId }),
        totals: totalsOf({ ownerId, cohortId }),
        rows: balancesOf(ownerId, cohortId, shown),
        choices: choicesOf({ ownerId, userId }),
        recent: recentEntries({ ownerId, cohortId }),
        strangers: strangersIn({ ownerId, cohortId }),
      },
      ({ cohort: [cohort], totals: [totals], rows, choices, recent, strangers }) => {
        // Totals are one row, also without accounts.
        if (cohort === undefined || totals === undefined) {
          return null;
        }
        const { accounts, enrolledWithEntries, to_settle: left, gone, enrolled, owing } = totals;
        return {
          cohort,
          choices,
          shown,
          totals: toTotals(cohort, totals),
          ...pageOf(rows),
          counts: {
            everyone: accounts - gone + enrolled - enrolledWithEntries,
            owing,
            left,
            gone,
            owingNow: totals.owing_now - totals.left_alone,
          },
          uncharged: totals.uncharged,
          /** Who owes something and gets no reminder: they have not agreed to take part. */
          unasked: { notAgreed: totals.not_agreed, names: strangers.map(({ name }) => name) },
          recent: recent.map((row) => ({
            ...toEntry(row),
            name: row.erasedNo === null ? row.name : null,
            erased_no: row.erasedNo,
          })),
        };
      },
    );
  };
}

/** Some of those who owe something and have not agreed to take part. */
const strangersIn = prepared(({ ownerId, cohortId }: Given<Own>) =>
  db.all<{
    name: string;
  }>(sql`SELECT p.name FROM balances b INDEXED BY balances_strangers_index
      CROSS JOIN people p ON p.id = b.person_id
    WHERE b.cohort_id = ${cohortId} AND b.owner_id = ${ownerId} AND b.list = 'owing'
      AND b.has_agreed = 0 AND b.status = 'enrolled'
    ORDER BY b.name_key, b.enrollment_id LIMIT ${shownStrangers}`),
);

const recentEntries = prepared(({ ownerId, cohortId }: Given<Own>) =>
  db.all<EntryRow & { name: string; erasedNo: number | null }>(
    sql`SELECT ${entryColumns}, p.name, p.erased_no AS erasedNo
      FROM ledger_entries l JOIN people p ON p.id = l.person_id
      WHERE l.owner_id = ${ownerId} AND l.cohort_id = ${cohortId}
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${shownEntries}`,
  ),
);

/**
 * What someone in one of the viewer's cohorts owes, with everything that was written to their
 * account; null for someone else's.
 */
export function findBalance(cohortId: string, enrollmentId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: ledgerCohort({ ownerId, cohortId }),
        people: personOf({ ownerId, cohortId, enrollmentId }),
        entries: entriesOf({ ownerId, cohortId, enrollmentId }),
      },
      ({ cohort: [cohort], people: [person], entries }) => {
        if (cohort === undefined || person === undefined) {
          return null;
        }
        const balance: BalanceDetails = {
          ...toBalance(person),
          currency: cohort.currency,
          entries: entries.map(toEntry),
        };
        const { refundable, underWay } = person;
        /** What was paid online and can still be sent back, and what is on its way. */
        const online = { refundable, underWay };
        return { cohort, balance, priceThen: person.priceThen, online };
      },
    );
}

const personOf = prepared(({ ownerId, cohortId, enrollmentId }: Given<Own | 'enrollmentId'>) =>
  db.all<BalanceRow & { priceThen: number | null; refundable: number }>(
    sql`SELECT ${enrollmentId} AS id, p.id AS personId, e.status, ${sumColumns},
      ${priceThen('e')} AS priceThen, ${refundableOf(enrollmentId)} AS refundable,
      ${returningTo(enrollmentId)} AS underWay
    FROM people p LEFT JOIN enrollments e ON e.id = ${enrollmentId} AND e.cohort_id = ${cohortId}
      LEFT JOIN cohorts c ON c.id = e.cohort_id
      LEFT JOIN balances b ON b.enrollment_id = ${enrollmentId} AND b.cohort_id = ${cohortId}
    WHERE p.owner_id = ${ownerId} AND p.id = coalesce(
      (SELECT e.person_id FROM enrollments e WHERE e.id = ${enrollmentId}
        AND e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}),
      (SELECT l.person_id FROM ledger_entries l WHERE l.enrollment_id = ${enrollmentId}
        AND l.cohort_id = ${cohortId} AND l.owner_id = ${ownerId} LIMIT 1))`,
  ),
);

const entriesOf = prepared(({ ownerId, cohortId, enrollmentId }: Given<Own | 'enrollmentId'>) =>
  db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l
    WHERE l.enrollment_id = ${enrollmentId} AND l.cohort_id = ${cohortId}
      AND l.owner_id = ${ownerId} ORDER BY l.rowid`),
);

type CohortRow = TotalsRow & {
  id: string;
  name: string;
  currency: string | null;
  kind: CohortKind;
};

/**
 * The query for what each cohort of a course adds up to: the open run first, the newest, deleted
 * ones last.
 */
function cohortsOf(ownerId: SQL | string, courseId: SQL | string) {
  return query({ rows: cohortRows({ ownerId, courseId }) }, ({ rows }) => ({
    cohorts: rows.map((row) => toTotals(row, row)),
    /** The open run among them. */
    runId: rows.find(({ kind }) => kind === 'open')?.id ?? null,
  }));
}

const cohortRows = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db.all<CohortRow>(sql`WITH course AS MATERIALIZED
      (SELECT ${ownerId} AS owner_id, ${courseId} AS id)
    SELECT * FROM (SELECT c.id, c.name, c.kind, coalesce(t.currency, c.currency) AS currency,
      c.starts_on AS startsOn, ${totalColumns}
    FROM cohorts c
      LEFT JOIN balance_totals t ON t.cohort_id = c.id
    WHERE c.owner_id = (SELECT owner_id FROM course)
      AND c.course_id = (SELECT id FROM course)
      AND (c.deleted_at IS NULL OR t.cohort_id IS NOT NULL)
    UNION ALL SELECT t.cohort_id, (SELECT x.cohort_name FROM ledger_entries x
        WHERE x.owner_id = (SELECT owner_id FROM course) AND x.cohort_id = t.cohort_id
        ORDER BY x.created_at DESC LIMIT 1), 'dated', t.currency, '', ${totalColumns}
    FROM balance_totals t WHERE t.owner_id = (SELECT owner_id FROM course)
      AND t.course_id = (SELECT id FROM course)
      AND NOT EXISTS (SELECT 1 FROM cohorts c WHERE c.id = t.cohort_id))
    ORDER BY kind DESC, startsOn DESC, id`),
);

const selectedCourse = fragment(
  ({ userId }: Given<'userId'>) =>
    sql`(SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})`,
);

/** A course that is gone, as one of its entries calls it. */
export type DeletedCourse = { id: string; name: string };

/** Courses that were deleted and have entries: the index is read once for each course. */
const deletedCourses = prepared(({ ownerId }: Given<'ownerId'>) => {
  const nextId = (after: SQL) => sql`(SELECT min(t.course_id) FROM balance_totals t
    WHERE t.owner_id = ${ownerId} AND t.course_id > ${after})`;
  return db.all<DeletedCourse>(sql`WITH RECURSIVE billed(id) AS (SELECT ${nextId(sql`''`)}
      UNION ALL SELECT ${nextId(sql`billed.id`)} FROM billed WHERE billed.id IS NOT NULL)
    SELECT billed.id, (SELECT x.course_name FROM ledger_entries x
      WHERE x.owner_id = ${ownerId} AND x.course_id = billed.id LIMIT 1) AS name
    FROM billed WHERE billed.id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM courses o WHERE o.id = billed.id)`);
});

/**
 * What the cohorts of the viewer's selected course add up to, and the courses that are gone; none
 * of it if a cohort is shown.
 */
export function findCourseTotals({ cohortId }: { cohortId: string }) {
  return (_ctx: Context, ownerId: SQL, userId: SQL) => {
    const isShown = cohortId === '';
    return query(
      {
        totals: isShown ? cohortsOf(ownerId, selectedCourse({ userId })) : undefined,
        deleted: isShown ? deletedCourses({ ownerId }) : undefined,
      },
      ({ totals, deleted = [] }) => ({ cohorts: [], runId: null, ...totals, deleted }),
    );
  };
}

/** What the cohorts of one of the viewer's courses add up to; nothing if there is no such course. */
export function listCourseTotals(courseId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ totals: cohortsOf(ownerId, courseId) }, ({ totals }) => totals.cohorts);
}
