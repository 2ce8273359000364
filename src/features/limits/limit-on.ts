import 'server-only';
import { notExists, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isRefusalBy, isUnwritable } from '#db/errors.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { AppError } from '#lib/app-error.ts';
import { sign } from '#lib/tokens.ts';
import type { LimitName } from '#vocabulary.ts';
import type { NetworkLimitName } from './limits.ts';

/**
 * One use of a limit, and its subject, such as an address or a user's id. Limits per client network
 * take it from the request, and also count for the wider network, so that no caller forgets either.
 */
export type LimitUse = (
  | { limit: NetworkLimitName }
  | { limit: Exclude<LimitName, NetworkLimitName>; subject: string }
) & {
  /** 0 only checks that the limit is not used up. */
  cost?: 0 | 1;
};

/** A wider network gets the limits of this many client networks, though it contains 65,536. */
const clientNetworksPerWiderNetwork = 16;

/** A sliding window consists of this many buckets, and expires bucket by bucket. */
const bucketsPerWindow = 24;

/** The sliding window of a rate, up to now. Times are in milliseconds since 1970. */
type Window = Awaited<ReturnType<typeof openWindows>>[number];

/** A full window, and the beginning of its oldest non-empty bucket. */
type FullWindow = Window & { oldest: number };

/** A bucket that was counted in, to refund it. */
export type CountedBucket = Pick<Window, 'limit' | 'key' | 'bucket'>;

/** The result of a count: nothing was counted if any window is full. */
export type Usage = {
  full: FullWindow[];
  counted: CountedBucket[];
  /** How often each bucket was counted. */
  times: number;
};

/** What to do if counting fails. Requests that send emails are always refused. */
type WhenBroken = 'refuse' | 'allow';

/** When there is room again, and for how many. */
export type NextRoom = { at: Date; count: number };

/**
 * Prepares the check of a request against all its limits, without a query: limits as SQL, for the
 * batch of the limited write.
 *
 * If D1 rejects the count, or any write, it has rolled back the whole batch, which then fails with
 * `unavailable` or is retried without the limits. Other failures are the verb's own, and are not
 * retried, because the batch may have been written.
 */
export async function limitOn(ctx: Context, uses: LimitUse[], whenBroken: WhenBroken) {
  let windows = await openWindows(ctx, uses);
  /** True if every window has room. A condition of every limited write, which the count follows. */
  const hasRoom = {
    // Evaluated when the batch runs, which may be a retry.
    getSQL: () => (windows.length === 0 ? sql`true` : haveRoom({ list: JSON.stringify(windows) })),
  };
  /** How many uses every window has room for, for a write of many; null without a limit. */
  const left = {
    getSQL: () => (windows.length === 0 ? sql`NULL` : leastLeft({ list: JSON.stringify(windows) })),
  };

  function recover(error: unknown): boolean {
    const isBroken = windows.length > 0 && (isRefusalBy('counters', error) || isUnwritable(error));
    if (!isBroken) {
      return false;
    }
    ctx.observe.log('limiter_failed', { limit: uses.map(({ limit }) => limit).join() });
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause: error });
    }
    windows = [];
    return true;
  }

  /**
   * Counts in all windows or, if any is full, in none, so that parallel requests never exceed the
   * limit, and refused ones use nothing up.
   *
   * @param where a further condition, evaluated after the preceding statements of the batch
   * @param times how often it counts, evaluated likewise; the write has taken care of `left`
   */
  function count(where?: SQL, times: SQL | 1 = 1): Query<Usage> {
    const list = JSON.stringify(windows);
    const counting = query(
      // The levels first, because counting may fill a window.
      {
        levels: levelsOf({ list, times }),
        counted: countUp({
          list,
          times,
          condition: where === undefined ? haveRoom({ list }) : sql`${hasRoom} AND ${where}`,
        }),
      },
      ({ levels, counted }) => usageOf(ctx, windows, levels, counted),
    );
    return {
      statements: () => (windows.length === 0 ? [] : counting.statements()),
      read: (results) =>
        windows.length === 0 ? { full: [], counted: [], times: 0 } : counting.read(results),
      recover,
    };
  }

  /**
   * Reads how the windows fill, before the count of its batch.
   *
   * @returns says when there will be room for `more` uses, or for as many as a window holds, after
   *   `taken` uses now; null without a limit
   */
  function findNextRoom() {
    return query(
      { buckets: bucketsOf({ list: JSON.stringify(windows) }) },
      ({ buckets }) =>
        (taken: number, more: number) =>
          nextRoom(windows, buckets, taken, more),
    );
  }

  return { hasRoom, left, findNextRoom, count };
}

