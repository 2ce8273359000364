import 'server-only';
import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, type Moment, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { meetings } from '#db/schema/meetings.ts';
import { requireFound } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { isUnannounced } from './announcements.ts';
import { endOfMeeting, longestMs, meetingStatus } from './meeting-state.ts';
import { Meeting, type MeetingWarning } from './schema.ts';

/** The query for sessions with all that answers are made of. */
export function meetingsWhere(now: Moment, where: SQL | undefined) {
  const columns = {
    ...getTableColumns(meetings),
    timeZone: cohorts.timeZone,
    cohortStartsAt: cohorts.startsAt,
    cohortEndsAt: cohorts.endsAt,
    isUnannounced: isUnannounced(now).mapWith(Boolean).as('is_unannounced'),
    overlaps: overlaps({
      id: sql`meetings.id`,
      owner: sql`meetings.owner_id`,
      startsAt: sql`meetings.starts_at`,
      minutes: sql`meetings.duration_minutes`,
    })
      .mapWith(Boolean)
      .as('overlaps'),
  };
  return db
    .select(columns)
    .from(meetings)
    .innerJoin(cohorts, eq(cohorts.id, meetings.cohortId))
    .where(where);
}

export type MeetingRow = RowFrom<typeof meetingRow>;

/**
 * The live sessions of one of the viewer's cohorts by time, canceled ones among them; none if there
 * is no such cohort.
 */
export function findSchedule(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: meetingRows({ ownerId, cohortId, now: ctx.now() }) }, ({ rows }) =>
      rows.map((row) => toMeeting(row, ctx.now())),
    );
}

/** The query for all of them. */
export const meetingRows = prepared(
  ({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
    meetingsWhere(now, and(eq(meetings.cohortId, cohortId), eq(meetings.ownerId, ownerId))).orderBy(
      asc(meetings.startsAt),
      asc(meetings.id),
    ),
);

/** The query for one of them. */
export const meetingRow = prepared(
  ({ ownerId, cohortId, id, now }: Given<'ownerId' | 'cohortId' | 'id' | 'now'>) =>
    meetingsWhere(
      now,
      and(eq(meetings.id, id), eq(meetings.cohortId, cohortId), eq(meetings.ownerId, ownerId)),
    ),
);

/** One of them as its row, for a verb that decides by it in its own trip. */
export function findMeeting(cohortId: string, id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: meetingRow({ ownerId, cohortId, id, now: ctx.now() }) }, ({ rows: [row] }) =>
      requireFound(row),
    );
}

/** A live session as the API returns it, with what it is at this moment. */
export function toMeeting(row: MeetingRow, now: Date): Meeting {
  return toJson(Meeting, {
    ...row,
    endsAt: endOfMeeting(row),
    status: meetingStatus(row, now),
    isAnnounced: !row.isUnannounced,
    announcedLocal: announcedTime(row.announced),
    warnings: row.cancelledAt === null ? warningsOfMeeting(row) : [],
  });
}

/** When a session begins by what people were last told. */
function announcedTime(announced: string | null): string | null {
  // Written by `announcedFacts`.
  return announced === null
    ? null
    : (JSON.parse(announced) as { starts_local: string }).starts_local;
}

/** What an instructor should look at. */
export function warningsOfMeeting(
  meeting: Pick<
    MeetingRow,
    'startsAt' | 'durationMinutes' | 'cohortStartsAt' | 'cohortEndsAt' | 'overlaps'
  >,
): MeetingWarning[] {
  const isOutside =
    meeting.startsAt < meeting.cohortStartsAt || endOfMeeting(meeting) > meeting.cohortEndsAt;
  return [
    ...(isOutside ? (['outside_dates'] as const) : []),
    ...(meeting.overlaps ? (['overlaps'] as const) : []),
  ];
}

/** Whether another session of the owner is at the same time, in any cohort that is in use. */
export function overlaps(of: {
  id: SQL;
  owner: SQL | string;
  startsAt: SQL;
  minutes: SQL;
}): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM meetings other
    JOIN cohorts theirs ON theirs.id = other.cohort_id
    WHERE other.owner_id = ${of.owner} AND other.id IS NOT ${of.id}
      AND other.starts_at > ${of.startsAt} - ${longestMs}
      AND other.starts_at < ${of.startsAt} + ${of.minutes} * 60000
      AND other.starts_at + other.duration_minutes * 60000 > ${of.startsAt}
      AND other.cancelled_at IS NULL
      AND theirs.deleted_at IS NULL AND theirs.archived_at IS NULL)`;
}
