import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { minuteMs } from '#lib/time/calendar.ts';
import { ask, db } from './query.ts';

/** The next run does the rest. Cloudflare ends a run after 15 minutes. */
const timeLimitMs = 10 * minuteMs;

/**
 * Deletes rows of a table, some at once, so that no statement blocks the database for long.
 *
 * @param chunkRows fewer, where much goes with each
 * @returns how many they were, and whether these were all
 */
export async function deleteExpired(
  ctx: Parameters<typeof ask>[0] & { now: () => Date },
  table: SQLiteTable,
  expired: SQL,
  chunkRows: number,
): Promise<{ count: number; isDone: boolean }> {
  const start = ctx.now().getTime();
  let [count, isDone] = [0, false];
  while (!isDone && ctx.now().getTime() - start < timeLimitMs) {
    const { chunk } = await ask(ctx, {
      // Its `changes` would count what triggers write, too.
      chunk: db.all<{ id: string }>(sql`DELETE FROM ${table} WHERE rowid IN
        (SELECT rowid FROM ${table} WHERE ${expired} LIMIT ${chunkRows}) RETURNING id`),
    });
    count += chunk.length;
    isDone = chunk.length < chunkRows;
  }
  return { count, isDone };
}
