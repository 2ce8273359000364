import type { Miniflare } from 'miniflare';
import { startClock } from './clock.ts';
import { closeOnSignal } from './running.ts';
import { buildFolder } from './settings.ts';
import { announce, build, prepareStart, requireBuild, startStandIns } from './steps.ts';

/**
 * Starts the built app with its stand-ins, until a signal ends this process.
 *
 * @param folder of the build: that of `npm run build` has to be there, another is built first
 */
export async function startApp(folder: string): Promise<Miniflare> {
  const settings = await prepareStart(process.env);
  if (folder === buildFolder) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build(folder);
  }
  // Loaded late: wrangler is large, and a failure above should be reported immediately.
  const { migrate } = await import('./database.ts');
  await migrate(settings);

  const { builtWorker, startBuiltWorker } = await import('./worker.ts');
  const workers = [builtWorker(settings, 'lectern', folder)];
  const [standIns, worker] = await Promise.all([
    startStandIns(settings),
    startBuiltWorker(settings, workers),
  ]);
  closeOnSignal([startClock(() => worker.miniflare.getWorker()), standIns, worker]);
  await announce(settings);
  return worker.miniflare;
}
