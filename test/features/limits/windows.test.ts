import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { consume } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { contextOn } from '#support/context.ts';
import { db } from '#support/factories.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 1, 12) });
});

test.each([
  ['3/15m', 3, 15 * minute],
  ['2/s', 2, second],
  ['10/d', 10, 24 * hour],
  ['4/7s', 4, 7 * second],
])(
  '%s: in any 23/24 of its window no more than %i pass, and nothing below that is refused',
  async (rate, count, length) => {
    const random = pseudoRandom(7);
    const subject = crypto.randomUUID();
    const passed: number[] = [];
    for (let step = 0; step < 80; step += 1) {
      vi.setSystemTime(Date.now() + Math.floor((random() * 2 * length) / count));
      const now = Date.now();
      const isThrough = await mayTake(rate, subject);
      const within = (span: number) => passed.filter((at) => at > now - span).length;
      if (isThrough) {
        expect(within((length * 23) / 24)).toBeLessThan(count);
        passed.push(now);
      } else {
        expect(within(length)).toBeGreaterThanOrEqual(count);
      }
    }
    expect(passed.length).toBeGreaterThan(20);
    expect(passed.length).toBeLessThan(80);
  },
);

test('counts of a clock a day ahead are ignored, and counts of a clock behind still apply', async () => {
  const subject = crypto.randomUUID();
  const now = Date.now();
  vi.setSystemTime(now + 24 * hour);
  expect(await mayTake('1/h', subject)).toBe(true);
  vi.setSystemTime(now);
  expect(await mayTake('1/h', subject)).toBe(true);
  expect(await mayTake('1/h', subject)).toBe(false);
  vi.setSystemTime(now + 59 * minute);
  expect(await mayTake('1/h', subject)).toBe(false);
});

test('of 30 parallel requests exactly as many pass as there is room for, even if the window covers many buckets', async () => {
  const subject = crypto.randomUUID();
  for (let count = 0; count < 5; count += 1) {
    expect(await mayTake('12/h', subject)).toBe(true);
    vi.setSystemTime(Date.now() + 7 * minute);
  }
  const passed = await Promise.all(Array.from({ length: 30 }, () => mayTake('12/h', subject)));

  expect(passed.filter((isThrough) => isThrough)).toHaveLength(7);
});

test('a bucket is removed when its window has passed, and there are at most 24 rows per subject', async () => {
  await db.delete(counters);
  const subject = crypto.randomUUID();
  const start = Date.now();
  for (let step = 0; step < 48; step += 1) {
    expect(await mayTake('1000/d', subject)).toBe(true);
    vi.setSystemTime(Date.now() + 30 * minute);
  }
  const rows = await db.select().from(counters);

  expect(rows).toHaveLength(24);
  expect(rows.map(({ count }) => count)).toEqual(Array(24).fill(2));
  expect(rows.map(({ expiresAt }) => expiresAt.getTime()).sort()).toEqual(
    Array.from({ length: 24 }, (_, index) => start + index * hour + 24 * hour),
  );
});

async function mayTake(rate: string, subject: string): Promise<boolean> {
  const ctx = contextOn({ ...env, LIMITS: { courses_per_user: [rate] } });
  try {
    await consume(ctx, [{ limit: 'courses_per_user', subject }], 'refuse');
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') {
      return false;
    }
    throw error;
  }
}

/** Numbers from 0 to 1, the same in every run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
