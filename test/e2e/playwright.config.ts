import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumFlags, chromiumPath, hasChromium, howToGetChromium } from './chromium.ts';

if (!hasChromium) {
  throw new Error(howToGetChromium);
}

const root = path.join(import.meta.dirname, '../..');

/** Ports of its own, so that it runs beside an `npm start` that is open. */
const appPort = 8797;
export const inboxOrigin = 'http://localhost:4011';
export const googleOrigin = 'http://localhost:4010';

/** The database and the log of the run, begun anew each time. */
export const stateFolder = path.join(root, '.wrangler/e2e');
export const logFile = path.join(stateFolder, 'server.log');
/** Where tests write down every secret that passes through a browser; see leaks.teardown.ts. */
export const secretsFile = path.join(stateFolder, 'secrets.txt');

/** One machine plays many people. */
const limits = {
  mails_per_ip: [],
  google_starts_per_ip: [],
  google_callbacks_per_ip: [],
  confirmations_per_ip: [],
  unknown_addresses_per_ip: [],
};

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: path.join(root, 'test-results/e2e'),
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  // Two browsers and the worker share two cores.
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: path.join(root, 'test-results/e2e.json') }]],
  use: {
    baseURL: `http://localhost:${appPort}`,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: chromiumPath, args: chromiumFlags },
  },
  projects: [
    { name: 'journeys', teardown: 'leaks' },
    { name: 'leaks', testMatch: 'leaks.teardown.ts' },
  ],
  // The very set-up of `npm start`, on a database of its own.
  webServer: {
    command: `rm -rf ${stateFolder} && mkdir -p ${stateFolder} && { node scripts/start.ts --skip-build > ${logFile} 2>&1 || cat ${logFile}; }`,
    cwd: root,
    env: {
      APP_PORT: String(appPort),
      GOOGLE_PORT: new URL(googleOrigin).port,
      RESEND_PORT: new URL(inboxOrigin).port,
      STATE_FOLDER: stateFolder,
      LIMITS: JSON.stringify(limits),
    },
    url: `http://localhost:${appPort}/api/health/`,
    timeout: 60_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
