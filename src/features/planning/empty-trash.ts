import 'server-only';
import { lte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/** How long a cohort stays in the trash. */
const daysInTrash = 30;
/** Limits one statement: what belongs to a cohort goes with it. */
const chunkRows = 100;
/** The next run does the rest. Cloudflare ends a run after 15 minutes. */
const timeLimitMs = 10 * minuteMs;

/** Deletes the cohorts that have been in the trash for 30 days. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const start = ctx.now();
  const expired = lte(cohorts.deletedAt, new Date(start.getTime() - daysInTrash * dayMs));
  let [deleted, isDone] = [0, false];
  while (!isDone && ctx.now().getTime() - start.getTime() < timeLimitMs) {
    const { chunk } = await ask(ctx, {
      // Its `changes` would count what triggers write, too.
      chunk: db.all<{ id: string }>(sql`DELETE FROM ${cohorts} WHERE rowid IN
        (SELECT rowid FROM ${cohorts} WHERE ${expired} LIMIT ${chunkRows}) RETURNING id`),
    });
    deleted += chunk.length;
    isDone = chunk.length < chunkRows;
  }
  ctx.observe.log('trash_emptied', { cohorts: deleted, is_done: isDone });
}