/** The moment at which as many buckets have left each window as it takes. */
function nextRoom(
  windows: readonly Window[],
  buckets: readonly Bucket[],
  taken: number,
  more: number,
): NextRoom | null {
  if (windows.length === 0) {
    return null;
  }
  const count = Math.min(more, ...windows.map(({ max }) => max));
  const times = windows.map(({ key, bucket, seconds, now, max }) => {
    const filled = [...buckets.filter((one) => one.key === key), { begins: bucket, count: taken }];
    let over = filled.reduce((sum, one) => sum + one.count, count - max);
    let at = now;
    for (const { begins, count: uses } of filled.toSorted((a, b) => a.begins - b.begins)) {
      if (over <= 0) {
        break;
      }
      over -= uses;
      at = begins + seconds * 1000;
    }
    return at;
  });
  return { at: new Date(Math.max(...times)), count };
}

/**
 * Counts in a trip of its own, and refuses the request beyond a limit.
 *
 * @throws AppError `rate_limited`, `mail_unavailable`, `unavailable`
 */
export async function consume(ctx: Context, uses: LimitUse[], whenBroken: WhenBroken) {
  const limit = await limitOn(ctx, uses, whenBroken);
  const answers = await ask(ctx, { usage: limit.count() }).catch((error: unknown) => {
    // Nothing but the count is in this trip, so its failure is the limiter's, whatever it is.
    if (whenBroken === 'refuse') {
      throw new AppError('unavailable', { cause: error });
    }
    ctx.observe.log('limiter_failed', { limit: uses.map((use) => use.limit).join() });
    return null;
  });
  refuseFull(ctx, answers?.usage.full ?? []);
}

/**
 * Refuses the request beyond a limit.
 *
 * @throws AppError `rate_limited` or `mail_unavailable`, if there is a full window
 */
export function refuseFull(ctx: Context, full: FullWindow[]): void {
  if (full.length === 0) {
    return;
  }
  const own = full.filter(({ limit }) => !budgets.includes(limit));
  const refusing = own.length > 0 ? own : full;
  ctx.observe.log('rate_limited', {
    limit: [...new Set(refusing.map(({ limit }) => limit))].join(),
  });
  // Until the oldest bucket leaves the window.
  const waits = refusing.map(({ oldest, start }) => Math.ceil((oldest - start) / 1000));
  const retryAfterSeconds = Math.max(1, ...waits);
  const cause = new AppError('rate_limited', { retryAfterSeconds });
  throw own.length > 0 ? cause : new AppError('mail_unavailable', { cause, retryAfterSeconds });
}

/** The statement that subtracts the counts of this request only. */
export function refund(counted: CountedBucket[], times = 1) {
  const rows = JSON.stringify(counted.map(({ key, bucket }) => [key, bucket]));
  return db
    .update(counters)
    .set({ count: sql`max(0, ${counters.count} - ${times})` })
    .where(
      sql`(${counters.key}, ${counters.windowStart}) IN
        (SELECT buckets.value ->> 0, buckets.value ->> 1 FROM json_each(${rows}) AS buckets)`,
    );
}

/** The keys of all counters of a subject, to delete them with an account. */
export async function counterKeys(ctx: Context, uses: LimitUse[]): Promise<string[]> {
  return (await openWindows(ctx, uses)).map(({ key }) => key);
}

function openWindows(ctx: Context, uses: LimitUse[]) {
  const now = ctx.now().getTime();
  return Promise.all(
    uses.flatMap((use) =>
      subjectsOf(ctx, use).flatMap(({ subject, times }) =>
        ctx.config.limits[use.limit].map(async ({ count, seconds }) => {
          const bucket = now - (now % Math.ceil((seconds * 1000) / bucketsPerWindow));
          return {
            limit: use.limit,
            key: await sign(`limit:${use.limit}:${seconds}:${subject}`, ctx.config.appSecret),
            /** Buckets that begin at this time or earlier are outside the window. */
            start: now - seconds * 1000,
            now,
            bucket,
            /** When the bucket leaves its only window: the key contains the seconds. */
            expiresAt: bucket + seconds * 1000,
            seconds,
            max: count * times,
            cost: use.cost ?? 1,
          };
        }),
      ),
    ),
  );
}

/** The subjects of a use, each with the factor for its rate. */
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

/** The values of a window in a list: one parameter, however many windows there are. */
const windowColumns = {
  key: sql<string>`windows.value ->> 'key'`,
  start: sql`windows.value ->> 'start'`,
  now: sql`windows.value ->> 'now'`,
  bucket: sql`windows.value ->> 'bucket'`,
  expiresAt: sql`windows.value ->> 'expiresAt'`,
  max: sql`windows.value ->> 'max'`,
  cost: sql`windows.value ->> 'cost'`,
};

