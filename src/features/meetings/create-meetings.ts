import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { meetings } from '#db/schema/meetings.ts';
import { type CohortRow, cohortRows, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import { requireSameRequest } from '#features/courses/create-course.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { toJson } from '#lib/to-json.ts';
import { announceIfNobody } from './announcements.ts';
import { meetingsWhere, overlaps, toMeeting, warningsOfMeeting } from './list-meetings.ts';
import { endOfMeeting, maxMeetings } from './meeting-state.ts';
import type { MeetingStart } from './meeting-times.ts';
import { type Meeting, type MeetingInput, PlannedMeeting } from './schema.ts';

/**
 * The sessions that an input would create, before they are saved. A series leaves out days off.
 *
 * @throws AppError `cohort_in_trash`, `too_many_meetings`; `validation_failed` for a single time
 *   that clocks skip, and if a time would leave the calendar
 */
export async function previewMeetings(
  ctx: ViewerContext,
  cohort: CohortRow,
  input: MeetingInput,
): Promise<PlannedMeeting[]> {
  const times = await plan(ctx, cohort, input);
  const { duration_minutes: minutes, title } = input;
  const candidate = (name: string) => sql.raw(`w.value ->> '${name}'`);
  const wanted = JSON.stringify(times.map(({ startsAt }) => ({ at: startsAt.getTime() })));
  const { overlapRows, off, room } = await ask(ctx, {
    overlapRows: db.all<{ overlaps: 0 | 1 }>(
      sql`SELECT ${overlaps({
        id: sql`NULL`,
        owner: cohort.ownerId,
        startsAt: candidate('at'),
        minutes: sql`${minutes}`,
      })} AS overlaps FROM json_each(${wanted}) w ORDER BY w.key`,
    ),
    off: db.all<{ day: string }>(
      sql`SELECT on_date AS day FROM days_off WHERE cohort_id = ${cohort.id}`,
    ),
    room: db.all<{ hasRoom: 0 | 1 }>(
      sql`SELECT ${hasRoomForMeetings(cohort.id, times.length)} AS hasRoom`,
    ),
  });
  if (room[0]?.hasRoom !== 1) {
    throw new AppError('too_many_meetings');
  }
  const daysOff = new Set(off.map(({ day }) => day));
  const all = times.map((time, index) => {
    const planned = { ...time, title, durationMinutes: minutes };
    const warnings = warningsOfMeeting({
      ...planned,
      cohortStartsAt: cohort.startsAt,
      cohortEndsAt: cohort.endsAt,
      overlaps: overlapRows[index]?.overlaps === 1,
    });
    return toJson(PlannedMeeting, {
      ...planned,
      endsAt: endOfMeeting(planned),
      warnings: time.startsAt < ctx.now() ? [...warnings, 'in_past'] : warnings,
    });
  });
  return input.count === 1
    ? all
    : all.filter((one) => !daysOff.has(dayOfWallTime(one.starts_local)));
}

/**
 * Adds live sessions to one of the viewer's cohorts: all or none.
 *
 * @param idempotencyKey a retry with the same key returns the sessions as they are now
 * @throws AppError as `previewMeetings`; `dates_changed` if the zone of the cohort has changed
 *   meanwhile; `idempotency_key_reused`; `not_found`
 */
export async function createMeetings(
  ctx: ViewerContext,
  cohort: CohortRow,
  input: MeetingInput,
  idempotencyKey: string | null,
): Promise<Meeting[]> {
  const times = await plan(ctx, cohort, input);
  const { title, duration_minutes, place, join_url, note, public_line } = input;
  const now = ctx.now();
  const rows = times.map(({ startsLocal, startsAt }) => ({
    id: crypto.randomUUID(),
    startsLocal,
    startsAt: startsAt.getTime(),
  }));
  const isNew =
    idempotencyKey === null
      ? sql`true`
      : sql`NOT EXISTS (SELECT 1 FROM meetings made WHERE made.owner_id = c.owner_id
          AND made.idempotency_key = ${idempotencyKey})`;
  // A series leaves out days off; a single one was meant.
  const isOff = sql`(${Number(rows.length > 1)} AND EXISTS (SELECT 1 FROM days_off o
    WHERE o.cohort_id = ${cohort.id} AND o.on_date = substr(w.value ->> 'startsLocal', 1, 10)))`;
  const isMade =
    idempotencyKey === null
      ? // One parameter, of which a statement has up to 100.
        sql`${meetings.id} IN (SELECT wanted.value FROM json_each(${JSON.stringify(
          rows.map(({ id }) => id),
        )}) wanted)`
      : eq(meetings.idempotencyKey, idempotencyKey);
  const { made, left, cohortNow } = await ask(ctx, {
    inserted: db.run(sql`INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local,
        duration_minutes, starts_at, place, join_url, note, public_line, idempotency_key, idempotency_no,
        created_at, updated_at)
      SELECT w.value ->> 'id', c.owner_id, c.id, ${title}, w.value ->> 'startsLocal',
        ${duration_minutes}, w.value ->> 'startsAt', ${place}, ${join_url}, ${note}, ${public_line},
        ${idempotencyKey}, w.key, ${now.getTime()}, ${now.getTime()}
      FROM cohorts c JOIN json_each(${JSON.stringify(rows)}) w
      WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
        AND c.time_zone = ${cohort.timeZone} AND ${hasRoomForMeetings(cohort.id, rows.length)}
        AND NOT ${isOff} AND ${isNew}`),
    left: db.all<{ count: number }>(sql`SELECT count(*) AS count
      FROM json_each(${JSON.stringify(rows)}) w WHERE NOT ${isOff}`),
    announced: announceIfNobody(cohort.id, now),
    made: meetingsWhere(now, and(eq(meetings.ownerId, ctx.ownerId), isMade)),
    cohortNow: cohortRows(ctx, ctx.ownerId, cohort.id),
  });
  if (made.length === 0) {
    const current = requireFound(cohortNow[0]);
    requireOutsideTrash(current);
    if (left[0]?.count === 0) {
      return [];
    }
    const hasSameZone = current.timeZone === cohort.timeZone;
    throw new AppError(hasSameZone ? 'too_many_meetings' : 'dates_changed');
  }
  const isSame = made.every(
    (row) =>
      row.cohortId === cohort.id &&
      row.startsLocal === times[row.idempotencyNo]?.startsLocal &&
      row.title === title &&
      row.durationMinutes === duration_minutes &&
      row.place === place &&
      row.joinUrl === join_url &&
      row.note === note &&
      row.publicLine === public_line,
  );
  // Fewer than were made: some are deleted by now.
  requireSameRequest(made, isSame && made.length <= times.length);
  return made
    .toSorted((one, other) => one.idempotencyNo - other.idempotencyNo)
    .map((row) => toMeeting(row, now));
}

/** Whether a cohort has room for so many more. */
function hasRoomForMeetings(cohortId: string, count: number): SQL {
  return sql`(SELECT count(*) FROM meetings kept WHERE kept.cohort_id = ${cohortId}) + ${count}
    <= ${maxMeetings}`;
}

async function plan(
  ctx: ViewerContext,
  cohort: CohortRow,
  { starts_local: first, count }: MeetingInput,
): Promise<MeetingStart[]> {
  requireOutsideTrash(cohort);
  const { timeOf, weeklyTimes } = await import('./meeting-times.ts');
  // The first one was typed, and what follows from it was not.
  const typed = timeOf(first, cohort.timeZone, ctx.request.locale);
  return count === 1 ? [typed] : weeklyTimes(first, count, cohort.timeZone);
}
