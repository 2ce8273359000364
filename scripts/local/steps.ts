import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createEmulator } from 'emulate';
import { runCommand } from './command.ts';
import { googlePeople } from './google-people.ts';
import { inboxReaders } from './inbox-readers.ts';
import { PlainFailure } from './plain-failure.ts';
import type { Running } from './running.ts';
import {
  appOrigin,
  buildFolder,
  builtConfig,
  ensureSecrets,
  type LocalSettings,
  readSecrets,
  readSettings,
  requireSecrets,
} from './settings.ts';
import { stripeStandIn } from './stripe/stand-in.ts';

/**
 * Reads the settings for `npm start` or `npm run dev`, checks that their ports are free, and makes
 * missing secrets.
 *
 * @throws PlainFailure saying what prevents the start
 */
export async function prepareStart(env: NodeJS.ProcessEnv): Promise<LocalSettings> {
  const settings = readSettings(env);
  await requireFreePorts(settings);
  ensureSecrets();
  requireSecrets(settings);
  return settings;
}

/** @throws PlainFailure naming the port and the variable that changes it */
async function requireFreePorts(settings: LocalSettings): Promise<void> {
  const [taken] = await takenPorts(settings);
  if (taken !== undefined) {
    throw new PlainFailure(taken);
  }
}

/** A sentence for each port in use. */
export async function takenPorts(settings: LocalSettings): Promise<string[]> {
  const ports = [
    ['APP_PORT', settings.appPort],
    ['GOOGLE_PORT', settings.googlePort],
    ['RESEND_PORT', settings.resendPort],
    ['STRIPE_PORT', settings.stripePort],
  ] as const;
  const sentences: string[] = [];
  for (const [variable, port] of ports) {
    if (!(await isFree(port))) {
      sentences.push(
        `Port ${port} is taken. End what listens there, or set ${variable} to another port.`,
      );
    }
  }
  return sentences;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}

/** Overrides the shell: any other value would build React's development code. */
const production = { NODE_ENV: 'production' };

/** @throws PlainFailure with the build's errors */
export async function build(folder = buildFolder): Promise<void> {
  await run('The build', 'waku', ['build'], { ...production, BUILD_FOLDER: folder });
  // The build copies the local secrets next to it, readable by everyone on the machine.
  const secrets = path.join(folder, 'server/.dev.vars');
  if (existsSync(secrets)) {
    chmodSync(secrets, 0o600);
  }
  setSourceMapsAside(folder);
}

/**
 * What the local build is made from. The build and the checks write the `.gen.` files themselves.
 */
const sources = [
  '{src,locales,public,scripts}/**',
  '{waku,lingui}.config.ts',
  '{wrangler.toml,package-lock.json,.dev.vars}',
];

/** Builds, unless nothing that goes into the build has changed since the last one. */
export async function buildIfChanged(): Promise<void> {
  const builtAt = changedAt(builtConfig);
  // The patterns match folders too, which change when a file in them is removed.
  const changed = sources
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !file.includes('.gen.') && file !== 'src')
    .some((file) => changedAt(file) > builtAt);
  if (changed) {
    await build();
  }
}

/** In milliseconds since 1970; 0 without the file. */
export function changedAt(file: string): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

/**
 * Moves the source maps and their scripts to a folder for reading error reports, where they are not
 * served.
 */
function setSourceMapsAside(folder: string): void {
  const sourceMaps = path.join(folder, 'source-maps');
  rmSync(sourceMaps, { recursive: true, force: true });
  for (const map of globSync(path.join(folder, '{public,server}/**/*.js.map'))) {
    const target = path.join(sourceMaps, path.relative(folder, map));
    mkdirSync(path.dirname(target), { recursive: true });
    renameSync(map, target);
    copyFileSync(map.replace(/\.map$/, ''), target.replace(/\.map$/, ''));
  }
}

/**
 * The build for a deployment: next to the local one, with the settings of its environment, and
 * without the local secrets, which every build copies.
 *
 * @returns the configuration that `wrangler deploy` takes
 * @throws PlainFailure with the build's errors
 */