function windowsIn(list: SQL): SQL {
  return sql`json_each(${list}) AS windows`;
}

/** An aggregate of a window's buckets. Ignores later buckets, which come from a wrong clock. */
function ofBuckets<Value>(what: SQL<Value>): SQL<Value> {
  return sql`(SELECT ${what} FROM ${counters} WHERE ${counters.key} = ${windowColumns.key}
    AND ${counters.windowStart} > ${windowColumns.start} AND ${counters.windowStart} <= ${windowColumns.now} AND ${counters.count} > 0)`;
}

const useOf = ofBuckets(sql<number>`coalesce(sum(${counters.count}), 0)`);
const oldestOf = ofBuckets(sql<number | null>`min(${counters.windowStart})`);

/** The query for the current count of each window. */
const levelsOf = prepared(({ list, times }: Given<'list' | 'times'>) =>
  db
    .select({
      key: windowColumns.key.as('key'),
      count: useOf.as('count'),
      oldest: oldestOf.as('oldest'),
      times: sql<number>`${times}`.as('times'),
    })
    .from(windowsIn(list)),
);

type Bucket = { key: string; begins: number; count: number };

const bucketsOf = prepared(({ list }: Given<'list'>) =>
  db.all<Bucket>(sql`SELECT b.key, b.window_start AS begins, b.count
    FROM ${windowsIn(list)} JOIN counters b ON b.key = ${windowColumns.key}
    WHERE b.window_start > ${windowColumns.start} AND b.window_start <= ${windowColumns.now} AND b.count > 0`),
);

/** Whether none of the windows is full. */
const haveRoom = fragment(({ list }: Given<'list'>) => {
  const full = db
    .select({ key: windowColumns.key.as('key') })
    .from(windowsIn(list))
    .where(sql`${useOf} >= ${windowColumns.max}`);
  return sql`${notExists(full)}`;
});

/** How many more the fullest window has room for. */
const leastLeft = fragment(
  ({ list }: Given<'list'>) =>
    sql`(SELECT max(0, min(${windowColumns.max} - ${useOf})) FROM ${windowsIn(list)})`,
);

/** Returns the counted keys: none if the condition does not hold. */
const countUp = prepared(({ list, times, condition }: Given<'list' | 'times' | 'condition'>) =>
  db
    .insert(counters)
    .select(
      sql`SELECT ${windowColumns.key}, ${windowColumns.bucket}, ${times}, ${windowColumns.expiresAt}
        FROM ${windowsIn(list)} WHERE ${windowColumns.cost} > 0 AND ${condition}`,
    )
    .onConflictDoUpdate({
      target: [counters.key, counters.windowStart],
      set: { count: sql`${counters.count} + excluded.count` },
    })
    .returning({ key: counters.key }),
);

function usageOf(
  ctx: Context,
  windows: Window[],
  levels: { key: string; count: number; oldest: number | null; times: number }[],
  rows: { key: string }[],
): Usage {
  const levelOf = new Map(levels.map((level) => [level.key, level]));
  const keys = new Set(rows.map(({ key }) => key));
  const counted = windows.filter(({ key }) => keys.has(key));
  const times = levels[0]?.times ?? 0;
  for (const { key, limit, max } of counted) {
    const before = levelOf.get(key)?.count ?? 0;
    for (const percent of budgets.includes(limit) ? warningPercents : []) {
      const level = Math.ceil((max * percent) / 100);
      if (before < level && before + times >= level) {
        ctx.observe.log('mail_budget', { limit, percent, max });
      }
    }
  }
  return {
    full: windows.flatMap((window) => {
      const { count = 0, oldest = null } = levelOf.get(window.key) ?? {};
      return count >= window.max ? [{ ...window, oldest: oldest ?? window.bucket }] : [];
    }),
    counted,
    times,
  };
}

/** Limits shared by all emails of the deployment, so not the fault of the user who hits them. */
const budgets: LimitName[] = ['mails', 'mails_to_unproven', 'cohort_mails', 'unasked_cohort_mails'];

/** The percentages of a budget that are logged as a warning when they are reached. */
const warningPercents = [50, 80];

/**
 * The limit uses of every email.
 *
 * @param isProven whether the address has been verified
 */
export function budgetUses(isProven: boolean): LimitUse[] {
  return [
    { limit: 'mails', subject: 'all' },
    ...(isProven ? [] : [{ limit: 'mails_to_unproven', subject: 'all' } as const]),
  ];
}
