import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import type { EnrollmentStatus, Locale } from '#db/values.ts';
import { type CohortRow, cohortRows } from '#features/cohorts/get-cohort.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, fileDisposition, tableText } from '#lib/csv.ts';

type RosterRow = {
  name: string;
  email: string;
  status: EnrollmentStatus;
  changedAt: number;
  queueNo: number | null;
  completedAt: number | null;
  language: Locale;
  note: string | null;
  question: string | null;
  answer: string | null;
};

/** All people of a cohort as they are read for its file. */
export type RosterRows = { cohort: CohortRow; rows: RosterRow[] };

/**
 * Everyone who is or was in one of the viewer's cohorts, by name.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findRosterRows(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        rows: db.all<RosterRow>(sql`SELECT p.name, p.email, e.status,
            e.status_changed_at AS changedAt, e.queue_no AS queueNo,
            e.completed_at AS completedAt, p.language, p.note,
            e.question, e.answer
          FROM enrollments e JOIN people p ON p.id = e.person_id
          WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}
          ORDER BY e.name_key, e.id`),
      },
      ({ cohort, rows }) =>
        (): RosterRows => ({ cohort: requireFound(cohort[0]), rows }),
    );
}

const columns = [
  'name',
  'email',
  'status',
  'since',
  'queue_position',
  'completed_at',
  'language',
  'note',
  'question',
  'answer',
  'cohort',
  'starts_on',
  'ends_on',
];

/**
 * The people of a cohort as a file for spreadsheets. The import reads it and changes nothing by it.
 */
export function rosterFile({ cohort, rows }: RosterRows, delimiter: Delimiter): Promise<string> {
  const queue = rows
    .flatMap(({ queueNo }) => (queueNo === null ? [] : [queueNo]))
    .toSorted((one, other) => one - other);
  const positions = new Map(queue.map((queueNo, index) => [queueNo, index + 1]));
  const cells = rows.map((row) => [
    row.name,
    row.email,
    row.status,
    timeOf(row.changedAt),
    row.queueNo === null ? '' : String(positions.get(row.queueNo)),
    row.completedAt === null ? '' : timeOf(row.completedAt),
    row.language,
    row.note ?? '',
    row.question ?? '',
    row.answer ?? '',
    cohort.name,
    cohort.startsOn,
    cohort.endsOn,
  ]);
  return tableText([columns, ...cells], delimiter);
}

/** The header that names the file, in ASCII for old browsers and as the cohort is called. */
export function rosterDisposition({ name, slug }: CohortRow): string {
  // Without the random end of the slug, which no one needs.
  return fileDisposition(name, slug.replace(/-?[^-]*$/, '') || 'roster');
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
