import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { counters } from '#db/schema/counters.ts';
import { AppError } from '#lib/app-error.ts';
import { sign } from '#lib/tokens.ts';
import type { LimitName } from './limits.ts';

/** One thing that is about to happen, and whom or what it is counted for: an address, a place, a user's id. */
export type Draw = {
  limit: LimitName;
  subject: string;
  /** 0 only asks whether there is anything left. */
  cost?: 0 | 1;
};

type LimitOptions = {
  /** What becomes of the request when counting itself fails. What sends mails is refused, everything else goes on. */
  whenBroken: 'refuse' | 'go on';
};

/** A counter in the window that is open now. */
type Window = { key: string; windowStart: number; expiresAt: number; max: number; cost: 0 | 1 };

/** How full a counter is now that it has gone up. */
type Level = { count: number; max: number };

/**
 * Counts what is about to happen against all its limits, in one statement: either every counter goes up or, when any is full,
 * none does. So parallel requests never pass more than the limit, and refused ones use nothing up.
 *
 * @returns how full the counters are now; nothing where counting failed and the request goes on without
 * @throws AppError `rate_limited` with the seconds until all of the limits have room again; `unavailable` when counting failed
 *   and the request must not go on without
 */
export async function takeFrom(
  ctx: Context,
  draws: Draw[],
  { whenBroken }: LimitOptions,
): Promise<Level[]> {
  const limit = draws.map((draw) => draw.limit).join();
  try {
    const windows = await openWindows(ctx, draws);
    if (windows.length === 0) {
      return [];
    }
    const levels = await countUp(ctx, windows);
    if (levels.length > 0) {
      return levels;
    }
    // Something is full, or nothing was to be counted.
    const ends = await endsOfFull(ctx, windows);
    if (ends.length === 0 && windows.every(({ cost }) => cost === 0)) {
      return [];
    }
    const seconds = Math.max(0, ...ends) - ctx.now().getTime() / 1000;
    ctx.log('rate_limited', { limit });
    throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
  } catch (cause) {
    if (cause instanceof AppError) {
      throw cause;
    }
    ctx.log('limiter_failed', { limit });
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause });
    }
    return [];
  }
}

/** Where the counts of a subject are kept, in all windows that are open now: for what has to go with an account. */
export async function counterKeys(ctx: Context, draws: Draw[]): Promise<string[]> {
  return (await openWindows(ctx, draws)).map(({ key }) => key);
}

function openWindows(ctx: Context, draws: Draw[]): Promise<Window[]> {
  const now = ctx.now().getTime();
  return Promise.all(
    draws.flatMap(({ limit, subject, cost = 1 }) =>
      ctx.limits[limit].map(async ({ count, seconds }) => {
        const windowStart = now - (now % (seconds * 1000));
        return {
          key: await sign(`limit:${limit}:${seconds}:${subject}`, ctx.appSecret),
          windowStart,
          expiresAt: windowStart + seconds * 1000,
          max: count,
          cost,
        };
      }),
    ),
  );
}

/** Empty, and nothing counted, when any of the windows is full. */
async function countUp(ctx: Context, windows: Window[]): Promise<Level[]> {
  const counted = await ctx.db.all<{ key: string; count: number }>(sql`
    WITH ${wantedOf(windows)}
    INSERT INTO ${counters} (key, window_start, count, expires_at)
    SELECT key, window_start, cost, expires_at FROM wanted
    WHERE cost > 0 AND NOT EXISTS (${fullAmong()})
    ON CONFLICT (key, window_start) DO UPDATE SET count = count + excluded.count
    RETURNING key, count`);
  const maxOf = new Map(windows.map(({ key, max }) => [key, max]));
  return counted.map(({ key, count }) => ({ count, max: maxOf.get(key) ?? count }));
}

/** When the full ones among the windows end, in seconds since 1970. */
async function endsOfFull(ctx: Context, windows: Window[]): Promise<number[]> {
  const full = await ctx.db.all<{ expiresAt: number }>(
    sql`WITH ${wantedOf(windows)} ${fullAmong()}`,
  );
  return full.map(({ expiresAt }) => expiresAt / 1000);
}

function wantedOf(windows: Window[]) {
  const rows = windows.map(
    ({ key, windowStart, expiresAt, max, cost }) =>
      sql`(${key}, ${windowStart}, ${expiresAt}, ${max}, ${cost})`,
  );
  return sql`wanted (key, window_start, expires_at, max, cost) AS (VALUES ${sql.join(rows, sql`, `)})`;
}

function fullAmong() {
  return sql`SELECT wanted.expires_at AS expiresAt FROM wanted
    JOIN ${counters} ON counters.key = wanted.key AND counters.window_start = wanted.window_start
    WHERE counters.count >= wanted.max`;
}
