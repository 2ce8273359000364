import 'server-only';
import { lte, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import { sessionDeadlines } from '#features/auth/live-sessions.ts';

/** What one statement removes at most, so that none keeps the database from others for long. */
const chunkRows = 1_000;
/** So many statements for each of four tables in one run, within the 50 of D1's free plan; the next run goes on. */
const maxChunks = 12;

/** How many rows were removed. */
export type Removed = {
  links: number;
  sessions: number;
  counters: number;
  webhookDeliveries: number;
};

/** Removes what has expired. Nothing reads it any more even before: what is not needed is not kept. */
export async function removeExpired(ctx: Context): Promise<Removed> {
  const now = ctx.now();
  const { lastSeenAt, createdAt } = sessionDeadlines(now);
  const removed = {
    links: await removeRows(ctx, links, lte(links.expiresAt, now)),
    sessions: await removeRows(
      ctx,
      sessions,
      or(lte(sessions.lastSeenAt, lastSeenAt), lte(sessions.createdAt, createdAt)),
    ),
    counters: await removeRows(ctx, counters, lte(counters.expiresAt, now)),
    webhookDeliveries: await removeRows(
      ctx,
      webhookDeliveries,
      lte(webhookDeliveries.expiresAt, now),
    ),
  };
  ctx.log('cleaned_up', removed);
  return removed;
}

async function removeRows(
  { db }: Context,
  table: SQLiteTable,
  expired: SQL | undefined,
): Promise<number> {
  let removed = 0;
  for (let chunk = 0; chunk < maxChunks; chunk += 1) {
    const { meta } = await db.run(sql`DELETE FROM ${table} WHERE rowid IN
      (SELECT rowid FROM ${table} WHERE ${expired} LIMIT ${chunkRows})`);
    removed += meta.changes;
    if (meta.changes < chunkRows) {
      break;
    }
  }
  return removed;
}
