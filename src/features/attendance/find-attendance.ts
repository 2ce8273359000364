import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, type Query, query } from '#db/query.ts';
import { attendance } from '#db/schema/meetings.ts';
import { cohortRows, requireDated } from '#features/cohorts/get-cohort.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import { lastOfPage } from '#features/places/find-enrollments.ts';
import { ofKind } from '#features/places/find-standings.ts';
import { requireFound } from '#lib/app-error.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { type CohortAttendance, MeetingMark } from './schema.ts';
import {
  type Attended,
  attendedColumns,
  attendedCount,
  hasAttendance,
  marksAsJson,
  opensBeforeMs,
} from './who-attends.ts';

/** As many names as a page has. A sheet of paper has room for about 25. */
const pageRows = 100;

/** Someone and their marks, by the id of the session. */
type Attendee = {
  id: string;
  personId: string;
  name: string;
  /** Milliseconds; null for people who still have a place. */
  leftAt: number | null;
  completedAt: number | null;
  attended: number;
  marks: Record<string, boolean>;
};

/** The table of a cohort: sessions that take place, and people with their marks. */
export type AttendanceTable = AnswerFrom<typeof findAttendance>;

/**
 * Who was at which session of a cohort, by name; and how many each would have to have attended to
 * be completed together.
 *
 * @param address the part after `?` of the page's: `after` is the last one of the page before
 */
export function findAttendance(cohortId: string, address: string) {
  const after = new URLSearchParams(address).get('after');
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: attendees({
          ownerId,
          cohortId,
          last: lastOfPage(cohortId, after),
          ...nowOf(ctx),
        }),
        incomplete: incomplete({ ownerId, cohortId, ...nowOf(ctx) }),
        meetings: findSchedule(cohortId)(ctx, ownerId),
      },
      ({ rows, incomplete, meetings }) => {
        const byCount = Map.groupBy(incomplete, ({ attended }) => attended);
        const people = rows.slice(0, pageRows).map(toAttendee);
        return {
          people,
          /** After whom the next page begins; null if there is none. */
          next: rows.length > pageRows ? (people.at(-1)?.id ?? null) : null,
          isFirst: after === null,
          meetings: meetings.filter(({ status }) => status !== 'cancelled'),
          /** Of those who have not completed: how many have attended as many sessions. */
          counts: [...byCount]
            .map(([attended, { length }]) => ({ attended, people: length }))
            .toSorted((one, other) => one.attended - other.attended),
        };
      },
    );
}

type AttendeeRow = Omit<Attendee, 'marks'> & { marks: string };

function toAttendee({ marks, ...row }: AttendeeRow): Attendee {
  const given = Object.entries<0 | 1>(JSON.parse(marks));
  return { ...row, marks: Object.fromEntries(given.map(([id, value]) => [id, value === 1])) };
}

/** Nothing is read of an open run, which has no sessions and may have thousands of people. */
function dated({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>): SQL {
  return ofKind({ kind: 'dated', ownerId, cohortId });
}

const attendees = prepared((given: Given<'ownerId' | 'cohortId' | 'last' | 'now'>) =>
  db.all<AttendeeRow>(sql`SELECT e.id, e.person_id AS personId, p.name,
      CASE WHEN e.status <> 'enrolled' THEN e.status_changed_at END AS leftAt,
      e.completed_at AS completedAt, ${attendedCount(given.now)} AS attended,
      ${marksAsJson(given.now)} AS marks
    FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${dated(given)} AND e.owner_id = ${given.ownerId}
      AND ${hasAttendance} AND (e.name_key, e.id) > ${given.last}
    ORDER BY e.name_key, e.id LIMIT ${pageRows + 1}`),
);

const incomplete = prepared((given: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<{ attended: number }>(sql`SELECT ${attendedCount(given.now)} AS attended FROM enrollments e
    WHERE e.cohort_id = ${dated(given)} AND e.owner_id = ${given.ownerId}
      AND e.status = 'enrolled' AND e.completed_at IS NULL`),
);

/**
 * The same as the API has it.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user;
 *   `course_self_paced` for an open run
 */
export function listAttendance(cohortId: string, address: string) {
  return (ctx: Context, ownerId: SQL): Query<CohortAttendance> =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        table: findAttendance(cohortId, address)(ctx, ownerId),
      },
      ({ cohort, table: { meetings, people, next } }) => {
        requireDated(requireFound(cohort[0]));
        return {
          meetings: meetings.map((meeting) => ({
            ...pick(meeting, ['id', 'title', 'starts_local', 'duration_minutes']),
            is_open: isOpen(meeting, ctx.now()),
          })),
          people: people.map(({ id, name, leftAt, completedAt, attended, marks }) => ({
            enrollment_id: id,
            name,
            left_at: instantOf(leftAt),
            completed_at: instantOf(completedAt),
            attended,
            marks,
          })),
          next,
        };
      },
    );
}

function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Whether attendance of a session can be marked: from an hour before it begins. */
export function isOpen({ starts_at: startsAt }: Pick<Meeting, 'starts_at'>, now: Date): boolean {
  return Date.parse(startsAt) - opensBeforeMs <= now.getTime();
}

/** The query for all marks of a session. */
export function marksOf(of: { ownerId: SQL; meetingId: string }) {
  return query({ rows: markRows(of) }, ({ rows }) => rows.map((row) => toJson(MeetingMark, row)));
}

const markRows = prepared(({ ownerId, meetingId }: Given<'ownerId' | 'meetingId'>) =>
  db
    .select()
    .from(attendance)
    .where(sql`${attendance.ownerId} = ${ownerId} AND ${attendance.meetingId} = ${meetingId}`),
);

/** What someone attended of the sessions that are over; null for someone else's enrollment. */
export function findAttended(enrollmentId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: attendedRow({ ownerId, enrollmentId, attended: attendedColumns(nowOf(ctx)) }) },
      ({ rows: [row] }): Attended | null => (row === undefined ? null : JSON.parse(row.attended)),
    );
}

function nowOf(ctx: Context) {
  return { now: ctx.now().getTime() };
}

const attendedRow = prepared((given: Given<'ownerId' | 'enrollmentId' | 'attended'>) =>
  db.all<{ attended: string }>(sql`SELECT ${given.attended} AS attended FROM enrollments e
    WHERE e.id = ${given.enrollmentId} AND e.owner_id = ${given.ownerId}`),
);
