import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { MessageAudience } from '#db/values.ts';
import { isDebtor, leftAloneIn } from '#features/ledger/balances.ts';
import { isUnwrittenStuck } from '#features/places/find-standings.ts';
import type { MessageInput } from './schema.ts';

/** People chosen by hand need a place or an offer, or must be waiting: others haven't agreed. */
const reachable = sql`e.status IN ('enrolled', 'waitlisted', 'offered')`;

/** Whether enrollment `e` of a cohort is one of those whom a message is for. */
export function isIn(
  { id, now }: { id: string; now: number },
  { audience, enrollments }: Pick<MessageInput, 'audience' | 'enrollments'>,
): SQL {
  const conditions: Record<MessageAudience, SQL> = {
    enrolled: sql`e.status = 'enrolled'`,
    stuck: sql`e.status = 'enrolled' AND e.id IN (SELECT g.enrollment_id FROM learning g
        WHERE g.cohort_id = ${id} AND g.standing = 'stuck'
      UNION ALL SELECT g.enrollment_id FROM learning g
        WHERE g.cohort_id = ${id} AND ${isUnwrittenStuck(now)})`,
    owing: sql`e.status = 'enrolled' AND ${isDebtor}`,
    waitlist: sql`e.status = 'waitlisted'`,
    chosen: sql`e.id IN (SELECT value FROM json_each(${JSON.stringify(enrollments)})) AND ${reachable}`,
  };
  return sql`(${conditions[audience]})`;
}

/** How many people each audience has; of those who are chosen, whom messages can reach. */
export type AudienceCounts = Record<MessageAudience, number>;

/** How many of one of the viewer's cohorts can be written to. */
export function findAudiences(cohortId: string, chosen: readonly string[]) {
  return (ctx: Context, ownerId: SQL) => {
    const own = { cohortId, ownerId, chosen: JSON.stringify(chosen) };
    return query(
      { dated: countsOf(own), open: runCountsOf({ ...own, now: ctx.now() }) },
      ({ dated: [dated], open: [open] }): AudienceCounts =>
        open ?? { enrolled: 0, owing: 0, waitlist: 0, chosen: 0, ...dated, stuck: 0 },
    );
  };
}

const countsOf = prepared(
  ({ cohortId, ownerId, chosen }: Given<'cohortId' | 'ownerId' | 'chosen'>) =>
    db.all<Omit<AudienceCounts, 'stuck'>>(sql`SELECT
      coalesce(sum(e.status = 'enrolled'), 0) AS enrolled,
      coalesce(sum(CASE e.status WHEN 'enrolled' THEN ${isDebtor} END), 0) AS owing,
      coalesce(sum(e.status = 'waitlisted'), 0) AS waitlist,
      coalesce(sum(${reachable} AND e.id IN (SELECT value FROM json_each(${chosen}))), 0) AS chosen
    FROM enrollments e WHERE e.owner_id = ${ownerId} AND e.cohort_id = (SELECT c.id FROM cohorts c
      WHERE c.id = ${cohortId} AND c.kind = 'dated')`),
);

/** Of an open run, where triggers count: reading 20,000 people would take too long. */
const runCountsOf = prepared(
  ({ cohortId, ownerId, chosen, now }: Given<'cohortId' | 'ownerId' | 'chosen' | 'now'>) =>
    db.all<AudienceCounts>(sql`SELECT
      (SELECT coalesce(sum(r.people), 0) FROM run_counts r WHERE r.cohort_id = c.id) AS enrolled,
      coalesce((SELECT r.people FROM run_counts r
        WHERE r.cohort_id = c.id AND r.standing = 'stuck'), 0)
        + (SELECT count(*) FROM learning g WHERE ${isUnwrittenStuck(now)} AND g.cohort_id = c.id)
        AS stuck,
      coalesce((SELECT t.enrolled_owing FROM balance_totals t WHERE t.cohort_id = c.id), 0)
        - ${leftAloneIn(ownerId, sql`c.id`)} AS owing,
      (SELECT count(*) FROM enrollments e
        WHERE e.cohort_id = c.id AND e.status = 'waitlisted') AS waitlist,
      (SELECT count(*) FROM json_each(${chosen}) z CROSS JOIN enrollments e ON e.id = z.value
        WHERE e.cohort_id = c.id AND ${reachable}) AS chosen
    FROM cohorts c WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId} AND c.kind = 'open'`),
);
