import { type BuiltWorker, origin } from '../built/worker.ts';
import { type Settings, startWrappedWorker } from './wrapped-worker.ts';

/**
 * One request to D1: a statement or a batch. Starts and ends are numbered in the order in which
 * they happen.
 */
export type Trip = { start: number; end: number; statements: Statement[] };

type Statement = { sql: string; returned: number; read: number };

/** The built worker behind a module that counts its trips to D1; see counting.js. */
export async function startCountedWorker(settings: Settings): Promise<CountedWorker> {
  const built = await startWrappedWorker('counting.js', settings);
  return {
    ...built,
    takeTrips: async () => {
      const response = await built.server.getWorker().fetch(`${origin}/trips`);
      // Our own module; see counting.js.
      return (await response.json()) as Trip[];
    },
  };
}

export type CountedWorker = BuiltWorker & {
  /** The trips since the last call, once none is pending. */
  takeTrips: () => Promise<Trip[]>;
};

/** The longest chain of trips in which each started after the previous one had ended. */
export function depthOf(trips: Trip[]): number {
  const depths: number[] = [];
  const ordered = trips.toSorted((a, b) => a.start - b.start);
  ordered.forEach((trip, index) => {
    const before = ordered
      .slice(0, index)
      .map(({ end }, at) => (end < trip.start ? depths[at] : 0));
    depths.push(1 + Math.max(0, ...before.map((depth) => depth ?? 0)));
  });
  return Math.max(0, ...depths);
}
