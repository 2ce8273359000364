import 'server-only';
import { lte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { deleteExpired } from '#db/delete-expired.ts';
import { ask, db } from '#db/query.ts';
import { meetings } from '#db/schema/meetings.ts';
import { renewRows } from '#lib/renew-rows.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
/** Every night begins with what begins first, so what this leaves for later can wait. */
const timeLimitMs = 5 * minuteMs;
/** What began in the past can begin in the future instead, by no more than a zone can move. */
const marginMs = 2 * dayMs;

type TimeRow = { id: string; startsLocal: string; startsAt: number; timeZone: string };

/**
 * Derives the instants of all live sessions that are still to come again. Their numbers for calendars stay, because their clock times do.
 */
export async function renewMeetings(ctx: Context): Promise<void> {
  const from = ctx.now().getTime() - marginMs;
  const { timeOn } = await import('./meeting-times.ts');
  const { moved, isDone } = await renewRows<TimeRow>(ctx, {
    limitMs: timeLimitMs,
    read: async (after, most) => {
      const { rows } = await ask(ctx, {
        // In the order of the index, which the join must not change.
        rows: db.all<TimeRow>(sql`SELECT m.id, m.starts_local AS startsLocal,
            m.starts_at AS startsAt, c.time_zone AS timeZone
          FROM meetings m CROSS JOIN cohorts c
          WHERE c.id = m.cohort_id AND m.cancelled_at IS NULL
            AND (m.starts_at, m.id) > (${after?.startsAt ?? from}, ${after?.id ?? ''})
          ORDER BY m.starts_at, m.id LIMIT ${most}`),
      });
      return rows;
    },
    renew: (row) => ({
      ...row,
      startsAt: timeOn(row.startsLocal, row.timeZone).startsAt.getTime(),
    }),
    write: (rows) => writeInstants(ctx, rows),
  });
  ctx.observe.log('meetings_moved', { meetings: moved, is_done: isDone });
}

/** Writes the instants of sessions whose times are still those that were read. */
async function writeInstants(ctx: Context, rows: TimeRow[]): Promise<number> {
  const { written } = await ask(ctx, {
    written: db.run(sql`UPDATE meetings SET starts_at = w.value ->> 'startsAt'
      FROM json_each(${JSON.stringify(rows)}) w JOIN cohorts c
      WHERE meetings.id = w.value ->> 'id' AND meetings.starts_local = w.value ->> 'startsLocal'
        AND c.id = meetings.cohort_id AND c.time_zone = w.value ->> 'timeZone'`),
  });
  return written.meta.changes;
}

/** How long a canceled session stays in lists and calendars. */
const daysKept = 30;

/** Deletes the sessions that were canceled 30 days ago. */
export async function removeCancelled(ctx: Context): Promise<void> {
  const forgotten = lte(meetings.cancelledAt, new Date(ctx.now().getTime() - daysKept * dayMs));
  const { count, isDone } = await deleteExpired(ctx, meetings, forgotten, chunkRows);
  ctx.observe.log('cancelled_meetings_removed', { meetings: count, is_done: isDone });
}
