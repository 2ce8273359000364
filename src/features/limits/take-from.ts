import 'server-only';
import { and, notExists, type SQL, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import type { Context } from '#context.ts';
import { resultsOf, type Statements } from '#db/batch.ts';
import { counters } from '#db/schema/counters.ts';
import { AppError } from '#lib/app-error.ts';
import { sign } from '#lib/tokens.ts';
import type { LimitName, NetworkLimitName } from './limits.ts';
import { isBudget, warnOfBudget } from './mail-budget.ts';

/**
 * One thing that is about to happen, and whom or what it is counted for: an address, a user's id.
 * What is limited for a place is counted for that of the request, and a second time for the network
 * around it, so that no caller can forget either.
 */
export type Draw = (
  | { limit: NetworkLimitName }
  | { limit: Exclude<LimitName, NetworkLimitName>; subject: string }
) & {
  /** 0 only asks whether there is anything left. */
  cost?: 0 | 1;
};

/** A network may do as much as so many places, though an IPv6 network has 65,536 of them. */
const clientNetworksPerWiderNetwork = 16;

/**
 * A window moves on by a part of itself at a time: what was counted leaves it with the rest of its
 * bucket.
 */
const bucketsPerWindow = 24;

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

/** The time that a rate looks back on, up to now, in milliseconds since 1970. */
type Window = {
  limit: LimitName;
  key: string;
  /** What was counted in a bucket that began then, or before, has left the window. */
  start: number;
  now: number;
  /** Where the bucket begins that is counted in now. */
  bucket: number;
  seconds: number;
  max: number;
  cost: 0 | 1;
};

/** A window without room, and where the first of its buckets begins that has anything in it. */
type FullWindow = Window & { oldest: number };

/** How full a window is now; 0 where nothing was counted. */
export type Level = Pick<Window, 'limit' | 'max'> & { count: number };

/** A bucket that something was counted in, to give it back. */
export type Drawn = Pick<Window, 'limit' | 'key' | 'bucket'>;

/** What came of a count. */
type Taken<Along extends Statements> = {
  results: BatchResponse<Along>;
  full: FullWindow[];
  drawn: Drawn[];
};

/**
 * Counts what is about to happen against all its limits, in one trip with what hangs on it: either
 * every counter goes up or, when any window is full, none does. So parallel requests never pass
 * more than the limit, and refused ones use nothing up.
 *
 * @returns what came of the statements of `along`
 * @throws AppError `rate_limited` with the seconds until the first room in all of these limits;
 *   `mail_unavailable` where it is only the budget of mails that is used up; `unavailable` when
 *   counting failed and the request must not go on without
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

/** Like `takeFrom`, but returns the full windows instead of throwing, and what a refund needs. */
export async function tryToTake<const Along extends Statements = []>(
  ctx: Context,
  draws: Draw[],
  { whenBroken, along, countedIf }: LimitOptions<Along>,
): Promise<Taken<Along>> {
  const others = (hasRoom: SQL) => along?.(hasRoom) ?? [];
  try {
    const windows = await openWindows(ctx, draws);
    if (windows.length === 0 && along === undefined) {
      return { results: resultsOf<Along>([]), full: [], drawn: [] };
    }
    const hasRoom = notExists(fullAmong(ctx, windows));
    const [uses, ...rows] = await ctx.db.batch([
      // First: what is counted below may fill a window.
      usesOf(ctx, windows),
      ...others(hasRoom),
      countUp(ctx, windows, and(hasRoom, countedIf)),
    ]);
    const counted = new Set(countedIn(rows).map(({ key }) => key));
    const used = new Map(uses.map((use) => [use.key, use]));
    warnOfBudget(
      ctx,
      windows.map(({ key, limit, max }) => ({
        limit,
        max,
        count: counted.has(key) ? (used.get(key)?.count ?? 0) + 1 : 0,
      })),
    );
    return {
      results: resultsOf<Along>(rows.slice(0, -1)),
      full: windows.flatMap((window) => {
        const { count = 0, oldest = null } = used.get(window.key) ?? {};
        return count >= window.max ? [{ ...window, oldest: oldest ?? window.bucket }] : [];
      }),
      drawn: windows.filter(({ key }) => counted.has(key)),
    };
  } catch (cause) {
    ctx.observe.log('limiter_failed', { limit: draws.map(({ limit }) => limit).join() });
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause });
    }
  }
  const [first, ...more] = others(sql`true`);
  const rows = first === undefined ? [] : await ctx.db.batch([first, ...more]);
  return { results: resultsOf<Along>(rows), full: [], drawn: [] };
}

/**
 * Ends what is beyond a limit.
 *
 * @throws AppError `rate_limited` or `mail_unavailable`, unless there is no full window
 */
export function refuseFull(ctx: Context, full: FullWindow[]): void {
  if (full.length === 0) {
    return;
  }
  const own = full.filter(({ limit }) => !isBudget(limit));
  const refusing = own.length > 0 ? own : full;
  ctx.observe.log('rate_limited', {
    limit: [...new Set(refusing.map(({ limit }) => limit))].join(),
  });
  // Until the oldest of what was counted leaves.
  const waits = refusing.map(({ oldest, start }) => Math.ceil((oldest - start) / 1000));
  const limited = new AppError('rate_limited', { retryAfterSeconds: Math.max(1, ...waits) });
  throw own.length > 0
    ? limited
    : new AppError('mail_unavailable', {
        cause: limited,
        retryAfterSeconds: Math.max(1, ...waits),
      });
}

