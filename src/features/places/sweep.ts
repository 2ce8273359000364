import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { mayWriteMore } from '#lib/requests-left.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { sweepPlaces } from './places.ts';

/** Limits one batch. */
const chunkRows = 500;
/** The next run does the rest. */
const timeLimitMs = 3 * minuteMs;
/** A waitlist ends in the night after its cohort, or in a later one if nights were missed. */
const lookBackMs = 60 * dayMs;

/**
 * Ends offers and invitations whose time is over, and offers free places. Requests do
 * the same to the cohort that they touch, so this is for the others.
 */
export function sweep(ctx: Context): Promise<void> {
  return sweepDue(
    ctx,
    (now) => sql`SELECT cohort_id AS id FROM enrollments
      WHERE status IN ('offered', 'invited') AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${chunkRows}`,
  );
}

/** Ends the waitlists of cohorts that are over. */
export function endWaitlists(ctx: Context): Promise<void> {
  return sweepDue(
    ctx,
    (now) => sql`SELECT c.id FROM cohorts c
      WHERE c.ends_at <= ${now} AND c.ends_at > ${now - lookBackMs}
        AND EXISTS (SELECT 1 FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status IN ('waitlisted', 'applied'))
      ORDER BY c.ends_at, c.id LIMIT ${chunkRows}`,
  );
}

/** @param dueAt selects the ids of cohorts, each perhaps several times */
async function sweepDue(ctx: Context, dueAt: (now: number) => SQL): Promise<void> {
  const start = ctx.now().getTime();
  const counts = { cohorts: 0, expired: 0, promoted: 0 };
  let isDone = false;
  while (!isDone && mayWriteMore(ctx) && ctx.now().getTime() - start < timeLimitMs) {
    const { due } = await ask(ctx, { due: db.all<{ id: string }>(dueAt(ctx.now().getTime())) });
    const ids = [...new Set(due.map(({ id }) => id))];
    if (ids.length > 0) {
      const { swept } = await ask(ctx, { swept: sweepPlaces(ctx, ids) });
      counts.cohorts += ids.length;
      counts.expired += swept.expired;
      counts.promoted += swept.promoted;
    }
    isDone = due.length < chunkRows;
  }
  if (counts.cohorts > 0 || !isDone) {
    ctx.observe.log('people_swept', { ...counts, is_done: isDone });
  }
}
