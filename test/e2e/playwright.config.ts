import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { freePorts } from '../built/free-port.ts';
import { hasEveryCase } from '../every-case.ts';
import { chromiumFlags, chromiumPath, hasChromium, howToGetChromium } from './chromium.ts';

if (!hasChromium) {
  throw new Error(howToGetChromium);
}

const root = path.join(import.meta.dirname, '../..');

/** Free ports, chosen by the process that starts the servers, for all processes of the run. */
const chosenPorts = process.env['E2E_PORTS']?.split(' ').map(Number) ?? (await freePorts(17));
process.env['E2E_PORTS'] = chosenPorts.join(' ');
const ports = chosenPorts.values();

function nextOrigin(): string {
  return `http://localhost:${ports.next().value}`;
}

function origins() {
  return {
    origin: nextOrigin(),
    googleOrigin: nextOrigin(),
    inboxOrigin: nextOrigin(),
    stripeOrigin: nextOrigin(),
    rowsPort: new URL(nextOrigin()).port,
  };
}

const app = origins();
export const { googleOrigin, inboxOrigin, stripeOrigin } = app;

/** The database and the log of the run, new each time. */
export const stateFolder = path.join(root, '.wrangler/e2e');
export const logFile = path.join(stateFolder, 'server.log');
/** Where tests record every secret that passes through a browser; see leaks.teardown.ts. */
export const secretsFile = path.join(stateFolder, 'secrets.txt');

/** Started only at night: the product with a pseudo-language instead of French; see pseudo.ts. */
export const pseudo = { ...origins(), folder: path.join(root, '.wrangler/pseudo') };

/** The product with error reporting on; see reports.spec.ts, which receives the reports. */
export const reporting = {
  ...origins(),
  ingestPort: Number(new URL(nextOrigin()).port),
  stateFolder: path.join(root, '.wrangler/e2e-reports'),
};

/** The debugging port through which Lighthouse controls its browser. */
export const debuggingPort = Number(new URL(nextOrigin()).port);

/** Where each server takes rows; see rows.ts. */
export const rowsPorts = [app, pseudo, reporting].map(({ rowsPort }) => rowsPort);

const serve = path.join(import.meta.dirname, 'serve.ts');

/** One machine makes the requests of many people. */
const limits = {
  mails: [],
  mails_per_address: [],
  mails_per_address_reserved: [],
  sign_ups_per_address: [],
  mails_to_unproven: [],
  mails_per_ip: [],
  google_starts_per_ip: [],
  google_callbacks_per_ip: [],
  confirmations_per_ip: [],
  codes_per_ip: [],
  unknown_addresses_per_ip: [],
  courses_per_user: [],
  cohorts_per_user: [],
  cohort_mails_per_address: [],
  owner_mails_per_address: [],
  // Emails to many go out at once instead of over an hour.
  bulk_mails_per_owner: [],
};

type Server = {
  before?: string;
  stateFolder: string;
  origin: string;
  googleOrigin: string;
  inboxOrigin: string;
  stripeOrigin: string;
  rowsPort: string;
  sentryDsn?: string;
};

/** The setup of `npm start`, on a database of its own. */
function server({ before = '', stateFolder: state, origin, sentryDsn = '', ...rest }: Server) {
  const log = path.join(state, 'server.log');
  return {
    command: `rm -rf ${state} && mkdir -p ${state} && { ${before}node ${serve} > ${log} 2>&1 || cat ${log}; }`,
    cwd: root,
    env: {
      APP_PORT: new URL(origin).port,
      GOOGLE_PORT: new URL(rest.googleOrigin).port,
      RESEND_PORT: new URL(rest.inboxOrigin).port,
      STRIPE_PORT: new URL(rest.stripeOrigin).port,
      ROWS_PORT: rest.rowsPort,
      STATE_FOLDER: state,
      LIMITS: JSON.stringify(limits),
      SENTRY_DSN: sentryDsn,
    },
    url: `${origin}/api/health/`,
    timeout: 120_000,
    stdout: 'pipe' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
  };
}

export const builtServer = server({ stateFolder, ...app });

const reportingServer = server({
  ...reporting,
  sentryDsn: `http://a1b2c3@127.0.0.1:${reporting.ingestPort}/42`,
});

const pseudoServer = {
  ...server({
    ...pseudo,
    before: `node test/e2e/pseudo.ts ${pseudo.folder} && cd ${pseudo.folder} && `,
    stateFolder: path.join(root, '.wrangler/e2e-pseudo'),
  }),
  // It is built first.
  timeout: 600_000,
};

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: path.join(root, 'test-results/e2e'),
  forbidOnly: true,
  // These tests run only at night.
  ...(hasEveryCase ? {} : { grepInvert: /@night/ }),
  fullyParallel: true,
  // One more than cores: tests wait for emails, answers and frames.
  workers: 3,
  // A test that passes only on a retry is named at the end, and counts as failed at night.
  retries: 2,
  timeout: 60_000,
  // Two browsers and the worker share two cores.
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: path.join(root, 'test-results/e2e.json') }]],
  use: {
    baseURL: app.origin,
    screenshot: 'only-on-failure',
    // A recording of every test would take a fifth of the run; `--trace on` records one again.
    trace: 'off',
    // While a menu still moves, Playwright tries again and scrolls the page under it, and its click
    // beside the menu closes it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromiumPath, args: chromiumFlags },
  },
  projects: [
    {
      name: 'journeys',
      teardown: 'leaks',
      testIgnore: ['screenshots.spec.ts', 'lighthouse.spec.ts'],
    },
    {
      // Runs last and one at a time, because it measures. Alone: `--project lighthouse --no-deps`.
      name: 'lighthouse',
      testMatch: 'lighthouse.spec.ts',
      dependencies: ['journeys'],
      fullyParallel: false,
    },
    { name: 'leaks', testMatch: 'leaks.teardown.ts' },
  ],
  webServer: [builtServer, reportingServer, ...(hasEveryCase ? [pseudoServer] : [])],
});
