import { existsSync } from 'node:fs';
import { unstable_startWorker } from 'wrangler';
import { PlainFailure } from './plain-failure.ts';
import type { Running } from './running.ts';
import { type LocalSettings, localVars } from './settings.ts';

const builtConfig = 'dist/server/wrangler.json';

/**
 * Runs the built worker in workerd, on loopback.
 *
 * @throws PlainFailure without a build
 */
export async function startBuiltWorker(settings: LocalSettings): Promise<Running> {
  if (!existsSync(builtConfig)) {
    throw new PlainFailure('There is no build to start. Make one with `npm run build`.');
  }
  const vars = Object.entries(localVars(settings)).map(
    ([name, value]) => [name, { type: 'plain_text', value }] as const,
  );
  const worker = await unstable_startWorker({
    config: builtConfig,
    bindings: Object.fromEntries(vars),
    dev: {
      server: { hostname: 'localhost', port: settings.appPort },
      inspector: false,
      persist: settings.stateFolder,
      watch: false,
      structuredLogsHandler: ({ message }) => console.log(message),
    },
  });
  await worker.ready;
  return { close: () => worker.dispose() };
}
