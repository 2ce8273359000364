import { type BuiltWorker, origin } from '../built/worker.ts';
import { type Settings, startWrappedWorker } from './wrapped-worker.ts';

/** One request to D1: the statements of a batch, or one. */
export type Trip = { sql: string; params: unknown[]; read: number }[];

export type CountedWorker = BuiltWorker & {
  /** The trips since the last call, once none is pending. */
  takeTrips: () => Promise<Trip[]>;
};

/** The built worker behind a module that records its trips to D1; see counting.js. */
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
