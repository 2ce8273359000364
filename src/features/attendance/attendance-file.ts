import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { requireFound } from '#lib/app-error.ts';
import { type Delimiter, fileDisposition, tableText } from '#lib/csv.ts';
import { shortTitle } from '#lib/text.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { attendedCount, hasAttendance, marksAsJson, marksAt } from './who-attends.ts';

/**
 * Everyone and every session of one of the viewer's cohorts, for a file.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findAttendanceRows(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: namesOf({ ownerId, cohortId }),
        meetings: findSchedule(cohortId)(ctx, ownerId),
        rows: allRows({ ownerId, cohortId, now: ctx.now() }),
      },
      ({ cohort, meetings, rows }) => ({
        cohort: requireFound(cohort[0]),
        meetings: meetings.filter(({ status }) => status !== 'cancelled'),
        rows,
      }),
    );
}

const namesOf = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db.all<{ name: string; course: string; slug: string }>(sql`SELECT c.name, k.name AS course, c.slug
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}`),
);

type Row = {
  name: string;
  email: string;
  status: string;
  attended: number;
  minutes: number;
  marks: string;
};

const allRows = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<Row>(sql`SELECT p.name, p.email, e.status, ${attendedCount(now)} AS attended,
      (SELECT coalesce(sum(m.duration_minutes), 0)
        FROM ${marksAt(now)} AND a.is_present) AS minutes,
      ${marksAsJson(now)} AS marks
    FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND ${hasAttendance}
    ORDER BY e.name_key, e.id`),
);

/** As a file for spreadsheets: a line for each person, a column for each session. */
export function attendanceFile(
  { meetings, rows }: AnswerFrom<typeof findAttendanceRows>,
  delimiter: Delimiter,
): Promise<string> {
  const head = meetings.map(
    ({ starts_local: startsLocal, title }) => `${dayOfWallTime(startsLocal)} ${title}`,
  );
  const lines = rows.map(({ name, email, status, attended, minutes, marks }) => {
    const given: Record<string, 0 | 1> = JSON.parse(marks);
    const cells = meetings.map(({ id }) => {
      const mark = given[id];
      return mark === undefined ? '' : mark === 1 ? 'present' : 'absent';
    });
    return [name, email, status, ...cells, String(attended), String(minutes)];
  });
  return tableText(
    [['name', 'email', 'status', ...head, 'attended', 'minutes'], ...lines],
    delimiter,
  );
}

/** The header that names the file, by the course and the cohort. */
export function attendanceDisposition(cohort: { name: string; course: string }): string {
  return fileDisposition([shortTitle(cohort.course), cohort.name], 'attendance');
}