export async function buildFor(environment: string): Promise<string> {
  const folder = `dist/${environment}`;
  try {
    await run('The build', 'waku', ['build'], {
      ...production,
      // Read by waku.config.ts, and by Cloudflare's plugin.
      BUILD_FOLDER: folder,
      CLOUDFLARE_ENV: environment,
    });
  } finally {
    rmSync(`${folder}/server/.dev.vars`, { force: true });
    // Left by the build, it would make a bare `wrangler deploy` use the last build of any
    // environment.
    rmSync('.wrangler/deploy', { recursive: true, force: true });
  }
  setSourceMapsAside(folder);
  return `${folder}/server/wrangler.json`;
}

/** @throws PlainFailure without a build, or with a build for a deployment */
export function requireBuild(): void {
  if (!existsSync(builtConfig)) {
    throw new PlainFailure('There is no build to start. Make one with `npm run build`.');
  }
  const { targetEnvironment } = JSON.parse(readFileSync(builtConfig, 'utf8'));
  if (targetEnvironment) {
    throw new PlainFailure(
      `The build in dist/ was made for ${targetEnvironment}. Make a local one with \`npm run build\`.`,
    );
  }
}

/** @throws PlainFailure with what is wrong with wrangler.toml */
export async function writeBindingTypes(): Promise<void> {
  const file = 'src/bindings.gen.d.ts';
  // The runtime types come from @cloudflare/workers-types, at a pinned version.
  const flags = ['--config', 'wrangler.toml', '--include-runtime', 'false'];
  await run('Writing the types of the bindings', 'wrangler', ['types', file, ...flags]);
}

/** @throws PlainFailure if Waku cannot read a page */
export async function writePageTypes(): Promise<void> {
  await run('Writing the types of the pages', 'waku', ['router', 'typegen']);
}

/** The stand-ins for Google, Resend and Stripe. They forget everything when they stop. */
export async function startStandIns(settings: LocalSettings): Promise<Running> {
  const { googlePort, resendPort, stripePort } = settings;
  const google = await createEmulator({
    service: 'google',
    port: googlePort,
    seed: { google: { users: Object.values(googlePeople) } },
  });
  const resend = await createEmulator({
    service: 'resend',
    port: resendPort,
    seed: { tokens: Object.fromEntries(inboxReaders.map((login) => [login, { login }])) },
  });
  const webhookSecret = readSecrets()['STRIPE_WEBHOOK_SECRET'] ?? '';
  const stripe = await createEmulator({
    service: stripeStandIn({ appOrigin: appOrigin(settings), webhookSecret }),
    port: stripePort,
  });
  return {
    close: async () => {
      await Promise.all([google.close(), resend.close(), stripe.close()]);
    },
  };
}

/**
 * Waits until every part answers, and prints its address.
 *
 * @throws PlainFailure naming the part that has not answered after a minute
 */
export async function announce(settings: LocalSettings): Promise<void> {
  const app = appOrigin(settings);
  const inbox = `http://localhost:${settings.resendPort}/inbox`;
  const stripe = `http://localhost:${settings.stripePort}/`;
  const google = `http://localhost:${settings.googlePort}/.well-known/openid-configuration`;
  await Promise.all([
    waitUntilAnswers('The app', `${app}/api/health/`),
    waitUntilAnswers('The inbox', inbox),
    waitUntilAnswers('The stand-in for Google', google),
    waitUntilAnswers('The stand-in for Stripe', stripe),
  ]);
  console.log(`
  Lectern     ${app}
  Mail inbox  ${inbox}
  Stripe      ${stripe}

  Mails go nowhere but into this inbox, and no money moves. Stop with Ctrl-C.
`);
}

async function waitUntilAnswers(what: string, url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new PlainFailure(`${what} did not answer at ${url} within a minute.`);
}

/** @throws PlainFailure with the command's errors */
async function run(
  what: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { isDone, reason } = await runCommand(command, args, { env });
  if (!isDone) {
    const shown = ['npx', command, ...args].join(' ');
    throw new PlainFailure(`${what} failed: ${reason}. Run \`${shown}\` to see all of it.`);
  }
}
