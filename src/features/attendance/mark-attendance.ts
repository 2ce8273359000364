import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { type CohortRow, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import type { MeetingRow } from '#features/meetings/list-meetings.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { marksOf } from './find-attendance.ts';
import type { AttendanceInput, MeetingAttendance } from './schema.ts';
import { couldAttend, opensBeforeMs } from './who-attends.ts';

/**
 * Marks who was at a live session, or clears marks. The last request counts. People who had no
 * place when the session began are skipped and not refused: one of them would otherwise keep all
 * marks that wait offline from being saved.
 *
 * @throws AppError `not_found` if none of them is in the cohort; `cohort_in_trash`,
 *   `meeting_cancelled`, `attendance_too_early`, `rate_limited`
 */
export async function markAttendance(
  ctx: ViewerContext,
  { cohort, meeting }: { cohort: CohortRow; meeting: MeetingRow },
  { marks }: AttendanceInput,
): Promise<MeetingAttendance> {
  requireOutsideTrash(cohort);
  const { ownerId, viewer } = ctx;
  const now = ctx.now().getTime();
  if (meeting.cancelledAt !== null) {
    throw new AppError('meeting_cancelled');
  }
  if (meeting.startsAt.getTime() > now + opensBeforeMs) {
    throw new AppError('attendance_too_early');
  }
  // The last of several about one person.
  const given = [...new Map(marks.map((mark) => [mark.enrollment_id, mark])).values()];
  const limit = await limitOn(
    ctx,
    [{ limit: 'attendance_per_cohort', subject: cohort.id }],
    'allow',
  );
  const where = sql`json_each(${JSON.stringify(given)}) j
      JOIN enrollments e ON e.id = j.value ->> 'enrollment_id'
      JOIN meetings m ON m.cohort_id = e.cohort_id
    WHERE e.owner_id = ${ownerId} AND e.cohort_id = ${cohort.id}
      AND m.owner_id = ${ownerId} AND m.id = ${meeting.id} AND m.cancelled_at IS NULL
      AND m.starts_at <= ${now + opensBeforeMs} AND ${couldAttend} AND ${limit.hasRoom}`;
  const { known, after, usage } = await ask(ctx, {
    known: db.all(sql`SELECT 1 FROM json_each(${JSON.stringify(given)}) j
      JOIN enrollments e ON e.id = j.value ->> 'enrollment_id'
      WHERE e.owner_id = ${ownerId} AND e.cohort_id = ${cohort.id} LIMIT 1`),
    marked: db.run(sql`INSERT INTO attendance (owner_id, meeting_id, enrollment_id, is_present,
        marked_at, marked_by_user_id)
      SELECT m.owner_id, m.id, e.id, j.value ->> 'is_present', ${now}, ${viewer.id}
      FROM ${where} AND j.value ->> 'is_present' IS NOT NULL
      ON CONFLICT (meeting_id, enrollment_id) DO UPDATE SET is_present = excluded.is_present,
        marked_at = excluded.marked_at, marked_by_user_id = excluded.marked_by_user_id
      WHERE is_present <> excluded.is_present`),
    cleared: db.run(sql`DELETE FROM attendance
      WHERE owner_id = ${ownerId} AND meeting_id = ${meeting.id} AND enrollment_id IN
        (SELECT e.id FROM ${where} AND j.value ->> 'is_present' IS NULL)`),
    after: marksOf({ ownerId: sql`${ownerId}`, meetingId: meeting.id }),
    usage: limit.count(),
  });
  requireFound(known[0]);
  refuseFull(ctx, usage.full);
  return { marks: after };
}
