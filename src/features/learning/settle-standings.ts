import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { mayWriteMore } from '#lib/requests-left.ts';

/** Limits one statement, which counts each of them. */
const chunkRows = 500;
/** The next run does the rest. */
const timeLimitMs = 60 * 1000;

/**
 * Calls people in open runs stuck, or not started, who have been quiet for long enough, so that
 * counting them reads no row of theirs.
 */
export async function settleStandings(ctx: Context): Promise<void> {
  const start = ctx.now().getTime();
  let [count, isDone] = [0, false];
  while (!isDone && mayWriteMore(ctx) && ctx.now().getTime() - start < timeLimitMs) {
    const { settled } = await ask(ctx, {
      // Not as `meta.changes`, which has those of triggers, too.
      settled: db.all(sql`UPDATE learning
        SET standing = CASE WHEN last_seen_at IS NULL THEN 'not_started' ELSE 'stuck' END
        WHERE enrollment_id IN (SELECT g.enrollment_id FROM learning g
          WHERE g.standing = 'under_way' AND g.quiet_at <= ${ctx.now().getTime()}
          ORDER BY g.quiet_at LIMIT ${sql.raw(String(chunkRows))})
        RETURNING enrollment_id`),
    });
    count += settled.length;
    isDone = settled.length < chunkRows;
  }
  if (count > 0) {
    ctx.observe.log('standings_settled', { count, is_done: isDone });
  }
}
