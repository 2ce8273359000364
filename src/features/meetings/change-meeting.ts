import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { meetings } from '#db/schema/meetings.ts';
import { type CohortRow, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import { announceIfNobody } from './announcements.ts';
import { type MeetingRow, meetingRow, toMeeting } from './list-meetings.ts';
import type { Meeting, MeetingPatch } from './schema.ts';

/** What calendars and people have to know of: it raises the number of a session. */
const countedColumns = ['title', 'startsLocal', 'durationMinutes', 'place'] as const;

type Found = { cohort: CohortRow; meeting: MeetingRow };

/**
 * Changes the given fields of a live session of one of the viewer's cohorts.
 *
 * @throws AppError `cohort_in_trash`, `meeting_cancelled`; `validation_failed` for a time that
 *   clocks skip; `dates_changed` if the zone of the cohort has changed meanwhile; `not_found`
 */
export async function changeMeeting(
  ctx: ViewerContext,
  { cohort, meeting }: Found,
  patch: MeetingPatch,
): Promise<Meeting> {
  requireOutsideTrash(cohort);
  requireNotCancelled(meeting);
  const given = await changedColumns(ctx, meeting, patch);
  if (Object.keys(given).length === 0) {
    return toMeeting(meeting, ctx.now());
  }
  const now = ctx.now();
  const counted = countedColumns.flatMap((column) =>
    given[column] === undefined
      ? []
      : // IS NOT, because a comparison with null is never true.
        [sql`${meetings[column]} IS NOT ${sql.param(given[column], meetings[column])}`],
  );
  const rises = counted.length === 0 ? sql`0` : sql`(${sql.join(counted, sql` OR `)})`;
  const { changed, rows } = await ask(ctx, {
    changed: db
      .update(meetings)
      .set({ ...given, sequence: sql`${meetings.sequence} + ${rises}`, updatedAt: now })
      .where(
        and(
          isOwnMeeting(ctx, meeting),
          sql`${meetings.cancelledAt} IS NULL`,
          isInCohort(sql`c.deleted_at IS NULL AND c.time_zone = ${cohort.timeZone}`),
        ),
      )
      .returning({ id: meetings.id }),
    announced: announceIfNobody(cohort.id, now),
    rows: meetingRow({ ownerId: ctx.ownerId, cohortId: cohort.id, id: meeting.id, now }),
  });
  const row = requireFound(rows[0]);
  if (changed.length === 0) {
    requireNotCancelled(row);
    throw new AppError('dates_changed');
  }
  return toMeeting(row, now);
}

/**
 * Cancels a session of a published cohort that is still to come: it stays in lists, struck through.
 * Any other is deleted. Cancelled again, it stays as it is.
 *
 * @throws AppError `cohort_in_trash`
 */
export async function cancelMeeting(ctx: ViewerContext, { cohort, meeting }: Found): Promise<void> {
  requireOutsideTrash(cohort);
  const now = ctx.now();
  const isKnown = sql`(${meetings.startsAt} > ${now.getTime()}
    AND ${isInCohort(sql`c.published_at IS NOT NULL`)})`;
  await ask(ctx, {
    deleted: db.delete(meetings).where(and(isOwnMeeting(ctx, meeting), sql`NOT ${isKnown}`)),
    cancelled: db
      .update(meetings)
      .set({ cancelledAt: now, sequence: sql`${meetings.sequence} + 1`, updatedAt: now })
      .where(and(isOwnMeeting(ctx, meeting), sql`${meetings.cancelledAt} IS NULL`)),
    announced: announceIfNobody(cohort.id, now),
  });
}

/** What to write of a patch: only what differs. */
async function changedColumns(ctx: ViewerContext, meeting: MeetingRow, patch: MeetingPatch) {
  const given = Object.entries(fromJson(patch)).filter(
    ([column, value]) => meeting[column as keyof MeetingRow] !== value,
  );
  // Some of the columns of the patch.
  const columns = Object.fromEntries(given) as Partial<ReturnType<typeof fromJson<MeetingPatch>>>;
  const { startsLocal } = columns;
  if (startsLocal === undefined) {
    return columns;
  }
  const { timeOf } = await import('./meeting-times.ts');
  const { startsAt } = timeOf(startsLocal, meeting.timeZone, ctx.request.locale);
  return { ...columns, startsAt, remindedDayFor: null, remindedHourFor: null };
}

function isOwnMeeting(ctx: ViewerContext, { id, cohortId }: MeetingRow): SQL | undefined {
  return and(
    eq(meetings.id, id),
    eq(meetings.ownerId, ctx.ownerId),
    eq(meetings.cohortId, cohortId),
  );
}

/** What must hold of the cohort `c` of a session. */
function isInCohort(where: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM cohorts c WHERE c.id = ${meetings.cohortId} AND ${where})`;
}

function requireNotCancelled({ cancelledAt }: MeetingRow): void {
  if (cancelledAt !== null) {
    throw new AppError('meeting_cancelled');
  }
}
