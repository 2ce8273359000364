import { readArguments } from './deployment/arguments.ts';
import { diagnose } from './deployment/doctor.ts';
import { runScript } from './local/plain-failure.ts';

/**
 * Says what is missing for `npm start`, or with `--env production` for a deployment, and how to get
 * it. `--dns 1.1.1.1` uses that name server. `--stripe` tries Stripe's test mode instead. Exits with
 * non-zero when something is missing.
 */
await runScript(async () => {
  const isOk = await diagnose(readArguments(['env', 'dns', 'stripe']));
  process.exitCode = isOk ? 0 : 1;
});
