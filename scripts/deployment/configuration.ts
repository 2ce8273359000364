import { unstable_readConfig } from 'wrangler';
import {
  bindingNames,
  complaintsAbout,
  crons,
  isSecret,
  secretNames,
  settingNames,
} from '../../src/settings.ts';
import { PlainFailure } from '../local/plain-failure.ts';
import type { Finding } from './findings.ts';

/** The parts of an environment in wrangler.toml that are checked. */
export type Configuration = {
  environment: string;
  name: string;
  workers_dev: boolean | undefined;
  preview_urls: boolean | undefined;
  vars: Record<string, unknown>;
  routes: (string | { pattern: string; custom_domain?: boolean })[];
  secrets: { required?: string[] } | undefined;
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name?: string }[];
  ratelimits: { name: string }[];
  triggers: { crons?: string[] };
  observability: { logs?: { invocation_logs?: boolean } } | undefined;
};

/**
 * The configuration of an environment, as wrangler reads it.
 *
 * @throws PlainFailure when the file cannot be read, or has no such environment
 */
export function readConfiguration(environment: string): Configuration {
  const { definedEnvironments = [] } = readToml();
  if (!definedEnvironments.includes(environment)) {
    throw new PlainFailure(
      `wrangler.toml has no environment "${environment}". It has: ${definedEnvironments.join(', ')}.`,
    );
  }
  const { routes, vars, ...config } = readToml(environment, { hideWarnings: false });
  return { ...config, environment, routes: routes ?? [], vars: vars ?? {} };
}

/**
 * Problems of the local environment, which `npm start` gives the settings and secrets in `localVars`.
 */
export function checkLocalConfiguration(localVars: Record<string, unknown>): Finding[] {
  const config = readToml(undefined, { hideWarnings: false });
  const vars = config.vars ?? {};
  const complaints = complaintsAbout({ ...bindingsOf(config), ...vars, ...localVars });
  const findings: Finding[] = complaints.map(({ sentence }) => ({
    kind: 'missing',
    text: sentence,
  }));
  return [...findings, ...checkSpelling(vars, '[vars] of wrangler.toml')];
}

/** A value for every binding of an environment, by name. */
function bindingsOf({ d1_databases, ratelimits }: Configuration): Record<string, unknown> {
  const names = [
    ...d1_databases.map(({ binding }) => binding),
    ...ratelimits.map(({ name }) => name),
  ];
  return Object.fromEntries(names.map((name) => [name, {}]));
}

type Toml = Configuration & { definedEnvironments?: string[] };

/**
 * wrangler's result is declared as `any` at this version; these fields are those of its
 * config-schema.json. wrangler itself warns of unknown fields.
 */
function readToml(env?: string, { hideWarnings = true } = {}): Toml {
  try {
    return unstable_readConfig(
      { config: 'wrangler.toml', ...(env && { env }) },
      { hideWarnings },
    ) as Toml;
  } catch (error) {
    const { message, location } = error as { message: string; location?: { line: number } };
    const [first = '', ...lines] = message.split('\n').map((line) => line.replace(/^[\s-]+/, ''));
    const reason = first.startsWith('Processing') ? lines.filter((line) => line).join(' ') : first;
    const place = location === undefined ? '' : `line ${location.line}: `;
    throw new PlainFailure(`wrangler.toml cannot be read: ${place}${reason}`);
  }
}

/** Problems of an environment's configuration, found offline. */
export function checkConfiguration(config: Configuration): Finding[] {
  const place = `[env.${config.environment}.vars] of wrangler.toml`;
  const findings = [
    ...checkSettings(config, place),
    ...checkSpelling(config.vars, place),
    ...checkDatabase(config),
    ...checkDoors(config),
    ...checkLog(config),
    ...checkCrons(config),
  ];
  return findings.some(({ kind }) => kind === 'missing' || kind === 'placeholder')
    ? findings
    : [{ kind: 'fine', text: 'wrangler.toml: settings, bindings and routes' }, ...findings];
}

function checkSettings(config: Configuration, place: string): Finding[] {
  const { vars, environment } = config;
  const bindings = { ...vars, ...bindingsOf(config) };

  const findings: Finding[] = complaintsAbout(bindings)
    .filter(({ name }) => !isSecret(name))
    .map(({ name, sentence }) => ({
      kind: 'missing',
      text: bindingNames.some((binding) => binding === name)
        ? sentence
        : `${sentence} Its place is ${place}.`,
    }));
  for (const name of Object.keys(vars).filter(isSecret)) {
    const text = `${name} is a secret and must not be in ${place}. Replace it at Stripe, and set it with \`npx wrangler secret put ${name} --env ${environment}\`.`;
    findings.push({ kind: 'missing', text });
  }
  for (const name of ['APP_ORIGIN', 'MAIL_FROM', 'OPERATOR_NAME', 'GOOGLE_CLIENT_ID']) {
    if (isExample(vars[name])) {
      const text = `${name} is still the example ${vars[name]}. Write your own into ${place}.`;
      findings.push({ kind: 'placeholder', text });
    }
  }
  if (String(vars['APP_ORIGIN']).startsWith('http://')) {
    const text = `The setting APP_ORIGIN must begin with https://. It stands in ${place}.`;
    findings.push({ kind: 'missing', text });
  }
  const expected = environment === 'preview' ? 'preview' : 'production';
  if (vars['ENVIRONMENT'] !== expected && vars['ENVIRONMENT'] !== undefined) {
    const text = `The setting ENVIRONMENT must be "${expected}". It stands in ${place}.`;
    findings.push({ kind: 'missing', text });
  }
  const undemanded = secretNames.filter((name) => !config.secrets?.required?.includes(name));
  if (undemanded.length > 0) {
    const text = `[env.${environment}.secrets] of wrangler.toml must require ${undemanded.join(', ')}, so that no deployment goes without.`;
    findings.push({ kind: 'missing', text });
  }
  return [...findings, ...checkSender(vars)];
}

