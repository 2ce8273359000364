import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../local/command.ts';
import { PlainFailure } from '../local/plain-failure.ts';
import { buildFor } from '../local/steps.ts';
import { checkSecrets, whyNoAccount } from './account.ts';
import type { Arguments } from './arguments.ts';
import { type Configuration, checkConfiguration, readConfiguration } from './configuration.ts';
import { countMissing, type Finding, printFindings } from './findings.ts';
import { askHealth } from './health.ts';

/** How long a new domain's certificate, or the rollout of a new version, may take. */
const defaultWaitSeconds = 300;

/**
 * Builds for an environment, applies the migrations, deploys, and waits for the new release to
 * answer. A dry run changes nothing outside dist/ and needs neither account nor network.
 *
 * @throws PlainFailure saying what was done and what was not
 */
export async function deploy({ env = 'production', isDryRun, wait }: Arguments): Promise<void> {
  const config = readConfiguration(env);
  const release = readRelease();
  console.log(`Lectern ${release}, ${env}${isDryRun ? ' (dry run)' : ''}\n`);

  requireNothingMissing(checkConfiguration(config), { isDryRun });
  if (!isDryRun) {
    await requireAccount(config);
  }
  console.log('Building …');
  const builtConfig = await buildFor(env);
  const command = ['deploy', '--config', builtConfig, '--var', `RELEASE:${release}`];

  if (isDryRun) {
    await rehearse(config, command);
  } else {
    await migrate(config);
    await publish(config, command, release);
    await awaitRelease(config, release, wait ?? defaultWaitSeconds);
  }
}

/** The version and the commit, as in the health route and in error reports. */
function readRelease(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const commit = git('rev-parse', '--short', 'HEAD');
    const isDirty = git('status', '--porcelain') !== '';
    if (isDirty) {
      console.log('Note: there are changes that are not committed.');
    }
    return `${version}+${commit}${isDirty ? '.changed' : ''}`;
  } catch {
    console.log('Note: this is no git repository, so the release has no commit.');
    return version;
  }
}

/** @throws PlainFailure when something is missing; a dry run accepts the examples */
function requireNothingMissing(findings: Finding[], { isDryRun }: { isDryRun: boolean }): void {
  printFindings(
    findings.map((one) => (isDryRun && one.kind === 'placeholder' ? noteOf(one) : one)),
  );
  const missing = isDryRun
    ? findings.filter(({ kind }) => kind === 'missing').length
    : countMissing(findings);
  if (missing > 0) {
    throw new PlainFailure(`\nNothing was deployed: ${missing} missing.`);
  }
  console.log();
}

function noteOf({ text }: Finding): Finding {
  return { kind: 'advice', text: `Before a deployment: ${text}` };
}

/**
 * Checked before anything changes: without its secrets a deployment would fail after the
 * migrations.
 */
async function requireAccount(config: Configuration): Promise<void> {
  const reason = await whyNoAccount();
  if (reason !== null) {
    throw new PlainFailure(`Nothing was deployed: ${reason}`);
  }
  requireNothingMissing(await checkSecrets(config), { isDryRun: false });
}

async function rehearse({ environment }: Configuration, command: string[]): Promise<void> {
  const migrations = globSync('migrations/*.sql')
    .map((file) => path.basename(file))
    .sort();
  console.log(`Migrations (a deployment applies the new ones): ${migrations.join(', ')}\n`);
  const { isDone, output, reason } = await runCommand('wrangler', [...command, '--dry-run']);
  if (!isDone) {
    throw new PlainFailure(`The dry run of ${environment} failed: ${reason}.`);
  }
  const [, summary] = /(Total Upload:[\s\S]*?)\n--dry-run/.exec(output) ?? [];
  console.log(
    `${summary?.trim() ?? output}\n\nThe dry run of ${environment} succeeded. Nothing was deployed.`,
  );
}

async function migrate({ environment }: Configuration): Promise<void> {
  console.log('Applying the migrations …');
  const flags = ['--remote', '--config', 'wrangler.toml', '--env', environment];
  const args = ['d1', 'migrations', 'apply', 'DB', ...flags];
  const { isDone, reason } = await runCommand('wrangler', args);
  if (!isDone) {
    throw new PlainFailure(
      `The migrations failed: ${reason}. The previous worker still runs. No migration is applied twice, so you can run this again. To see all output, run \`npx wrangler ${args.join(' ')}\`.`,
    );
  }
}

async function publish(
  { environment, vars }: Configuration,
  command: string[],
  release: string,
): Promise<void> {
  console.log('Deploying …');
  const { isDone, reason } = await runCommand('wrangler', command);
  if (!isDone) {
    // wrangler uploads the version first, then sets its routes and crons.
    const answer = await askHealth(String(vars['APP_ORIGIN']));
    const state =
      'release' in answer && answer.release === release
        ? `release ${release} answers already, but its routes or its crons may be missing`
        : 'the previous release still answers, and works with them';
    throw new PlainFailure(
      `The deployment failed: ${reason}. The migrations are applied, ${state}. Fix this, then run \`npm run deploy -- --env ${environment}\` again.`,
    );
  }
}

async function awaitRelease(
  config: Configuration,
  release: string,
  seconds: number,
): Promise<void> {
  const { environment, vars } = config;
  const origin = String(vars['APP_ORIGIN']);
  const howToRollBack = `To roll back: \`npx wrangler rollback --env ${environment}\` (the data stays as it is; docs/deploying.md).`;
  console.log(`Asking ${origin}/api/health/ …`);
  const deadline = Date.now() + seconds * 1000;
  let answer = await askHealth(origin);
  while (!('release' in answer && answer.release === release)) {
    if (Date.now() > deadline) {
      const state =
        'release' in answer
          ? `${origin} still answers with release ${answer.release}`
          : `${origin} does not answer: ${answer.failure}`;
      throw new PlainFailure(
        `Release ${release} is deployed and its migrations are applied, but ${state}. \`npx wrangler tail --env ${environment}\` shows why. ${howToRollBack}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    answer = await askHealth(origin);
  }
  console.log(`\nRelease ${release} answers on ${origin}. ${howToRollBack}`);
}
