import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { isShown } from '#db/shown-lessons.ts';
import { mayWriteMore } from '#lib/requests-left.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { completeDue } from './complete-course.ts';

/** Limits one statement, which counts each of them. */
const chunkRows = 500;
/** The next run does the rest. */
const timeLimitMs = 60 * 1000;

const day = sql.raw(String(dayMs));

/**
 * Completes people in open runs who have done all that is left, and calls those stuck, or not
 * started, who have been quiet for long enough, so that counting them reads no row of theirs.
 */
export async function settleStandings(ctx: Context): Promise<void> {
  await inSteps(ctx, 'courses_completed', completeDue);
  await inSteps(ctx, 'standings_settled', settle);
}

type Step = Query<{ count: number; isDone: boolean }>;

async function inSteps(
  ctx: Context,
  event: 'courses_completed' | 'standings_settled',
  stepAt: (now: number) => Step,
): Promise<void> {
  const start = ctx.now().getTime();
  let [count, isDone] = [0, false];
  while (!isDone && mayWriteMore(ctx) && ctx.now().getTime() - start < timeLimitMs) {
    const { step } = await ask(ctx, { step: stepAt(ctx.now().getTime()) });
    count += step.count;
    isDone = step.isDone;
  }
  if (count > 0) {
    ctx.observe.log(event, { count, is_done: isDone });
  }
}

/** Whoever has done all that is open waits for the next section, and is not stuck. */
function settle(now: number): Step {
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
