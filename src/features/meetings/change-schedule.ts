import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import { type CohortRow, cohortRows, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { announceIfNobody } from './announcements.ts';
import { everyDayOff, insertDaysOff, insertMeetings } from './insert-schedule.ts';
import { meetingRows, toMeeting } from './list-meetings.ts';
import { maxMeetings } from './meeting-state.ts';
import { markRow, meetingsMark, offRows } from './movable-meetings.ts';
import type { ScheduleInput, ScheduleTable } from './schema.ts';

/** The schedule of one of the viewer's cohorts; empty if there is no such cohort. */
export function findScheduleTable(cohortId: string) {
  return (ctx: Context, ownerId: SQL) => scheduleTable(ctx, ownerId, cohortId);
}

function scheduleTable(ctx: Context, ownerId: SQL | string, cohortId: string) {
  const now = ctx.now();
  return query(
    {
      rows: meetingRows({ ownerId, cohortId, now }),
      off: offRows({ ownerId, cohortId }),
      mark: markRow({ ownerId, cohortId }),
    },
    ({ rows, off, mark: [row] }): ScheduleTable => ({
      mark: row?.mark ?? '',
      meetings: rows.map((meeting) => toMeeting(meeting, now)),
      days_off: off,
    }),
  );
}

/**
 * Changes all sessions and days off of one of the viewer's cohorts at once, or nothing. Sessions
 * that are missing are canceled or deleted, as `cancelMeeting` does; canceled ones stay. A time that
 * clocks skip moves forward.
 *
 * @throws AppError `schedule_changed` if the table was not the present one; `dates_changed` if the
 *   zone of the cohort has changed meanwhile; `too_many_meetings`, `cohort_in_trash`, `not_found`
 */
export async function changeSchedule(
  ctx: ViewerContext,
  cohort: CohortRow,
  { mark, meetings, days_off: spans }: ScheduleInput,
): Promise<ScheduleTable> {
  requireOutsideTrash(cohort);
  const { timeOn } = await import('./meeting-times.ts');
  const now = ctx.now();
  const at = now.getTime();
  const wanted = meetings.map((meeting) => {
    const { startsLocal, startsAt } = timeOn(meeting.starts_local, cohort.timeZone);
    return {
      id: meeting.id ?? crypto.randomUUID(),
      isNew: meeting.id === null,
      title: meeting.title,
      startsLocal,
      startsAt: startsAt.getTime(),
      durationMinutes: meeting.duration_minutes,
      publicLine: meeting.public_line,
    };
  });
  const starts = wanted.map(({ startsLocal }) => startsLocal);
  const days_off = everyDayOff(spans, starts);
  const added = wanted.filter(({ isNew }) => isNew);
  const kept = JSON.stringify(wanted.filter(({ isNew }) => !isNew));
  // A row of its own, only within this batch: whether what was changed is still what it was.
  const guard = crypto.randomUUID();
  const isSame = sql`EXISTS (SELECT 1 FROM days_off guard WHERE guard.id = ${guard})`;
  const own = sql`meetings.cohort_id = ${cohort.id} AND meetings.owner_id = ${ctx.ownerId}
    AND meetings.cancelled_at IS NULL AND ${isSame}`;
  const isMissing = sql`meetings.id NOT IN (SELECT w.value ->> 'id' FROM json_each(${kept}) w)`;
  const isKnown = sql`(meetings.starts_at > ${at} AND EXISTS (SELECT 1 FROM cohorts c
    WHERE c.id = meetings.cohort_id AND c.published_at IS NOT NULL))`;
  const counted = sql`(meetings.title IS NOT w.value ->> 'title'
    OR meetings.starts_local IS NOT w.value ->> 'startsLocal'
    OR meetings.duration_minutes IS NOT w.value ->> 'durationMinutes')`;
  const ifTimed = (column: string) => sql`CASE WHEN meetings.starts_local
    IS w.value ->> 'startsLocal' THEN ${sql.raw(`meetings.${column}`)} END`;
  const { guarded, table, cohortNow } = await ask(ctx, {
    guard: db.run(sql`INSERT INTO days_off (id, owner_id, cohort_id, on_date, reason, created_at)
      SELECT ${guard}, c.owner_id, c.id, '', '', 0 FROM cohorts c
      WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
        AND c.time_zone = ${cohort.timeZone} AND ${mark === undefined ? sql`true` : sql`${meetingsMark(sql`c.id`)} = ${mark}`}
        AND NOT EXISTS (SELECT 1 FROM json_each(${kept}) w WHERE w.value ->> 'id' NOT IN (
          SELECT m.id FROM meetings m WHERE m.cohort_id = c.id AND m.cancelled_at IS NULL))
        AND (SELECT count(*) FROM meetings WHERE meetings.cohort_id = c.id
          AND NOT (meetings.cancelled_at IS NULL AND ${isMissing} AND NOT ${isKnown})) + ${added.length}
          <= ${maxMeetings}`),
    guarded: db.all<{ isSame: 0 | 1 }>(sql`SELECT ${isSame} AS isSame`),
    deleted: db.run(sql`DELETE FROM meetings WHERE ${own} AND ${isMissing} AND NOT ${isKnown}`),
    cancelled: db.run(sql`UPDATE meetings SET cancelled_at = ${at}, sequence = sequence + 1,
      updated_at = ${at} WHERE ${own} AND ${isMissing}`),
    changed: db.run(sql`UPDATE meetings SET title = w.value ->> 'title',
        starts_local = w.value ->> 'startsLocal', starts_at = w.value ->> 'startsAt',
        duration_minutes = w.value ->> 'durationMinutes', public_line = w.value ->> 'publicLine',
        reminded_day_for = ${ifTimed('reminded_day_for')},
        reminded_hour_for = ${ifTimed('reminded_hour_for')},
        sequence = sequence + ${counted}, updated_at = ${at}
      FROM json_each(${kept}) w WHERE meetings.id = w.value ->> 'id' AND ${own}
        AND (${counted} OR meetings.public_line IS NOT w.value ->> 'publicLine')`),
    inserted: insertMeetings(added, cohort.id, now, isSame),
    announced: announceIfNobody(cohort.id, now),
    daysDropped: db.run(sql`DELETE FROM days_off WHERE cohort_id = ${cohort.id} AND ${isSame}
      AND id <> ${guard} AND NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(days_off)}) w
        WHERE w.value ->> 'on_date' = on_date AND coalesce(w.value ->> 'reason', '') = reason)`),
    daysAdded: insertDaysOff(days_off, cohort.id, now, isSame),
    unguarded: db.run(sql`DELETE FROM days_off WHERE id = ${guard}`),
    table: scheduleTable(ctx, ctx.ownerId, cohort.id),
    cohortNow: cohortRows(ctx, ctx.ownerId, cohort.id),
  });
  if (guarded[0]?.isSame !== 1) {
    const current = requireFound(cohortNow[0]);
    requireOutsideTrash(current);
    if (current.timeZone !== cohort.timeZone) {
      throw new AppError('dates_changed');
    }
    const isFull =
      [undefined, table.mark].includes(mark) && table.meetings.length + added.length > maxMeetings;
    throw new AppError(isFull ? 'too_many_meetings' : 'schedule_changed');
  }
  return table;
}
