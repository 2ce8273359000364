import 'server-only';
import { and, desc, eq, isNotNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';

/** The currency of the viewer's cohort with a price that ends last; null before there is one. */
export function findLastCurrency(_ctx: Context, ownerId: SQL) {
  return query({ rows: lastCurrency({ ownerId }) }, ({ rows: [row] }) => row?.currency ?? null);
}

const lastCurrency = prepared(({ ownerId }: Given<'ownerId'>) =>
  db
    .select({ currency: cohorts.currency })
    .from(cohorts)
    .where(and(eq(cohorts.ownerId, ownerId), isNotNull(cohorts.currency)))
    .orderBy(desc(cohorts.endsAt))
    .limit(1),
);
