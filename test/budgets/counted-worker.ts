import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtConfig } from '../../scripts/local/settings.ts';
import { type BuiltWorker, origin, startBuiltWorker } from '../built/worker.ts';

/** One request to D1: a statement, or a batch of them. Starts and ends count on in the order in which they happen. */
export type Trip = { start: number; end: number; statements: Statement[] };

type Statement = { sql: string; returned: number; read: number };

type Settings = Parameters<typeof startBuiltWorker>[0];

/** The built worker behind a module that counts its trips to D1; see counting.js. */
export async function startCountedWorker(settings: Settings): Promise<CountedWorker> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-counted-'));
  const builtFolder = path.dirname(builtConfig);
  cpSync(builtFolder, folder, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'counting.js'), path.join(folder, 'counting.js'));
  const config = JSON.parse(readFileSync(builtConfig, 'utf8'));
  const [database] = config.d1_databases;
  const configPath = path.join(folder, 'wrangler.json');
  const counting = {
    ...config,
    main: 'counting.js',
    assets: { ...config.assets, directory: path.resolve(builtFolder, config.assets.directory) },
    d1_databases: [
      { ...database, migrations_dir: path.resolve(builtFolder, database.migrations_dir) },
    ],
  };
  writeFileSync(configPath, JSON.stringify(counting));
  const built = await startBuiltWorker(settings, configPath);
  return {
    ...built,
    takeTrips: async () => {
      const response = await built.server.getWorker().fetch(`${origin}/trips`);
      // Of our own making; see counting.js.
      return (await response.json()) as Trip[];
    },
    close: async () => {
      await built.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type CountedWorker = BuiltWorker & {
  /** What was asked of D1 since the last time, once nothing is underway any more. */
  takeTrips: () => Promise<Trip[]>;
};

/** How many of these trips had to wait for each other: the longest chain in which each began after the one before had ended. */
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
