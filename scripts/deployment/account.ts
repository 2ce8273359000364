import { missingHalf, type optionalSecretNames, secretNames } from '../../src/settings.ts';
import { runCommand } from '../local/command.ts';
import type { Configuration } from './configuration.ts';
import type { Finding } from './findings.ts';

const seconds = 30;

/** How to create a secret, or where to find it. */
const sources = {
  APP_SECRET: 'make it with `openssl rand -hex 32`',
  GOOGLE_CLIENT_SECRET: 'Google shows it beside the client',
  RESEND_API_KEY: 'make one at Resend that may only send',
  RESEND_WEBHOOK_SECRET: 'Resend shows it as the signing secret of the webhook',
  STRIPE_SECRET_KEY: 'make a restricted one at Stripe, as docs/operating.md says',
  STRIPE_WEBHOOK_SECRET: 'Stripe shows one for each webhook endpoint; separate two with a space',
} as const satisfies Record<
  (typeof secretNames)[number] | (typeof optionalSecretNames)[number],
  string
>;

/** Why wrangler cannot use a Cloudflare account; null if it can. */
export async function whyNoAccount(): Promise<string | null> {
  const { isDone, output, reason } = await runCommand('wrangler', ['whoami', '--json'], {
    seconds,
  });
  if (isDone) {
    return null;
  }
  return /"loggedIn":\s*false/.test(output)
    ? 'wrangler is not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.'
    : `wrangler cannot ask Cloudflare: ${reason}.`;
}

/** The names of the worker's secrets; their values cannot be read. */
export async function checkSecrets({ environment, name }: Configuration): Promise<Finding[]> {
  const { isDone, output, reason } = await askWrangler(environment, ['secret', 'list']);
  // The worker does not exist before its first secret.
  const isNew = !isDone && /not found/i.test(output);
  if (!isDone && !isNew) {
    return [{ kind: 'unchecked', text: `The secrets of ${name}: ${reason}.` }];
  }
  const set = [...output.matchAll(/"name":\s*"(\w+)"/g)].map(([, secret = '']) => secret);
  const half = missingHalf(set);
  const missing = [
    ...secretNames.filter((secret) => isNew || !set.includes(secret)),
    ...(half === null ? [] : [half]),
  ];
  return missing.length === 0
    ? [{ kind: 'fine', text: `The secrets of ${name}` }]
    : missing.map((secret) => ({
        kind: 'missing',
        text: `The secret ${secret} is not set. Set it with \`npx wrangler secret put ${secret} --env ${environment}\` (${sources[secret]}).`,
      }));
}

/** Checks that the database exists, is replicated, and has every migration. */
export async function checkRemoteDatabase(config: Configuration): Promise<Finding[]> {
  const database = config.d1_databases.find(({ binding }) => binding === 'DB');
  const name = database?.database_name ?? '';
  const info = await askWrangler(config.environment, ['d1', 'info', name, '--json']);
  // wrangler finds the database by its id.
  if (!info.isDone && /not (be )?found|couldn't find/i.test(info.output)) {
    const text = `This account has no database with the id that wrangler.toml has for ${name}. \`npx wrangler d1 list\` shows those that there are, \`npx wrangler d1 create ${name}\` makes one.`;
    return [{ kind: 'missing', text }];
  }
  if (!info.isDone) {
    return [{ kind: 'unchecked', text: `The database ${name}: ${info.reason}.` }];
  }
  const findings: Finding[] = [{ kind: 'fine', text: `The database ${name}` }];
  if (!/"mode":\s*"auto"/.test(info.output)) {
    const text = `The database ${name} is read in one place of the world only. Switch on read replication (docs/deploying.md).`;
    findings.push({ kind: 'advice', text });
  }
  const listed = await askWrangler(config.environment, [
    'd1',
    'migrations',
    'list',
    'DB',
    '--remote',
  ]);
  const unapplied = listed.output.match(/\b\d{4}_[\w-]+\.sql\b/g) ?? [];
  if (!listed.isDone) {
    findings.push({ kind: 'unchecked', text: `The migrations of ${name}: ${listed.reason}.` });
  } else if (unapplied.length > 0) {
    const text = `The next deployment applies ${unapplied.join(', ')} to ${name}.`;
    findings.push({ kind: 'advice', text });
  }
  return findings;
}

/** Checks that the bucket of files exists, if there are to be any. */
export async function checkBucket({ environment, r2_buckets }: Configuration): Promise<Finding> {
  const bucket = r2_buckets.find(({ binding }) => binding === 'FILES');
  if (bucket === undefined) {
    const text = `Lessons can't have files: wrangler.toml has no [[env.${environment}.r2_buckets]] for FILES (docs/deploying.md).`;
    return { kind: 'advice', text };
  }
  const name = bucket.bucket_name ?? '';
  const info = await askWrangler(environment, ['r2', 'bucket', 'info', name]);
  if (info.isDone) {
    return { kind: 'fine', text: `The bucket ${name}` };
  }
  return /does not exist|not found/i.test(info.output)
    ? {
        kind: 'missing',
        text: `This account has no bucket ${name}. \`npx wrangler r2 bucket create ${name}\` creates it. To run without files, remove the binding from wrangler.toml.`,
      }
    : { kind: 'unchecked', text: `The bucket ${name}: ${info.reason}.` };
}

function askWrangler(environment: string, args: string[]) {
  const flags = ['--config', 'wrangler.toml', '--env', environment];
  return runCommand('wrangler', [...args, ...flags], { seconds });
}