/**
 * The statement that uncounts what did not happen after all. What other requests have counted in
 * the meantime stays.
 */
export function refund({ db }: Context, drawn: Drawn[]) {
  const rows = JSON.stringify(drawn.map(({ key, bucket }) => [key, bucket]));
  return db
    .update(counters)
    .set({ count: sql`max(0, ${counters.count} - 1)` })
    .where(
      sql`(${counters.key}, ${counters.windowStart}) IN
        (SELECT wanted.value ->> 0, wanted.value ->> 1 FROM json_each(${rows}) AS wanted)`,
    );
}

/** Where the counts of a subject are kept, in all windows: for what has to go with an account. */
export async function counterKeys(ctx: Context, draws: Draw[]): Promise<string[]> {
  return (await openWindows(ctx, draws)).map(({ key }) => key);
}

function openWindows(ctx: Context, draws: Draw[]): Promise<Window[]> {
  const now = ctx.now().getTime();
  return Promise.all(
    draws.flatMap((draw) =>
      subjectsOf(ctx, draw).flatMap(({ subject, times }) =>
        ctx.config.limits[draw.limit].map(async ({ count, seconds }) => ({
          limit: draw.limit,
          key: await sign(`limit:${draw.limit}:${seconds}:${subject}`, ctx.config.appSecret),
          start: now - seconds * 1000,
          now,
          bucket: now - (now % Math.ceil((seconds * 1000) / bucketsPerWindow)),
          seconds,
          max: count * times,
          cost: draw.cost ?? 1,
        })),
      ),
    ),
  );
}

/** Whom something is counted for, and how many times the count of the rate each of these has. */
function subjectsOf({ request }: Context, draw: Draw): { subject: string; times: number }[] {
  if ('subject' in draw) {
    return [{ subject: draw.subject, times: 1 }];
  }
  return [
    { subject: request.clientNetwork, times: 1 },
    ...(request.widerNetwork === null
      ? []
      : [{ subject: request.widerNetwork, times: clientNetworksPerWiderNetwork }]),
  ];
}

/**
 * The values of a window in the list of all; one list in the place of many values, so that the
 * statement is the same for any number.
 */
const wanted = {
  key: sql<string>`wanted.value ->> 0`,
  start: sql`wanted.value ->> 1`,
  now: sql`wanted.value ->> 2`,
  bucket: sql`wanted.value ->> 3`,
  expiresAt: sql`wanted.value ->> 4`,
  max: sql`wanted.value ->> 5`,
  cost: sql`wanted.value ->> 6`,
};

function listOf(windows: Window[]): SQL {
  const rows = windows.map(({ key, start, now, bucket, seconds, max, cost }) => [
    key,
    start,
    now,
    bucket,
    // Then the bucket leaves the window, and no other window has it: the seconds are in the key.
    bucket + seconds * 1000,
    max,
    cost,
  ]);
  return sql`json_each(${JSON.stringify(rows)}) AS wanted`;
}

/**
 * Something about the buckets of a window. A bucket that begins after now is from a clock that was
 * wrong, and does not count.
 */
function ofBuckets<Value>(what: SQL<Value>): SQL<Value> {
  return sql`(SELECT ${what} FROM ${counters} WHERE ${counters.key} = ${wanted.key}
    AND ${counters.windowStart} > ${wanted.start} AND ${counters.windowStart} <= ${wanted.now} AND ${counters.count} > 0)`;
}

const useOf = ofBuckets(sql<number>`coalesce(sum(${counters.count}), 0)`);
const oldestOf = ofBuckets(sql<number | null>`min(${counters.windowStart})`);

/** The query for how much of each window is used. */
function usesOf({ db }: Context, windows: Window[]) {
  return db
    .select({ key: wanted.key.as('key'), count: useOf.as('count'), oldest: oldestOf.as('oldest') })
    .from(listOf(windows));
}

/** The query for the keys of the full ones among the windows. */
function fullAmong({ db }: Context, windows: Window[]) {
  return db
    .select({ key: wanted.key.as('key') })
    .from(listOf(windows))
    .where(sql`${useOf} >= ${wanted.max}`);
}

/** Gives back what has gone up, which is nothing where the condition does not hold. */
function countUp({ db }: Context, windows: Window[], condition: SQL | undefined) {
  return db
    .insert(counters)
    .select(
      sql`SELECT ${wanted.key}, ${wanted.bucket}, 1, ${wanted.expiresAt} FROM ${listOf(windows)}
        WHERE ${and(sql`${wanted.cost} > 0`, condition)}`,
    )
    .onConflictDoUpdate({
      target: [counters.key, counters.windowStart],
      set: { count: sql`${counters.count} + excluded.count` },
    })
    .returning({ key: counters.key });
}

/** What a batch gave for `countUp`, which stands last in it. */
function countedIn(rows: unknown[]): { key: string }[] {
  return rows.at(-1) as { key: string }[];
}
