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
  // The very set-up of `npm start`, on a database of its own.
  webServer: {
    command: 'node scripts/start.ts --skip-build',
    cwd: root,
    env: {
      APP_PORT: String(appPort),
      GOOGLE_PORT: '4010',
      RESEND_PORT: '4011',
      STATE_FOLDER: '.wrangler/e2e',
    },
    url: `http://localhost:${appPort}/api/health/`,
    timeout: 60_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
