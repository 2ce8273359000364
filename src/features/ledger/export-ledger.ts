import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, readLater } from '#db/query.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, tableText } from '#lib/csv.ts';
import { decimalPoint, plainAmount } from '#lib/price.ts';
import { daysIn } from '#lib/time/words.ts';
import { type EntryRow, entryColumns, toEntry } from './balances.ts';
import type { LedgerEntry } from './schema.ts';

type ExportedRow = EntryRow & {
  courseName: string;
  name: string;
  email: string;
  erasedNo: number | null;
};

/** All entries of a cohort or of a course as they are read for their file. */
export type LedgerRows = {
  name: string;
  rows: ExportedRow[];
  /** The time zones of the cohorts that there still are. */
  zones: Zone[];
};

type Zone = { cohortId: string; timeZone: string };

/**
 * All entries of one of the viewer's cohorts, or of a course, as they were written.
 *
 * @throws AppError `not_found` for what does not exist or belongs to another user
 */
export function findLedgerRows(of: 'cohort' | 'course', id: string) {
  const table = of === 'cohort' ? sql`cohorts` : sql`courses`;
  const where = of === 'cohort' ? sql`l.cohort_id = ${id}` : sql`l.course_id = ${id}`;
  const cohorts = of === 'cohort' ? sql`c.id = ${id}` : sql`c.course_id = ${id}`;
  return (_ctx: Context, ownerId: SQL) =>
    readLater(
      {
        own: db.all<{ name: string }>(
          sql`SELECT o.name FROM ${table} o WHERE o.id = ${id} AND o.owner_id = ${ownerId}`,
        ),
        rows: db.all<ExportedRow>(sql`SELECT ${entryColumns}, l.course_name AS courseName, p.name,
            p.email, p.erased_no AS erasedNo
          FROM ledger_entries l JOIN people p ON p.id = l.person_id
          WHERE l.owner_id = ${ownerId} AND ${where} ORDER BY l.created_at, l.id`),
        zones: db.all<Zone>(sql`SELECT c.id AS cohortId, c.time_zone AS timeZone
          FROM cohorts c WHERE c.owner_id = ${ownerId} AND ${cohorts}`),
      },
      ({ own: [own], rows, zones }): LedgerRows => {
        const last = rows.at(-1);
        // Entries outlive what they are about.
        const name = own?.name ?? (of === 'cohort' ? last?.cohortName : last?.courseName);
        return { name: requireFound(name), rows, zones };
      },
    );
}

const columns = [
  'date',
  'course',
  'cohort',
  'name',
  'email',
  'kind',
  'charged',
  'waived',
  'paid',
  'refunded',
  'balance',
  'currency',
  'method',
  'received_on',
  'note',
  'entry',
  'reverses',
];

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
  const cells = rows.map((row) => {
    const entry = toEntry(row);
    return [
      (dayInCohort.get(row.cohortId) ?? dayInUtc)(new Date(row.createdAt)),
      row.courseName,
      row.cohortName,
      row.erasedNo === null ? row.name : '',
      row.erasedNo === null ? row.email : `erased-${row.erasedNo}`,
      entry.kind,
      ...(['charge', 'waiver', 'payment', 'refund'] as const).map((kind) =>
        entry.kind === kind ? amountIn(entry, kind, point) : '',
      ),
      plainAmount(entry.amount_minor, entry.currency, point),
      entry.currency,
      entry.method ?? '',
      entry.received_on ?? '',
      entry.note ?? '',
      entry.id,
      entry.reverses_id ?? '',
    ];
  });
  return tableText([columns, ...cells], delimiter, negativeNumber);
}

const negativeNumber = /^-\d+(?:[.,]\d+)?$/;

/** What an entry adds to the column of its kind. */
function amountIn(entry: LedgerEntry, kind: LedgerEntry['kind'], point: string): string {
  const sign = kind === 'charge' || kind === 'refund' ? 1 : -1;
  return plainAmount(sign * entry.amount_minor, entry.currency, point);
}
