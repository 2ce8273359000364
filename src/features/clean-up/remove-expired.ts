import 'server-only';
import { lte, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { learnerCodes } from '#db/schema/learning.ts';
import { courseInterests, enrollmentRequests } from '#db/schema/people.ts';
import { addressRestores, knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import { forgetFacts } from '#features/enrolling/forget-requests.ts';
import { isExpiredSession } from '#features/identity/live-links-and-sessions.ts';

/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
/** The next run does the rest. Cloudflare ends a run after 15 minutes. */
const timeLimitMs = 10 * 60 * 1000;

const tables = {
  links,
  sessions,
  counters,
  webhookDeliveries,
  addressRestores,
  knownSignIns,
  enrollmentRequests,
  courseInterests,
  learnerCodes,
};

type Table = keyof typeof tables;

type Task = { name: Table; expired: SQL | undefined };

/**
 * Deletes expired rows. Queries already ignore them, but data that is not needed must not be kept.
 *
 * The tables take turns, a chunk each, so that a large one does not delay the others.
 *
 * @returns how many rows of each table were removed
 */
export async function removeExpired(ctx: Context): Promise<Record<Table, number>> {
  const start = ctx.now();
  const names = Object.keys(tables) as Table[];
  const removed = Object.fromEntries(names.map((name) => [name, 0])) as Record<Table, number>;
  const queue: Task[] = names.map((name) => ({
    name,
    expired: name === 'sessions' ? isExpiredSession(start) : lte(tables[name].expiresAt, start),
  }));
  let task = queue.shift();
  while (task !== undefined && ctx.now().getTime() - start.getTime() < timeLimitMs) {
    const count = await removeChunk(ctx, task);
    removed[task.name] += count;
    if (count >= chunkRows) {
      queue.push(task);
    }
    task = queue.shift();
  }
  ctx.observe.log('cleaned_up', { ...removed, is_done: task === undefined });
  return removed;
}

async function removeChunk(ctx: Context, { name, expired }: Task): Promise<number> {
  const table = tables[name];
  const chunk = sql`(SELECT rowid FROM ${table} WHERE ${expired} LIMIT ${chunkRows})`;
  const { removed } = await ask(ctx, {
    facts: name === 'enrollmentRequests' ? forgetFacts(sql`r.rowid IN ${chunk}`) : undefined,
    removed: db.run(sql`DELETE FROM ${table} WHERE rowid IN ${chunk}`),
  });
  return removed.meta.changes;
}
