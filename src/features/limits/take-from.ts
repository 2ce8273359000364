import 'server-only';
import { and, notExists, type SQL, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import type { Context } from '#context.ts';
import { resultsOf, type Statements } from '#db/batch.ts';
import { counters } from '#db/schema/counters.ts';
import { AppError } from '#lib/app-error.ts';
import { sign } from '#lib/tokens.ts';
import type { LimitName } from './limits.ts';
import { isBudget, warnOfBudget } from './mail-budget.ts';

/** One thing that is about to happen, and whom or what it is counted for: an address, a place, a user's id. */
export type Draw = {
  limit: LimitName;
  subject: string;
  /** 0 only asks whether there is anything left. */
  cost?: 0 | 1;
};

type LimitOptions<Along extends Statements> = {
  /** What becomes of the request when counting itself fails. What sends mails is refused, everything else goes on. */
  whenBroken: 'refuse' | 'go on';
  /**
   * What else is asked of the database in the same trip, before anything is counted. Nothing of it may break a constraint.
   *
   * @param hasRoom a condition that every write has to carry: false where the request is refused
   */
  along?: (hasRoom: SQL) => Along;
  /** Nothing is counted where this does not hold after `along`. */
  countedIf?: SQL;
};

/** A counter in the window that is open now. */
type Window = {
  limit: LimitName;
  key: string;
  windowStart: number;
  expiresAt: number;
  max: number;
  cost: 0 | 1;
};

/** How full a counter is now; 0 where it has not gone up. */
export type Level = Pick<Window, 'limit' | 'max'> & { count: number };

/** A counter that has gone up. */
type Counted = { key: string; count: number };

/** What came of a count. */
type Taken<Along extends Statements> = { results: BatchResponse<Along>; full: Window[] };

/**
 * Counts what is about to happen against all its limits, in one trip with what hangs on it: either every counter goes up or, when
 * any is full, none does. So parallel requests never pass more than the limit, and refused ones use nothing up.
 *
 * @returns what came of the statements of `along`
 * @throws AppError `rate_limited` with the seconds until all of these limits have room again; `mail_unavailable` where it is only the
 *   budget of mails that is used up; `unavailable` when counting failed and the request must not go on without
 */
export async function takeFrom<const Along extends Statements = []>(
  ctx: Context,
  draws: Draw[],
  options: LimitOptions<Along>,
): Promise<BatchResponse<Along>> {
  const { results, full } = await tryToTake(ctx, draws, options);
  refuseFull(ctx, full);
  return results;
}

/** The same for whoever has to look at the results before refusing. The full windows are told, and nothing is thrown for them. */
export async function tryToTake<const Along extends Statements = []>(
  ctx: Context,
  draws: Draw[],
  { whenBroken, along, countedIf }: LimitOptions<Along>,
): Promise<Taken<Along>> {
  const others = (hasRoom: SQL) => along?.(hasRoom) ?? [];
  try {
    const windows = await openWindows(ctx, draws);
    if (windows.length === 0 && along === undefined) {
      return { results: resultsOf<Along>([]), full: [] };
    }
    const hasRoom = notExists(fullAmong(ctx, windows));
    const [fullRows, ...rows] = await ctx.db.batch([
      // First: what is counted below may fill a window.
      fullAmong(ctx, windows),
      ...others(hasRoom),
      countUp(ctx, windows, and(hasRoom, countedIf)),
    ]);
    const counts = new Map(countedIn(rows).map(({ key, count }) => [key, count]));
    warnOfBudget(
      ctx,
      windows.map(({ key, limit, max }) => ({ limit, max, count: counts.get(key) ?? 0 })),
    );
    const isFull = new Set(fullRows.map(({ key }) => key));
    return {
      results: resultsOf<Along>(rows.slice(0, -1)),
      full: windows.filter(({ key }) => isFull.has(key)),
    };
  } catch (cause) {
    ctx.log('limiter_failed', { limit: draws.map(({ limit }) => limit).join() });
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause });
    }
  }
  const [first, ...more] = others(sql`true`);
  const rows = first === undefined ? [] : await ctx.db.batch([first, ...more]);
  return { results: resultsOf<Along>(rows), full: [] };
}

/**
 * Ends what is beyond a limit.
 *
 * @throws AppError `rate_limited` or `mail_unavailable`, unless there is no full window
 */
export function refuseFull(ctx: Context, full: Window[]): void {
  if (full.length === 0) {
    return;
  }
  const own = full.filter(({ limit }) => !isBudget(limit));
  const refusing = own.length > 0 ? own : full;
  ctx.log('rate_limited', { limit: [...new Set(refusing.map(({ limit }) => limit))].join() });
  const end = Math.max(...refusing.map(({ expiresAt }) => expiresAt));
  const seconds = Math.ceil((end - ctx.now().getTime()) / 1000);
  const limited = new AppError('rate_limited', { retryAfterSeconds: Math.max(1, seconds) });
  throw own.length > 0
    ? limited
    : new AppError('mail_unavailable', {
        cause: limited,
        retryAfterSeconds: Math.max(1, seconds),
      });
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
          limit,
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

/** One list in the place of many values, so that the statement is the same however many windows there are. */
function listOf(windows: Window[]): SQL {
  const rows = windows.map(({ key, windowStart, expiresAt, max, cost }) => [
    key,
    windowStart,
    expiresAt,
    max,
    cost,
  ]);
  return sql`json_each(${JSON.stringify(rows)}) AS wanted`;
}

/** The query for the keys of the full ones among the windows. */
function fullAmong({ db }: Context, windows: Window[]) {
  return db
    .select({ key: counters.key })
    .from(listOf(windows))
    .crossJoin(counters)
    .where(
      and(
        sql`${counters.key} = wanted.value ->> 0`,
        sql`${counters.windowStart} = wanted.value ->> 1`,
        sql`${counters.count} >= wanted.value ->> 3`,
      ),
    );
}

/** Gives back what has gone up, which is nothing where the condition does not hold. */
function countUp({ db }: Context, windows: Window[], condition: SQL | undefined) {
  return db
    .insert(counters)
    .select(
      sql`SELECT wanted.value ->> 0, wanted.value ->> 1, 1, wanted.value ->> 2 FROM ${listOf(windows)}
        WHERE ${and(sql`wanted.value ->> 4 > 0`, condition)}`,
    )
    .onConflictDoUpdate({
      target: [counters.key, counters.windowStart],
      set: { count: sql`${counters.count} + excluded.count` },
    })
    .returning({ key: counters.key, count: counters.count });
}

/** What a batch gave for `countUp`, which stands last in it. */
function countedIn(rows: unknown[]): Counted[] {
  return rows.at(-1) as Counted[];
}
