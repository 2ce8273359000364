import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { optionalSecretNames } from '../src/settings.ts';
import { runScript } from './local/plain-failure.ts';
import { closeOnSignal } from './local/running.ts';
import { localVars, quietEnv, readSecrets } from './local/settings.ts';
import { announce, prepareStart, startStandIns } from './local/steps.ts';

/** Like start.ts, but from the sources and with hot reload. */
await runScript(async () => {
  const settings = await prepareStart(process.env);
  // Loaded late: wrangler is large, and a failure above should be reported immediately.
  const { migrate } = await import('./local/database.ts');
  await migrate(settings);

  const standIns = await startStandIns(settings);
  const waku = spawn('waku', ['dev', '--port', String(settings.appPort)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...quietEnv,
      // Read by waku.config.ts.
      STATE_FOLDER: settings.stateFolder,
      // wrangler reads only the secrets from .dev.vars that wrangler.toml requires.
      LOCAL_VARS: JSON.stringify({ ...localVars(settings), ...optionalSecrets() }),
    },
  });
  const endWithWaku = (code: number | null) => process.exit(code ?? 1);
  waku.once('exit', endWithWaku);
  const close = async () => {
    waku.off('exit', endWithWaku);
    waku.kill('SIGINT');
    await once(waku, 'exit');
  };
  closeOnSignal([standIns, { close }]);
  try {
    await announce(settings);
  } catch (error) {
    await close();
    throw error;
  }
});

function optionalSecrets(): Record<string, string> {
  const secrets = Object.entries(readSecrets());
  const names: readonly string[] = optionalSecretNames;
  return Object.fromEntries(secrets.filter(([name]) => names.includes(name)));
}
