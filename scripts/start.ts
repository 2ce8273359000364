import { runScript } from './local/plain-failure.ts';
import { appOrigin, ensureSecrets, quietEnv, readSettings } from './local/settings.ts';
import {
  build,
  migrate,
  requireFreePorts,
  startStandIns,
  waitUntilAnswers,
} from './local/steps.ts';

Object.assign(process.env, quietEnv);

/** `npm start`: the built app with all that stands around it, on this machine alone. `--skip-build` takes the build that is there. */
await runScript(async () => {
  const settings = readSettings(process.env);
  await requireFreePorts(settings);
  ensureSecrets();
  if (!process.argv.includes('--skip-build')) {
    console.log('Building Lectern …');
    await build();
  }
  await migrate(settings);

  // Loaded late: wrangler is large, and a failure above should be told at once.
  const { startBuiltWorker } = await import('./local/worker.ts');
  const running = await Promise.all([startStandIns(settings), startBuiltWorker(settings)]);
  const stop = async () => {
    await Promise.all(running.map((part) => part.close()));
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const inbox = `http://localhost:${settings.resendPort}/inbox`;
  const google = `http://localhost:${settings.googlePort}`;
  await Promise.all([
    waitUntilAnswers('The app', `${appOrigin(settings)}/api/health/`),
    waitUntilAnswers('The inbox', inbox),
    waitUntilAnswers('The stand-in for Google', `${google}/.well-known/openid-configuration`),
  ]);
  console.log(`
  Lectern     ${appOrigin(settings)}
  Mail inbox  ${inbox}

  Mails go nowhere but into this inbox. Stop with Ctrl-C.
`);
});
