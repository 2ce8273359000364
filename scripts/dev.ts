import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runScript } from './local/plain-failure.ts';
import { closeOnSignal } from './local/running.ts';
import { localVars, quietEnv } from './local/settings.ts';
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
      LOCAL_VARS: JSON.stringify(localVars(settings)),
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
