import { globSync } from 'node:fs';
import path from 'node:path';
import { convertV4MiniflareOptions, type LegacyWorkerOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import type { Running } from './running.ts';
import { buildFolder, type LocalSettings, localVars, readSecrets } from './settings.ts';

/** The built worker with local settings, as Miniflare options. */
export function builtWorker(
  settings: LocalSettings,
  name = 'lectern',
  folder = buildFolder,
): LegacyWorkerOptions {
  const server = path.resolve(folder, 'server');
  // With its rules Miniflare would search for the modules; the build has them all in one folder.
  const {
    main = '',
    workerOptions: { modulesRules: _, ...worker },
  } = unstable_getMiniflareWorkerOptions(path.join(server, 'wrangler.json'));
  const modules = globSync(path.join(server, '**/*.js')).filter((file) => file !== main);
  return {
    ...worker,
    name,
    rootPath: process.cwd(),
    modulesRoot: server,
    modules: [main, ...modules].map((file) => ({ type: 'ESModule' as const, path: file })),
    bindings: {
      ...readSecrets(),
      ...localVars(settings),
    },
  };
}

/**
 * Runs the built worker in workerd, on loopback. Not with `wrangler dev`, whose proxy sometimes
 * answers a busy browser with a 500 of its own.
 *
 * @param workers the port belongs to the first
 * @param options.isInspected opens an inspector on a free loopback port, which measurements read
 *   the heap through
 */
export async function startBuiltWorker(
  settings: LocalSettings,
  workers = [builtWorker(settings)],
  { isInspected = false } = {},
): Promise<Running & { miniflare: Miniflare }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: 'localhost',
      port: settings.appPort,
      // Neither reachable from outside nor needed.
      cf: false,
      // So that no one has to wait for the clock: see the README.
      unsafeTriggerHandlers: true,
      ...(isInspected && { inspectorPort: 0 }),
      // Where `wrangler --persist-to` stores it.
      resourcePersistencePath: path.join(settings.stateFolder, 'v3'),
      handleStructuredLogs: ({ message }) => console.log(message),
      workers,
    }),
  );
  await miniflare.ready;
  return { miniflare, close: () => miniflare.dispose() };
}
