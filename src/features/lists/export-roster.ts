import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { enrollments, people } from '#db/schema/people.ts';
import type { Standing } from '#db/values.ts';
import { attendedCount, hasAttendance, isOpenAt } from '#features/attendance/who-attends.ts';
import { type CohortRow, cohortRows, isOwn } from '#features/cohorts/get-cohort.ts';
import { learningIn } from '#features/places/find-enrollments.ts';
import { standsSo } from '#features/places/find-standings.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, fileDisposition, tableText } from '#lib/csv.ts';
import { decimalPoint, plainAmount } from '#lib/price.ts';
import { shortTitle } from '#lib/text.ts';
import { daysIn } from '#lib/time/words.ts';

/**
 * Everyone who is or was in one of the viewer's cohorts, by name.
 *
 * @param standing only who is enrolled and gets on so; null for all
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findRosterRows(cohortId: string, standing: Standing | null) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        course: db
          .select({ name: courses.name })
          .from(cohorts)
          .innerJoin(courses, eq(courses.id, cohorts.courseId))
          .where(isOwn(ownerId, cohortId)),
        rows: peopleOf(cohortId, ownerId, standing, ctx.now()),
        sessions: markedSessions({ cohortId, ownerId, now: ctx.now() }),
      },
      ({ cohort, course, rows, sessions: [sessions] }) => ({
        cohort: requireFound(cohort[0]),
        courseName: course[0]?.name ?? '',
        rows,
        sessions: sessions?.marked ? sessions.count : null,
      }),
    );
}

const e = alias(enrollments, 'e');

function peopleOf(cohortId: string, ownerId: SQL, standing: Standing | null, now: Date) {
  const attended = attendedCount(sql`${now.getTime()}`);
  return db
    .select({
      name: people.name,
      email: people.email,
      status: e.status,
      sums: sql<string | null>`(SELECT json_array(b.balance, t.currency)
        FROM balances b JOIN balance_totals t ON t.cohort_id = b.cohort_id
        WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)`.as('sums'),
      /** Null for those who could attend none. */
      attended: sql<number | null>`CASE WHEN ${hasAttendance} THEN ${attended} END`.as('attended'),
      changedAt: e.statusChangedAt,
      queueNo: e.queueNo,
      completedAt: e.completedAt,
      learning: learningIn(sql`${cohortId}`).as('learning'),
      language: people.language,
      note: people.note,
      question: e.question,
      answer: e.answer,
    })
    .from(e)
    .innerJoin(people, eq(people.id, e.personId))
    .where(
      and(
        eq(e.cohortId, cohortId),
        eq(e.ownerId, ownerId),
        standing === null ? undefined : standsSo({ standing, cohortId, now: now.getTime() }),
      ),
    )
    .orderBy(e.nameKey, e.id);
}

/** How many sessions were held or are marked, and whether any is. */
const markedSessions = prepared(
  ({ cohortId, ownerId, now }: Given<'cohortId' | 'ownerId' | 'now'>) =>
    db.all<{ count: number; marked: number | null }>(sql`SELECT count(*) AS count,
        sum(m.marked) AS marked
      FROM (SELECT m.starts_at + m.duration_minutes * 60000 <= ${now} AS is_over,
          ${isOpenAt(now)} AND EXISTS (SELECT 1 FROM attendance a
            WHERE a.owner_id = m.owner_id AND a.meeting_id = m.id) AS marked
        FROM meetings m WHERE m.cohort_id = ${cohortId} AND m.owner_id = ${ownerId}
          AND m.cancelled_at IS NULL) m
      WHERE m.is_over OR m.marked`),
);

type RosterRows = {
  cohort: CohortRow;
  courseName: string;
  rows: Awaited<ReturnType<typeof peopleOf>>;
  /** How many sessions could be attended until now; null where attendance is not marked. */
  sessions: number | null;
};

/**
 * The people of a cohort as a file for spreadsheets. The import reads it and changes nothing by it.
 */
export function rosterFile(
  { cohort, rows, sessions }: Omit<RosterRows, 'courseName'>,
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
  // An open run has no dates, no sessions, and the name of its course.
  const isRun = cohort.kind === 'open';
  const columns: Record<string, (row: (typeof rows)[number]) => string | null | undefined> = {
    name: ({ name }) => name,
    email: ({ email }) => email,
    status: ({ status }) => status,
    since: ({ changedAt }) => dayOf(changedAt),
    queue_position: ({ queueNo }) => positions.get(queueNo ?? 0),
    ...(!isRun && {
      attended: ({ attended }) => (sessions === null ? null : attended?.toString()),
      sessions: ({ attended }) => (attended === null ? null : sessions?.toString()),
    }),
    completed_at: ({ completedAt }) => completedAt && dayOf(completedAt),
    lessons_done: ({ learning }) => learning?.done.toString(),
    last_active_at: ({ learning }) =>
      learning?.last_seen_at && dayOf(new Date(learning.last_seen_at)),
    balance: ({ sums }) => balanceIn(sums, point),
    currency: ({ sums }) => sums && JSON.parse(sums)[1],
    language: ({ language }) => language,
    note: ({ note }) => note,
    question: ({ question }) => question,
    answer: ({ answer }) => answer,
    ...(!isRun && {
      cohort: () => cohort.name,
      starts_on: () => cohort.startsOn,
      ends_on: () => cohort.endsOn,
    }),
  };
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row) ?? ''));
  return tableText([Object.keys(columns), ...cells], delimiter, negativeNumber);
}

/** What is open on someone’s account; below 0 if they have paid too much. */
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
  const names = [shortTitle(courseName), ...(cohort.kind === 'open' ? [] : [cohort.name])];
  return fileDisposition(names, 'roster');
}
