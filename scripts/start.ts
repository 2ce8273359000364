import { startClock } from './local/clock.ts';
import { runScript } from './local/plain-failure.ts';
import { closeOnSignal } from './local/running.ts';
import { buildFolder, quietEnv, startFolder } from './local/settings.ts';
import { announce, build, prepareStart, requireBuild, startStandIns } from './local/steps.ts';

Object.assign(process.env, quietEnv);

/**
 * The built app with its stand-ins, on this machine only. `--skip-build` uses the build of `npm run
 * build`.
 */
await runScript(async () => {
  const settings = await prepareStart(process.env);
  const folder = process.argv.includes('--skip-build') ? buildFolder : startFolder;
  if (folder === buildFolder) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build(folder);
  }
  // Loaded late: wrangler is large, and a failure above should be reported immediately.
  const { migrate } = await import('./local/database.ts');
  await migrate(settings);

  const { builtWorker, startBuiltWorker } = await import('./local/worker.ts');
  const workers = [builtWorker(settings, 'lectern', folder)];
  const [standIns, worker] = await Promise.all([
    startStandIns(settings),
    startBuiltWorker(settings, workers),
  ]);
  closeOnSignal([startClock(() => worker.miniflare.getWorker()), standIns, worker]);
  await announce(settings);
});
