import { crons } from '../../src/settings.ts';
import type { Running } from './running.ts';

/** What runs the jobs of a cron: a worker of Miniflare. */
type Scheduled = { scheduled: (options: { cron: string }) => Promise<unknown> };

const minuteMs = 60_000;

/** How often Cloudflare runs them; the exact minute does not matter here. */
const intervalMs: Record<keyof typeof crons, number> = {
  often: 5 * minuteMs,
  money: 5 * minuteMs,
  hourly: 60 * minuteMs,
  nightly: 24 * 60 * minuteMs,
};

/** Runs scheduled jobs as Cloudflare does: Miniflare runs none by itself. */
export function startClock(getWorker: () => Promise<Scheduled>): Running {
  const timers = Object.entries(intervalMs).map(([name, every]) =>
    setInterval(async () => {
      try {
        const worker = await getWorker();
        await worker.scheduled({ cron: crons[name as keyof typeof crons] });
      } catch (error) {
        // The next run does what is left.
        console.error(`A scheduled job failed: ${error}`);
      }
    }, every),
  );
  return {
    close: async () => {
      for (const timer of timers) {
        clearInterval(timer);
      }
    },
  };
}
