import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { MessageAudience } from '#db/values.ts';
import { balanceOf } from '#features/ledger/balances.ts';
import type { MessageInput } from './schema.ts';

/** People chosen by hand need a place or an offer, or must be waiting: others haven't agreed. */
const reachable = sql`e.status IN ('enrolled', 'waitlisted', 'offered')`;

/** Whether enrollment `e` is one of those whom a message is for. */
export function isIn({
  audience,
  enrollments,
}: Pick<MessageInput, 'audience' | 'enrollments'>): SQL {
  const conditions: Record<MessageAudience, SQL> = {
    enrolled: sql`e.status = 'enrolled'`,
    owing: sql`e.status = 'enrolled' AND ${balanceOf} > 0`,
    waitlist: sql`e.status = 'waitlisted'`,
    chosen: sql`e.id IN (SELECT value FROM json_each(${JSON.stringify(enrollments)})) AND ${reachable}`,
  };
  return sql`(${conditions[audience]})`;
}

/** How many people each audience has; of those who are chosen, whom messages can reach. */
export type AudienceCounts = Record<MessageAudience, number>;

/** How many of one of the viewer's cohorts can be written to. */
export function findAudiences(cohortId: string, chosen: readonly string[]) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      { rows: countsOf({ cohortId, ownerId, chosen: JSON.stringify(chosen) }) },
      ({ rows: [counts] }): AudienceCounts =>
        counts ?? { enrolled: 0, owing: 0, waitlist: 0, chosen: 0 },
    );
}

const countsOf = prepared(
  ({ cohortId, ownerId, chosen }: Given<'cohortId' | 'ownerId' | 'chosen'>) =>
    db.all<AudienceCounts>(sql`SELECT coalesce(sum(e.status = 'enrolled'), 0) AS enrolled,
      coalesce(sum(CASE e.status WHEN 'enrolled' THEN ${balanceOf} > 0 END), 0) AS owing,
      coalesce(sum(e.status = 'waitlisted'), 0) AS waitlist,
      coalesce(sum(${reachable} AND e.id IN (SELECT value FROM json_each(${chosen}))), 0) AS chosen
    FROM enrollments e WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}`),
);
