import 'server-only';
import { lte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { people } from '#db/schema/people.ts';
import { hasMoney } from '#features/ledger/balances.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/** How long someone in none of the cohorts is kept, with the instructor's note about them. */
const daysKept = 30;
/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
/** The next run does the rest. */
const timeLimitMs = 5 * minuteMs;

/**
 * Removes the people whose last cohort was deleted 30 days ago. Those with entries in an
 * account are kept, and not looked at again.
 */
export async function removeUnlinked(ctx: Context): Promise<void> {
  const start = ctx.now().getTime();
  const forgotten = lte(people.unlinkedAt, new Date(start - daysKept * dayMs));
  let [removed, isDone] = [0, false];
  while (!isDone && ctx.now().getTime() - start < timeLimitMs) {
    const isPayer = hasMoney(sql`${people.id}`, sql`${people.ownerId}`);
    const { accountHolders, chunk } = await ask(ctx, {
      accountHolders: db.all<{
        id: string;
      }>(sql`UPDATE ${people} SET unlinked_at = NULL WHERE rowid IN
        (SELECT rowid FROM ${people} WHERE ${forgotten} AND ${isPayer} LIMIT ${chunkRows})
        RETURNING id`),
      chunk: db.all<{ id: string }>(sql`DELETE FROM ${people} WHERE rowid IN
        (SELECT rowid FROM ${people} WHERE ${forgotten} AND NOT ${isPayer} LIMIT ${chunkRows})
        RETURNING id`),
    });
    removed += chunk.length;
    isDone = chunk.length < chunkRows && accountHolders.length < chunkRows;
  }
  ctx.observe.log('people_removed', { people: removed, is_done: isDone });
}
