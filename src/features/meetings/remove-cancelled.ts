import 'server-only';
import { lte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { meetings } from '#db/schema/meetings.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/** How long a canceled session stays in lists and calendars. */
const daysKept = 30;
/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
/** The next run does the rest. */
const timeLimitMs = 5 * minuteMs;

/** Deletes the sessions that were canceled 30 days ago. */
export async function removeCancelled(ctx: Context): Promise<void> {
  const start = ctx.now().getTime();
  const forgotten = lte(meetings.cancelledAt, new Date(start - daysKept * dayMs));
  let [removed, isDone] = [0, false];
  while (!isDone && ctx.now().getTime() - start < timeLimitMs) {
    const { chunk } = await ask(ctx, {
      chunk: db.all<{ id: string }>(sql`DELETE FROM ${meetings} WHERE rowid IN
        (SELECT rowid FROM ${meetings} WHERE ${forgotten} LIMIT ${chunkRows}) RETURNING id`),
    });
    removed += chunk.length;
    isDone = chunk.length < chunkRows;
  }
  ctx.observe.log('cancelled_meetings_removed', { meetings: removed, is_done: isDone });
}
