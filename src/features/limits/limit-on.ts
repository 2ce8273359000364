import 'server-only';
import { and, notExists, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isRefusalBy } from '#db/errors.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { AppError } from '#lib/app-error.ts';
import { sign } from '#lib/tokens.ts';
import type { LimitName } from '#vocabulary.ts';
import type { NetworkLimitName } from './limits.ts';
import { isBudget, warnOfBudget } from './mail-budget.ts';

/**
 * One thing that is about to happen, and whom or what it is counted for: an address, a user's id.
 * What is limited for a place is counted for that of the request, and a second time for the network
 * around it, so that no caller can forget either.
 */
export type LimitUse = (
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

/** A bucket that something was counted in, to refund it. */
export type CountedBucket = Pick<Window, 'limit' | 'key' | 'bucket'>;

/** What came of a count: nothing was counted if any window is full. */
export type Usage = { full: FullWindow[]; counted: CountedBucket[] };

/** What becomes of the request when counting fails. What sends emails is refused, whatever failed. */
type WhenBroken = 'refuse' | 'go on';

/** Limits as SQL, for the batch of what is limited. */
type Limit = {
  /** True if every window has room. Every limited write carries it, and comes before the count. */
  hasRoom: SQLWrapper;
  /**
   * Counts up in all windows or, if any is full, in none. So parallel requests never pass more than
   * the limit, and refused ones use nothing up.
   *
   * @param where what must hold besides, after all that comes before it in the batch
   */
  count: (where?: SQL) => Query<Usage>;
};

/**
 * What is about to happen, against all its limits. Asks nothing yet.
 *
 * When counting fails, D1 has refused the batch as a whole. It fails with `unavailable`, or is asked
 * once more without the limits. Other failures may have been written, and nothing is asked again.
 */
export async function limitOn(
  ctx: Context,
  uses: LimitUse[],
  whenBroken: WhenBroken,
): Promise<Limit> {
  let windows = await openWindows(ctx, uses);
  const hasRoom = {
    // When the batch is asked, which may be a second time.
    getSQL: () => (windows.length === 0 ? sql`true` : sql`${notExists(fullAmong(windows))}`),
  };

  function recover(error: unknown): boolean {
    const isBroken = windows.length > 0 && isRefusalBy('counters', error);
    if (isBroken) {
      ctx.observe.log('limiter_failed', { limit: uses.map(({ limit }) => limit).join() });
    }
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause: error });
    }
    windows = isBroken ? [] : windows;
    return isBroken;
  }

  function count(where?: SQL): Query<Usage> {
    const counting = query(
      // The levels first: what is counted after them may fill a window.
      { levels: levelsOf(windows), counted: countUp(windows, and(sql`${hasRoom}`, where)) },
      ({ levels, counted }) => usageOf(ctx, windows, levels, counted),
    );
    return {
      statements: () => (windows.length === 0 ? [] : counting.statements()),
      read: (results) =>
        windows.length === 0 ? { full: [], counted: [] } : counting.read(results),
      recover,
    };
  }

  return { hasRoom, count };
}

/**
 * Counts what needs nothing else of the database, and ends what is beyond a limit.
 *
 * @throws AppError `rate_limited`, `mail_unavailable`, `unavailable`
 */
export async function consume(
  ctx: Context,
  uses: LimitUse[],
  whenBroken: WhenBroken,
): Promise<void> {
  const limit = await limitOn(ctx, uses, whenBroken);
  const { usage } = await ask(ctx, { usage: limit.count() });
  refuseFull(ctx, usage.full);
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

/** The statement that uncounts what did not happen. What other requests have counted stays. */
export function refund(counted: CountedBucket[]) {
  const rows = JSON.stringify(counted.map(({ key, bucket }) => [key, bucket]));
  return db
    .update(counters)
    .set({ count: sql`max(0, ${counters.count} - 1)` })
    .where(
      sql`(${counters.key}, ${counters.windowStart}) IN
        (SELECT wanted.value ->> 0, wanted.value ->> 1 FROM json_each(${rows}) AS wanted)`,
    );
}

/** Where the counts of a subject are kept, in all windows: for what has to go with an account. */
export async function counterKeys(ctx: Context, uses: LimitUse[]): Promise<string[]> {
  return (await openWindows(ctx, uses)).map(({ key }) => key);
}

function openWindows(ctx: Context, uses: LimitUse[]): Promise<Window[]> {
  const now = ctx.now().getTime();
  return Promise.all(
    uses.flatMap((use) =>
      subjectsOf(ctx, use).flatMap(({ subject, times }) =>
        ctx.config.limits[use.limit].map(async ({ count, seconds }) => ({
          limit: use.limit,
          key: await sign(`limit:${use.limit}:${seconds}:${subject}`, ctx.config.appSecret),
          start: now - seconds * 1000,
          now,
          bucket: now - (now % Math.ceil((seconds * 1000) / bucketsPerWindow)),
          seconds,
          max: count * times,
          cost: use.cost ?? 1,
        })),
      ),
    ),
  );
}

/** Whom something is counted for, and how many times the count of the rate each of these has. */
function subjectsOf({ request }: Context, use: LimitUse): { subject: string; times: number }[] {
  if ('subject' in use) {
    return [{ subject: use.subject, times: 1 }];
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
function levelsOf(windows: Window[]) {
  return db
    .select({ key: wanted.key.as('key'), count: useOf.as('count'), oldest: oldestOf.as('oldest') })
    .from(listOf(windows));
}

/** The query for the keys of the full ones among the windows. */
function fullAmong(windows: Window[]) {
  return db
    .select({ key: wanted.key.as('key') })
    .from(listOf(windows))
    .where(sql`${useOf} >= ${wanted.max}`);
}

/** Returns what has gone up, which is nothing if the condition does not hold. */
function countUp(windows: Window[], condition: SQL | undefined) {
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

function usageOf(
  ctx: Context,
  windows: Window[],
  levels: { key: string; count: number; oldest: number | null }[],
  rows: { key: string }[],
): Usage {
  const levelOf = new Map(levels.map((level) => [level.key, level]));
  const keys = new Set(rows.map(({ key }) => key));
  const counted = windows.filter(({ key }) => keys.has(key));
  for (const { key, limit, max } of counted) {
    warnOfBudget(ctx, limit, (levelOf.get(key)?.count ?? 0) + 1, max);
  }
  return {
    full: windows.flatMap((window) => {
      const { count = 0, oldest = null } = levelOf.get(window.key) ?? {};
      return count >= window.max ? [{ ...window, oldest: oldest ?? window.bucket }] : [];
    }),
    counted,
  };
}
