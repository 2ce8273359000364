import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { hasEveryCase } from '../every-case.ts';
import { chromiumFlags, chromiumPath, hasChromium, howToGetChromium } from './chromium.ts';

if (!hasChromium) {
  throw new Error(howToGetChromium);
}

const root = path.join(import.meta.dirname, '../..');

/** Its own ports, so that it can run next to an `npm start`. */
const appOrigin = 'http://localhost:8797';
export const inboxOrigin = 'http://localhost:4011';
export const googleOrigin = 'http://localhost:4010';
export const stripeOrigin = 'http://localhost:4014';

/** The database and the log of the run, new each time. */
export const stateFolder = path.join(root, '.wrangler/e2e');
export const logFile = path.join(stateFolder, 'server.log');
/** Where tests record every secret that passes through a browser; see leaks.teardown.ts. */
export const secretsFile = path.join(stateFolder, 'secrets.txt');

/** Started only at night: the product with a pseudo-language instead of French; see pseudo.ts. */
export const pseudo = {
  origin: 'http://localhost:8798',
  inboxOrigin: 'http://localhost:4013',
  stripeOrigin: 'http://localhost:4015',
  folder: path.join(root, '.wrangler/pseudo'),
};

/** The product with error reporting on; see reports.spec.ts, which receives the reports. */
export const reporting = {
  origin: 'http://localhost:8850',
  inboxOrigin: 'http://localhost:4151',
  stripeOrigin: 'http://localhost:4153',
  ingestPort: 4152,
  stateFolder: path.join(root, '.wrangler/e2e-reports'),
};

/** The debugging port through which Lighthouse controls its browser. */
export const debuggingPort = 8799;

/** One machine makes the requests of many people. */
const limits = {
  mails: [],
  mails_to_unproven: [],
  mails_per_ip: [],
  google_starts_per_ip: [],
  google_callbacks_per_ip: [],
  confirmations_per_ip: [],
  codes_per_ip: [],
  unknown_addresses_per_ip: [],
  courses_per_user: [],
  cohorts_per_user: [],
  // Emails to many go out at once instead of over an hour.
  bulk_mails_per_owner: [],
};

type Server = {
  folder: string;
  start: string;
  stateFolder: string;
  origin: string;
  googleOrigin: string;
  inboxOrigin: string;
  stripeOrigin: string;
  sentryDsn?: string;
};

/** The setup of `npm start`, on a database of its own. */
function server({ folder, start, stateFolder: state, origin, sentryDsn = '', ...rest }: Server) {
  const log = path.join(state, 'server.log');
  return {
    command: `rm -rf ${state} && mkdir -p ${state} && { ${start} > ${log} 2>&1 || cat ${log}; }`,
    cwd: folder,
    env: {
      APP_PORT: new URL(origin).port,
      GOOGLE_PORT: new URL(rest.googleOrigin).port,
      RESEND_PORT: new URL(rest.inboxOrigin).port,
      STRIPE_PORT: new URL(rest.stripeOrigin).port,
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

export const builtServer = server({
  folder: root,
  start: 'node scripts/start.ts --skip-build',
  stateFolder,
  origin: appOrigin,
  googleOrigin,
  inboxOrigin,
  stripeOrigin,
});

const reportingServer = server({
  folder: root,
  start: 'node scripts/start.ts --skip-build',
  ...reporting,
  googleOrigin: 'http://localhost:4150',
  sentryDsn: `http://a1b2c3@127.0.0.1:${reporting.ingestPort}/42`,
});

const pseudoServer = {
  ...server({
    folder: root,
    start: `node test/e2e/pseudo.ts ${pseudo.folder} && cd ${pseudo.folder} && node scripts/start.ts --skip-build`,
    stateFolder: path.join(root, '.wrangler/e2e-pseudo'),
    origin: pseudo.origin,
    googleOrigin: 'http://localhost:4012',
    inboxOrigin: pseudo.inboxOrigin,
    stripeOrigin: pseudo.stripeOrigin,
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
    baseURL: appOrigin,
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
