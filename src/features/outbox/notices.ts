import 'server-only';
import { sql } from 'drizzle-orm';
import { isLive } from '#db/people.ts';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Counts that the people of one of the viewer's cohorts are told of something. What they would be
 * told of can still be done without telling them.
 *
 * @throws AppError `too_many_notices`, `unavailable`
 */
export async function countNotice(ctx: ViewerContext, cohortId: string): Promise<void> {
  const uses = [
    { limit: 'notices_per_cohort', subject: cohortId },
    { limit: 'notices_per_owner', subject: ctx.viewer.id },
  ] as const;
  const limit = await limitOn(ctx, [...uses], 'refuse');
  const hasReaders = sql`EXISTS (SELECT 1 FROM cohorts c JOIN enrollments e ON e.cohort_id = c.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId} AND c.published_at IS NOT NULL
      AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${ctx.now().getTime()} AND ${isLive})`;
  const { rows, usage } = await ask(ctx, {
    rows: db.all<{ hasReaders: 0 | 1 }>(sql`SELECT ${hasReaders} AS hasReaders`),
    usage: limit.count(hasReaders),
  });
  const [full] = usage.full;
  if (full !== undefined && rows[0]?.hasReaders === 1) {
    ctx.observe.log('rate_limited', { limit: full.limit });
    throw new AppError('too_many_notices', { values: { n: full.max } });
  }
}
