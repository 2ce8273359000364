import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { isProven } from '#features/outbox/standing.ts';

export const bytesPerMb = 1_000_000;

/** How much the files of an owner take up in all courses, and how much they may, in bytes. */
export type Room = { used: number; limit: number };

/** Reads the room of the viewer. */
export function findRoom(ctx: Context, ownerId: SQL) {
  const { owner_mb: proven, unproven_owner_mb: unproven } = ctx.config.fileLimits;
  return query(
    { rows: roomRow({ ownerId }) },
    ({ rows: [row] }): Room => ({
      used: row?.used ?? 0,
      limit: (row?.isProven === 1 ? proven : unproven) * bytesPerMb,
    }),
  );
}

const roomRow = prepared(({ ownerId }: Given<'ownerId'>) =>
  db.all<{ used: number; isProven: 0 | 1 }>(
    sql`SELECT ${usedBy(ownerId)} AS used, ${isProven(ownerId)} AS isProven`,
  ),
);

/** The bytes of an owner's files. What a copy of a course shares with it counts once. */
export function usedBy(ownerId: SQL | string): SQL<number> {
  return sql`(SELECT coalesce(sum(o.size), 0) FROM (SELECT DISTINCT f.object_key, f.size
    FROM files f WHERE f.owner_id = ${ownerId}) o)`;
}
