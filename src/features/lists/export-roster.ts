import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { type CohortRow, cohortRows, isOwn } from '#features/cohorts/get-cohort.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, fileDisposition, tableText } from '#lib/csv.ts';
import { decimalPoint, plainAmount } from '#lib/price.ts';
import { shortTitle } from '#lib/text.ts';
import { daysIn } from '#lib/time/words.ts';

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
        course: db
          .select({ name: courses.name })
          .from(cohorts)
          .innerJoin(courses, eq(courses.id, cohorts.courseId))
          .where(isOwn(ownerId, cohortId)),
        rows: peopleOf(cohortId, ownerId),
      },
      ({ cohort, course, rows }) => ({
        cohort: requireFound(cohort[0]),
        courseName: course[0]?.name ?? '',
        rows,
      }),
    );
}

function peopleOf(cohortId: string, ownerId: SQL) {
  return db
    .select({
      name: people.name,
      email: people.email,
      status: enrollments.status,
      sums: sql<string | null>`(SELECT json_array(sum(l.amount_minor), l.currency)
        FROM ledger_entries l WHERE l.enrollment_id = ${enrollments.id}
          AND l.cohort_id = ${enrollments.cohortId} HAVING count(*) > 0)`.as('sums'),
      changedAt: enrollments.statusChangedAt,
      queueNo: enrollments.queueNo,
      completedAt: enrollments.completedAt,
      language: people.language,
      note: people.note,
      question: enrollments.question,
      answer: enrollments.answer,
    })
    .from(enrollments)
    .innerJoin(people, eq(people.id, enrollments.personId))
    .where(and(eq(enrollments.cohortId, cohortId), eq(enrollments.ownerId, ownerId)))
    .orderBy(enrollments.nameKey, enrollments.id);
}

type RosterRows = {
  cohort: CohortRow;
  courseName: string;
  rows: Awaited<ReturnType<typeof peopleOf>>;
};

/**
 * The people of a cohort as a file for spreadsheets. The import reads it and changes nothing by it.
 */
export function rosterFile(
  { cohort, rows }: Omit<RosterRows, 'courseName'>,
  delimiter: Delimiter,
  locale: string,
): Promise<string> {
  const point = delimiter === ';' ? decimalPoint(locale) : '.';
  // As the pages say them.
  const dayOf = daysIn(cohort.timeZone);
  const queue = rows
    .flatMap(({ queueNo }) => (queueNo === null ? [] : [queueNo]))
    .toSorted((one, other) => one - other);
  const positions = new Map(queue.map((queueNo, index) => [queueNo, String(index + 1)]));
  const columns: Record<string, (row: (typeof rows)[number]) => string | null | undefined> = {
    name: ({ name }) => name,
    email: ({ email }) => email,
    status: ({ status }) => status,
    since: ({ changedAt }) => dayOf(changedAt),
    queue_position: ({ queueNo }) => positions.get(queueNo ?? 0),
    completed_at: ({ completedAt }) => completedAt && dayOf(completedAt),
    balance: ({ sums }) => balanceIn(sums, point),
    currency: ({ sums }) => sums && JSON.parse(sums)[1],
    language: ({ language }) => language,
    note: ({ note }) => note,
    question: ({ question }) => question,
    answer: ({ answer }) => answer,
    cohort: () => cohort.name,
    starts_on: () => cohort.startsOn,
    ends_on: () => cohort.endsOn,
  };
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row) ?? ''));
  return tableText([Object.keys(columns), ...cells], delimiter, negativeNumber);
}

/** What someone still owes; below 0 if they have paid too much. */
function balanceIn(sums: string | null, point: string): string {
  if (sums === null) {
    return '';
  }
  const [balance, currency]: [number, string] = JSON.parse(sums);
  return plainAmount(balance, currency, point);
}

const negativeNumber = /^-\d+(?:[.,]\d+)?$/;

/** The header that names the file, by the course and the cohort. */
export function rosterDisposition({ courseName, cohort }: RosterRows): string {
  return fileDisposition([shortTitle(courseName), cohort.name], 'roster');
}
