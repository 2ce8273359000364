import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import { isShown } from '#db/shown-lessons.ts';
import { inSteps } from '#lib/in-steps.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { completeDue } from './complete-course.ts';

/** Limits one statement, which counts each of them. */
const chunkRows = 500;

const day = sql.raw(String(dayMs));

/**
 * Completes people in open runs who have done all that is left, and calls those stuck, or not
 * started, who have been quiet for long enough, so that counting them reads no row of theirs.
 */
export async function settleStandings(ctx: Context): Promise<void> {
  for (const [event, stepAt] of [
    ['courses_completed', completeDue],
    ['standings_settled', settle],
  ] as const) {
    let count = 0;
    const isDone = await inSteps(ctx, async (now) => {
      const { step } = await ask(ctx, { step: stepAt(now) });
      count += step.count;
      return step.isDone;
    });
    if (count > 0) {
      ctx.observe.log(event, { count, is_done: isDone });
    }
  }
}

/** Whoever has done all that is open waits for the next section, and is not stuck. */
function settle(now: number) {
  const waits = sql`(g.next_release_at > ${now} AND g.done >= (SELECT count(*) FROM cohorts c
      JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      JOIN lessons l ON l.owner_id = s.owner_id AND l.section_id = s.id AND ${isShown}
    WHERE c.id = g.cohort_id AND g.started_at + coalesce(s.release_days, 0) * ${day} <= ${now}))`;
  return query(
    {
      // Not as `meta.changes`, which has those of triggers, too.
      settled: db.all(sql`UPDATE learning SET quiet_at = coalesce(r.later, quiet_at),
          standing = CASE WHEN last_seen_at IS NULL THEN 'not_started'
            WHEN r.later IS NULL THEN 'stuck' ELSE 'under_way' END
        FROM (SELECT g.enrollment_id AS id,
            CASE WHEN g.last_seen_at IS NOT NULL AND ${waits}
              THEN g.next_release_at + 14 * ${day} END AS later
          FROM learning g WHERE g.standing = 'under_way' AND g.quiet_at <= ${now}
          ORDER BY g.quiet_at LIMIT ${sql.raw(String(chunkRows))}) r
        WHERE learning.enrollment_id = r.id RETURNING enrollment_id`),
    },
    ({ settled }) => ({ count: settled.length, isDone: settled.length < chunkRows }),
  );
}
