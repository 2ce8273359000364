import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import type { CohortKind } from '#db/values.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, tableText } from '#lib/csv.ts';
import { decimalPoint, plainAmount } from '#lib/price.ts';
import { shortTitle } from '#lib/text.ts';
import { daysIn } from '#lib/time/words.ts';
import { type EntryRow, entryColumns } from './balances.ts';

type ExportedRow = EntryRow & {
  courseName: string;
  name: string;
  email: string;
  erasedNo: number | null;
  /** Stripe's id of the payment, refund or dispute. */
  stripeId: string | null;
};

/** All entries of a cohort or of a course as they are read for their file. */
export type LedgerRows = AnswerFrom<typeof findLedgerRows>;

/**
 * All entries of one of the viewer's cohorts, or of a course, as they were written.
 *
 * @throws AppError `not_found` for what does not exist or belongs to another user
 */
export function findLedgerRows(of: 'cohort' | 'course', id: string) {
  const where = of === 'cohort' ? sql`l.cohort_id = ${id}` : sql`l.course_id = ${id}`;
  const cohorts = of === 'cohort' ? sql`c.id = ${id}` : sql`c.course_id = ${id}`;
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        own: db.all<{ courseName: string; cohortName: string | null }>(
          of === 'cohort'
            ? sql`SELECT k.name AS courseName,
                  CASE o.kind WHEN 'dated' THEN o.name END AS cohortName FROM cohorts o
                JOIN courses k ON k.id = o.course_id WHERE o.id = ${id} AND o.owner_id = ${ownerId}`
            : sql`SELECT o.name AS courseName, NULL AS cohortName FROM courses o
                WHERE o.id = ${id} AND o.owner_id = ${ownerId}`,
        ),
        rows: db.all<ExportedRow>(sql`SELECT ${entryColumns}, l.course_name AS courseName, p.name,
            p.email, p.erased_no AS erasedNo, CASE l.source WHEN 'stripe' THEN l.outside_id END AS stripeId
          FROM ledger_entries l JOIN people p ON p.id = l.person_id
          WHERE l.owner_id = ${ownerId} AND ${where} ORDER BY l.created_at, l.id`),
        // Of the cohorts that there still are.
        zones: db.all<{
          cohortId: string;
          timeZone: string;
          kind: CohortKind;
        }>(sql`SELECT c.id AS cohortId, c.time_zone AS timeZone, c.kind
          FROM cohorts c WHERE c.owner_id = ${ownerId} AND ${cohorts}`),
      },
      ({ own: [own], rows, zones }) => {
        const last = rows.at(-1);
        // Entries outlive what they are about.
        const { courseName, cohortName } = requireFound(own ?? last);
        const cohort = of === 'cohort' && cohortName !== null ? [cohortName] : [];
        return { names: [shortTitle(courseName), ...cohort], rows, zones };
      },
    );
}

/**
 * Entries as a file for spreadsheets, one a line. Each amount stands in the column of its kind and,
 * by what it does to what is owed, in that of the balance: a column is added up by itself. Amounts
 * have the mark of cents that spreadsheets in the language expect.
 */
export function ledgerFile(
  { rows, zones }: LedgerRows,
  delimiter: Delimiter,
  locale: string,
): Promise<string> {
  const point = delimiter === ';' ? decimalPoint(locale) : '.';
  // As on the page of the cohort, which has UTC once the cohort is gone.
  const dayInCohort = new Map(zones.map(({ cohortId, timeZone }) => [cohortId, daysIn(timeZone)]));
  const dayInUtc = daysIn('UTC');
  const amountIn = (row: ExportedRow, sign = 1) =>
    plainAmount(sign * row.amountMinor, row.currency, point);
  // The people of an evergreen course are in no cohort.
  const hasCohorts = zones.length === 0 || zones.some(({ kind }) => kind === 'dated');
  const columns: Record<string, (row: ExportedRow) => string> = {
    date: (row) => (dayInCohort.get(row.cohortId) ?? dayInUtc)(new Date(row.createdAt)),
    course: ({ courseName }) => courseName,
    ...(hasCohorts && { cohort: ({ cohortName }) => cohortName }),
    name: ({ erasedNo, name }) => (erasedNo === null ? name : ''),
    email: ({ erasedNo, email }) => (erasedNo === null ? email : `erased-${erasedNo}`),
    kind: ({ kind }) => kind,
    charged: (row) => (row.kind === 'charge' ? amountIn(row) : ''),
    waived: (row) => (row.kind === 'waiver' ? amountIn(row, -1) : ''),
    paid: (row) => (row.kind === 'payment' ? amountIn(row, -1) : ''),
    refunded: (row) => (row.kind === 'refund' ? amountIn(row) : ''),
    balance: (row) => amountIn(row),
    currency: ({ currency }) => currency,
    method: ({ method, methodWord }) => methodWord ?? method ?? '',
    received_on: ({ receivedOn }) => receivedOn ?? '',
    note: ({ note }) => note ?? '',
    entry: ({ id }) => id,
    reverses: ({ reversesId }) => reversesId ?? '',
    // The id of a failed refund has a suffix.
    stripe_id: ({ stripeId }) => stripeId?.replace(/:.*/, '') ?? '',
  };
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  return tableText([Object.keys(columns), ...cells], delimiter, negativeNumber);
}

const negativeNumber = /^-\d+(?:[.,]\d+)?$/;
