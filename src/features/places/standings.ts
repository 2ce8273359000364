import 'server-only';
import { type SQL, sql } from 'drizzle-orm';

/**
 * How the person of a row `g` of `learning` stands in an open run at a moment, also before the clock
 * has written it; null in a cohort. No index finds this: see `isStuckAt`.
 */
export function standingAt(now: SQL): SQL {
  return sql`CASE WHEN g.standing = 'under_way' AND g.quiet_at <= ${now}
    THEN ${quietStanding} ELSE g.standing END`;
}

/** What someone becomes who was quiet for too long. */
export const quietStanding = sql`CASE WHEN g.last_seen_at IS NULL THEN 'not_started' ELSE 'stuck' END`;

/** Whether the person of a row `g` of `learning` is stuck in an open run at a moment. */
export function isStuckAt(now: SQL): SQL {
  return sql`(g.standing = 'stuck' OR (g.standing = 'under_way' AND g.quiet_at <= ${now}
    AND g.last_seen_at IS NOT NULL))`;
}
