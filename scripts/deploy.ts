import { readArguments } from './deployment/arguments.ts';
import { deploy } from './deployment/deploy.ts';
import { runScript } from './local/plain-failure.ts';

/**
 * Deploys to production, or `--env preview`, and waits up to `--wait 300` seconds for the new
 * release to answer. `--dry-run` only builds and rehearses.
 */
await runScript(() => deploy(readArguments(['env', 'dry-run', 'wait'])));
