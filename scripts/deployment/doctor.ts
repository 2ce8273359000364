import { existsSync } from 'node:fs';
import { PlainFailure } from '../local/plain-failure.ts';
import { checkBucket, checkRemoteDatabase, checkSecrets, whyNoAccount } from './account.ts';
import type { Arguments } from './arguments.ts';
import {
  type Configuration,
  checkConfiguration,
  mailDomain,
  readConfiguration,
} from './configuration.ts';
import { countMissing, type Finding, printFindings } from './findings.ts';
import { askHealth } from './health.ts';
import { checkMailDomain } from './mail-domain.ts';
import { checkStripe } from './stripe.ts';
import { checkThisMachine } from './this-machine.ts';

/**
 * Prints what is missing for `npm start`, or for a deployment to `env`, and how to get it; or with
 * `asksStripe`, whether Stripe's test mode does what Lectern needs.
 *
 * @param options.dns the name server to ask
 * @returns whether nothing is missing
 * @throws PlainFailure when wrangler.toml cannot be read
 */
export async function diagnose({ env, dns, asksStripe }: Arguments): Promise<boolean> {
  if (!existsSync('wrangler.toml')) {
    throw new PlainFailure(
      'There is no wrangler.toml here. Run this in the folder of the project.',
    );
  }
  const config = env === undefined ? null : readConfiguration(env);
  console.log(`Lectern, ${asksStripe ? 'in Stripe’s test mode' : (env ?? 'on this machine')}\n`);
  const findings = await (asksStripe
    ? checkStripe(config?.vars ?? {})
    : config === null
      ? checkThisMachine()
      : checkDeployment(config, dns));
  printFindings(findings);

  const missing = countMissing(findings);
  const unchecked = findings.filter(({ kind }) => kind === 'unchecked').length;
  console.log(`\n${missing} missing, ${unchecked} not checked.`);
  return missing === 0;
}

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
    return [{ kind: 'unchecked', text: `Secrets, database, migrations and bucket: ${reason}` }];
  }
  return [
    ...(await checkSecrets(config)),
    ...(await checkRemoteDatabase(config)),
    await checkBucket(config),
  ];
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
        text: `${origin}/api/health/ does not answer as it should: ${answer.failure}. Look at \`npx wrangler tail --env ${environment}\`, or deploy.`,
      };
}
