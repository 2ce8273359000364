import { parseArgs } from 'node:util';
import { PlainFailure } from '../local/plain-failure.ts';

/** `wait` is in seconds. */
export type Arguments = {
  env?: string;
  dns?: string;
  wait?: number;
  isDryRun: boolean;
  asksStripe: boolean;
};

/**
 * Parses the arguments after `npm run <script> --`.
 *
 * @param args by default, those of this process
 * @throws PlainFailure naming the unknown argument
 */
export function readArguments(
  allowed: ('env' | 'dns' | 'wait' | 'dry-run' | 'stripe')[],
  args = process.argv.slice(2),
): Arguments {
  for (const name of ['dry-run', 'env', 'wait', 'dns', 'stripe']) {
    const taken = process.env[`npm_config_${name.replace('-', '_')}`];
    if (taken) {
      throw new PlainFailure(
        `npm took --${name} for itself. Write two dashes before it: \`npm run ${process.env['npm_lifecycle_event']} -- --${name}\`.`,
      );
    }
  }
  const texts = { env: 'string', dns: 'string', wait: 'string' } as const;
  const kinds = { ...texts, 'dry-run': 'boolean', stripe: 'boolean' } as const;
  const options = Object.fromEntries(allowed.map((name) => [name, { type: kinds[name] }]));
  const { env, dns, wait, ...flags } = parse(options, args);
  if (wait !== undefined && !/^\d+$/.test(String(wait))) {
    throw new PlainFailure(`--wait takes seconds, but is "${wait}".`);
  }
  return {
    ...(env !== undefined && { env: String(env) }),
    ...(dns !== undefined && { dns: String(dns) }),
    ...(wait !== undefined && { wait: Number(wait) }),
    isDryRun: flags['dry-run'] === true,
    asksStripe: flags['stripe'] === true,
  };
}

type Options = Record<string, { type: 'string' | 'boolean' }>;

function parse(options: Options, args: string[]): Record<string, unknown> {
  try {
    return parseArgs({ options, args, strict: true }).values;
  } catch (error) {
    const [reason] = String((error as Error).message).split(/\.(?: |$)/);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new PlainFailure(`${reason}. This script takes ${names.join(', ')}.`);
  }
}
