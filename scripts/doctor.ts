import { existsSync } from 'node:fs';
import { checkRemoteDatabase, checkSecrets, whyNoAccount } from './deployment/account.ts';
import { readArguments } from './deployment/arguments.ts';
import {
  type Configuration,
  checkConfiguration,
  mailDomain,
  readConfiguration,
} from './deployment/configuration.ts';
import { countMissing, type Finding, printFindings } from './deployment/findings.ts';
import { askHealth } from './deployment/health.ts';
import { checkMailDomain } from './deployment/mail-domain.ts';
import { checkThisMachine } from './deployment/this-machine.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';

/**
 * Says what is missing for `npm start`, or with `--env production` for a deployment, and how to get
 * it. `--dns 1.1.1.1` uses that name server. Exits with non-zero when something is missing.
 */
await runScript(async () => {
  const { env, dns } = readArguments(['env', 'dns']);
  if (!existsSync('wrangler.toml')) {
    throw new PlainFailure(
      'There is no wrangler.toml here. Run this in the folder of the project.',
    );
  }
  const config = env === undefined ? null : readConfiguration(env);
  console.log(`Lectern, ${env ?? 'on this machine'}\n`);
  const findings = await (config === null ? checkThisMachine() : checkDeployment(config, dns));
  printFindings(findings);

  const missing = countMissing(findings);
  const unchecked = findings.filter(({ kind }) => kind === 'unchecked').length;
  console.log(`\n${missing} missing, ${unchecked} not checked.`);
  process.exitCode = missing === 0 ? 0 : 1;
});

async function checkDeployment(config: Configuration, dns?: string): Promise<Finding[]> {
  const findings = checkConfiguration(config);
  const hasExamples = findings.some(({ kind }) => kind === 'placeholder');
  if (hasExamples) {
    const text = 'The DNS, the account and the deployment: wrangler.toml still has examples.';
    return [...findings, { kind: 'unchecked', text }];
  }
  const domain = mailDomain(config.vars);
  return [
    ...findings,
    ...(domain === null ? [] : await checkMailDomain(domain, dns)),
    ...(await checkAccount(config)),
    await checkHealth(config),
  ];
}

async function checkAccount(config: Configuration): Promise<Finding[]> {
  const reason = await whyNoAccount();
  if (reason !== null) {
    return [{ kind: 'unchecked', text: `Secrets, database and migrations: ${reason}` }];
  }
  return [...(await checkSecrets(config)), ...(await checkRemoteDatabase(config))];
}

async function checkHealth({ environment, vars }: Configuration): Promise<Finding> {
  const origin = String(vars['APP_ORIGIN']);
  const answer = await askHealth(origin);
  if ('release' in answer) {
    return { kind: 'fine', text: `${origin} answers, with release ${answer.release}` };
  }
  return answer.status === null
    ? {
        kind: 'unchecked',
        text: `Whether ${origin} works: it cannot be reached (${answer.failure}).`,
      }
    : {
        kind: 'missing',
        text: `${origin}/api/health/ does not say that all is well: ${answer.failure}. Look at \`npx wrangler tail --env ${environment}\`, or deploy.`,
      };
}
