import { runScript } from './local/plain-failure.ts';
import { buildFolder, quietEnv, startFolder } from './local/settings.ts';
import { startApp } from './local/start-app.ts';

Object.assign(process.env, quietEnv);

/**
 * The built app with its stand-ins, on this machine only. `--skip-build` uses the build of `npm run
 * build`.
 */
await runScript(async () => {
  await startApp(process.argv.includes('--skip-build') ? buildFolder : startFolder);
});
