import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtConfig } from '../../scripts/local/settings.ts';
import { type BuiltWorker, startBuiltWorker } from '../built/worker.ts';

export type Settings = Parameters<typeof startBuiltWorker>[0];

/**
 * Starts a copy of the built worker behind a module of this folder, which imports it and answers
 * for it.
 *
 * @param prepare changes the copy before it starts
 */
export async function startWrappedWorker(
  wrapper: string,
  settings: Settings = {},
  prepare: (folder: string) => void = () => {},
): Promise<BuiltWorker> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-wrapped-'));
  const builtFolder = path.dirname(builtConfig);
  cpSync(builtFolder, folder, { recursive: true });
  prepare(folder);
  cpSync(path.join(import.meta.dirname, wrapper), path.join(folder, wrapper));
  const config = JSON.parse(readFileSync(builtConfig, 'utf8'));
  const [database] = config.d1_databases;
  const configPath = path.join(folder, 'wrangler.json');
  const wrapped = {
    ...config,
    main: wrapper,
    assets: { ...config.assets, directory: path.resolve(builtFolder, config.assets.directory) },
    d1_databases: [
      { ...database, migrations_dir: path.resolve(builtFolder, database.migrations_dir) },
    ],
  };
  writeFileSync(configPath, JSON.stringify(wrapped));
  const built = await startBuiltWorker(settings, configPath);
  return {
    ...built,
    close: async () => {
      await built.close();
      rmSync(folder, { recursive: true });
    },
  };
}