/** The domain that emails are sent from has a reputation to lose. */
function checkSender(vars: Record<string, unknown>): Finding[] {
  const domain = mailDomain(vars);
  const host = URL.parse(String(vars['APP_ORIGIN']))?.hostname ?? null;
  if (domain === null || (domain !== host && domain.split('.').length > 2)) {
    return [];
  }
  const text = `MAIL_FROM sends from ${domain} itself. A sub-domain for mails alone, such as mail.${domain}, keeps their reputation and that of your domain apart.`;
  return [{ kind: 'advice', text }];
}

/** The domain that emails are sent from; null if MAIL_FROM is not a sender. */
export function mailDomain(vars: Record<string, unknown>): string | null {
  return /@([^\s>]+)>$/.exec(String(vars['MAIL_FROM']))?.[1]?.toLowerCase() ?? null;
}

/** A misspelled name is one that nothing reads. */
function checkSpelling(vars: Record<string, unknown>, place: string): Finding[] {
  return Object.keys(vars)
    .filter((name) => !settingNames.includes(name))
    .map((name) => ({
      kind: 'advice',
      text: `Nothing reads ${name}, which stands in ${place}.`,
    }));
}

function checkDatabase({ environment, d1_databases }: Configuration): Finding[] {
  const database = d1_databases.find(({ binding }) => binding === 'DB');
  if (database === undefined) {
    return [];
  }
  const { database_name: name, database_id: id } = database;
  const place = `[[env.${environment}.d1_databases]] of wrangler.toml`;
  if (id === undefined || /^[0-]+$/.test(id)) {
    const text = `The database has no id yet. Make it with \`npx wrangler d1 create ${name}\`, and write the id that it prints into ${place}.`;
    return [{ kind: 'placeholder', text }];
  }
  const { definedEnvironments = [] } = readToml();
  const sharing = definedEnvironments.filter(
    (other) =>
      other !== environment && readToml(other).d1_databases.some((db) => db.database_id === id),
  );
  return sharing.map((other) => ({
    kind: 'missing',
    text: `${environment} and ${other} have one database. Make one for each with \`npx wrangler d1 create\`.`,
  }));
}

/** The hostnames at which people reach the worker. */
function checkDoors({ environment, vars, ...config }: Configuration): Finding[] {
  const findings: Finding[] = [];
  const host = URL.parse(String(vars['APP_ORIGIN']))?.hostname;
  const hosts = config.routes.map((route) =>
    (typeof route === 'string' ? route : route.pattern).replace(/\/.*$/, ''),
  );
  if (host !== undefined && !hosts.includes(host)) {
    const text = `No route leads to ${host}, the host of APP_ORIGIN. Write \`pattern = "${host}"\` and \`custom_domain = true\` into [[env.${environment}.routes]] of wrangler.toml.`;
    findings.push({ kind: 'missing', text });
  }
  if (environment === 'production') {
    for (const name of ['workers_dev', 'preview_urls'] as const) {
      if (config[name] !== false) {
        const text = `${name} must be false for production: it opens a door beside your domain, around the rules of its zone.`;
        findings.push({ kind: 'missing', text });
      }
    }
  }
  return findings;
}

/** Invocation logs contain every request's URL, including the tokens of links. */
function checkLog({ observability }: Configuration): Finding[] {
  const text =
    'invocation_logs must be false in [observability.logs] of wrangler.toml: they hold the tokens of mailed links.';
  return observability?.logs?.invocation_logs === false ? [] : [{ kind: 'missing', text }];
}

/**
 * Cloudflare triggers the worker at the crons of wrangler.toml, and the worker looks up its jobs by
 * them.
 */
function checkCrons({ triggers: { crons: triggers = [] } }: Configuration): Finding[] {
  const ofJobs: readonly string[] = Object.values(crons);
  const place = 'wrangler.toml ([triggers])';
  const texts = [
    ...ofJobs
      .filter((cron) => !triggers.includes(cron))
      .map((cron) => `The cron "${cron}" is missing in ${place}: its jobs would never run.`),
    ...triggers
      .filter((cron) => !ofJobs.includes(cron))
      .map(
        (cron) => `No job has the cron "${cron}" of ${place}. See \`crons\` in src/settings.ts.`,
      ),
  ];
  return texts.map((text) => ({ kind: 'missing', text }));
}

function isExample(value: unknown): boolean {
  return /\bexample\.(com|net|org)\b|^000000000000-|^Example Operator$/.test(String(value));
}
