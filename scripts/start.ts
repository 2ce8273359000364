import { runScript } from './local/plain-failure.ts';
import { closeOnSignal } from './local/running.ts';
import { ensureSecrets, quietEnv, readSettings, requireSecrets } from './local/settings.ts';
import {
  announce,
  build,
  migrate,
  requireBuild,
  requireFreePorts,
  startStandIns,
} from './local/steps.ts';

Object.assign(process.env, quietEnv);

/** The built app with all that stands around it, on this machine alone. `--skip-build` takes the build that is there. */
await runScript(async () => {
  const settings = readSettings(process.env);
  await requireFreePorts(settings);
  ensureSecrets();
  requireSecrets(settings);
  if (process.argv.includes('--skip-build')) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build();
  }
  await migrate(settings);

  // Loaded late: wrangler is large, and a failure above should be told at once.
  const { startBuiltWorker } = await import('./local/worker.ts');
  closeOnSignal(await Promise.all([startStandIns(settings), startBuiltWorker(settings)]));
  await announce(settings);
});
