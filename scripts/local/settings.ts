import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { LimitsSetting } from '../../src/features/limits/limits.ts';
import {
  complaintsAbout,
  isSecret,
  type optionalSecretNames,
  Settings,
  type secretNames,
} from '../../src/settings.ts';
import { PlainFailure } from './plain-failure.ts';

/** Ports and folders of a local run. Each can be changed by an environment variable. */
export type LocalSettings = {
  appPort: number;
  googlePort: number;
  resendPort: number;
  stripePort: number;
  /** Contains the local D1, kept between runs. */
  stateFolder: string;
  /** Limits that differ from production, by name, as in wrangler.toml. */
  limits: Record<string, string[]>;
  /** The DSN for error reports, which may be a stand-in on this machine; null to send none. */
  sentryDsn: string | null;
};

type LocalVars = Record<string, string | Record<string, string[]>>;

/**
 * @throws PlainFailure when a port is invalid or used twice, or the worker would reject LIMITS or
 * SENTRY_DSN
 */
export function readSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const ports = {
    appPort: readPort(env, 'APP_PORT', 8787),
    googlePort: readPort(env, 'GOOGLE_PORT', 4000),
    resendPort: readPort(env, 'RESEND_PORT', 4001),
    stripePort: readPort(env, 'STRIPE_PORT', 4002),
  };
  if (new Set(Object.values(ports)).size < 4) {
    throw new PlainFailure(
      'APP_PORT, GOOGLE_PORT, RESEND_PORT and STRIPE_PORT must be four different ports.',
    );
  }
  return {
    ...ports,
    stateFolder: env['STATE_FOLDER'] ?? '.wrangler/state',
    limits: readLimits(env['LIMITS']),
    sentryDsn: readDsn(env['SENTRY_DSN']),
  };
}

function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const port = Number(env[name] ?? fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new PlainFailure(`${name} must be a port between 1 and 65535, but is "${env[name]}".`);
  }
  return port;
}

function readDsn(text = ''): string | null {
  const checked = Settings.shape.SENTRY_DSN.safeParse(text || undefined);
  if (!checked.success) {
    throw new PlainFailure(`SENTRY_DSN ${checked.error.issues[0]?.message}.`);
  }
  return checked.data ?? null;
}

function readLimits(text = '{}'): Record<string, string[]> {
  let limits: unknown;
  try {
    limits = JSON.parse(text);
  } catch {
    throw new PlainFailure('LIMITS must be JSON such as {"mails_per_ip":["100/m"]}.');
  }
  const checked = LimitsSetting.safeParse(limits);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new PlainFailure(`${['LIMITS', ...(issue?.path ?? [])].join('.')} ${issue?.message}.`);
  }
  // Passed on as written: the worker parses it with the same schema.
  return limits as Record<string, string[]>;
}

/** The public settings of a local worker, with stand-ins on this machine for external services. */
export function localVars(settings: LocalSettings): LocalVars {
  const google = `http://localhost:${settings.googlePort}`;
  const stripe = `http://localhost:${settings.stripePort}`;
  return {
    ENVIRONMENT: 'local',
    APP_ORIGIN: appOrigin(settings),
    RESEND_BASE_URL: `http://localhost:${settings.resendPort}`,
    MAIL_FROM: 'Lectern <hello@lectern.test>',
    OPERATOR_NAME: 'Lectern',
    GOOGLE_CLIENT_ID: 'lectern-local',
    GOOGLE_ISSUER: google,
    GOOGLE_AUTHORIZATION_URL: `${google}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: `${google}/oauth2/token`,
    STRIPE_BASE_URL: stripe,
    STRIPE_CHECKOUT_ORIGIN: stripe,
    LIMITS: settings.limits,
    ...(settings.sentryDsn !== null && { SENTRY_DSN: settings.sentryDsn }),
  };
}

export function appOrigin(settings: LocalSettings): string {
  return `http://localhost:${settings.appPort}`;
}

/**
 * `npm run build`, tests and measurements build into `dist`. A running `npm start` serves a build
 * of its own, so that they cannot remove its files.
 */
export const buildFolder = 'dist';
export const startFolder = 'dist/start';

/** The worker's configuration, which the build writes. */
export const builtConfig = `${buildFolder}/server/wrangler.json`;

const secretsFile = '.dev.vars';

/** A new value for every local secret. */
export function madeSecrets(): Record<
  (typeof secretNames)[number] | (typeof optionalSecretNames)[number],
  string
> {
  return {
    APP_SECRET: `local_${randomBytes(32).toString('hex')}`,
    GOOGLE_CLIENT_SECRET: `local_${randomBytes(32).toString('hex')}`,
    RESEND_API_KEY: `local_${randomBytes(32).toString('hex')}`,
    RESEND_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
    STRIPE_SECRET_KEY: `sk_test_local_${randomBytes(32).toString('hex')}`,
    // One of events on the own account, and one of events on connected accounts.
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')} whsec_${randomBytes(24).toString('hex')}`,
  };
}

/** Creates the local secrets once, in a file that git ignores. Later runs keep it and any edits. */
export function ensureSecrets(): void {
  const isNew = !existsSync(secretsFile);
  const text = isNew ? '' : readFileSync(secretsFile, 'utf8');
  const secrets = madeSecrets();
  const missing = Object.entries(secrets).filter(
    ([name]) => !new RegExp(`^\\s*${name}\\s*=`, 'm').test(text),
  );
  if (missing.length > 0) {
    const lines = missing.map(([name, value]) => `${name}=${value}\n`);
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    try {
      const flag = isNew ? 'wx' : 'w';
      writeFileSync(secretsFile, text + separator + lines.join(''), { mode: 0o600, flag });
    } catch (error) {
      // A command started at the same time has created them.
      if (!isNew || !existsSync(secretsFile)) {
        throw error;
      }
    }
  }
}

export function readSecrets(): Record<string, string> {
  const secrets = Object.entries(parseEnv(readFileSync(secretsFile, 'utf8')));
  return Object.fromEntries(secrets.map(([name, value = '']) => [name, value]));
}

/**
 * Reports before the start what the worker would refuse at its first request.
 *
 * @throws PlainFailure with a sentence for each invalid secret
 */
export function requireSecrets(settings: LocalSettings): void {
  const complaints = complaintsAbout({ ...localVars(settings), ...readSecrets() });
  const wrong = complaints.filter(({ name }) => isSecret(name));
  if (wrong.length > 0) {
    const sentences = wrong.map(({ sentence }) => sentence).join(' ');
    throw new PlainFailure(
      `${sentences} Remove the line from ${secretsFile}: the next start makes a new one.`,
    );
  }
}

/** Keeps wrangler quiet and offline. */
export const quietEnv = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG: 'error',
  WRANGLER_SEND_METRICS: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
} as const;
