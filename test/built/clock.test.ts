import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startClock } from '../../scripts/local/clock.ts';
import { crons } from '../../src/settings.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;

test('npm start runs the jobs of each cron about as often as Cloudflare does, until it stops', async () => {
  const runs: string[] = [];
  const clock = startClock(async () => ({
    scheduled: async ({ cron }) => {
      runs.push(cron);
    },
  }));
  await vi.advanceTimersByTimeAsync(5 * minute);
  expect(runs).toEqual([crons.often, crons.money]);
  await vi.advanceTimersByTimeAsync(24 * 60 * minute);
  const times = Object.values(crons).map((cron) => runs.filter((run) => run === cron).length);
  expect(times).toEqual([289, 289, 24, 1]);
  await clock.close();
  await vi.advanceTimersByTimeAsync(24 * 60 * minute);
  expect(runs).toHaveLength(289 + 289 + 24 + 1);
});

test('a job that fails is reported, and runs again', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const clock = startClock(async () => ({ scheduled: () => Promise.reject(new Error('Busy')) }));
  await vi.advanceTimersByTimeAsync(10 * minute);

  // Two crons, twice.
  const failure = ['A scheduled job failed: Error: Busy'];
  expect(said.mock.calls).toEqual([failure, failure, failure, failure]);
  await clock.close();
});
