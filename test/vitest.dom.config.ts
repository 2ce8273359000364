import path from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumPath } from './e2e/chromium.ts';
import { fuzzSeed, hasEveryCase } from './every-case.ts';
import { suiteFiles } from './suites.ts';

/** Modules that read or write HTML, in a real browser. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.join(import.meta.dirname, '../node_modules/.vite/dom'),
  define: {
    'import.meta.env.FUZZ_SEED': String(fuzzSeed),
    'import.meta.env.EVERY_CASE': String(hasEveryCase),
  },
  resolve: { alias: { 'server-only': path.join(import.meta.dirname, 'support/server-only.ts') } },
  test: {
    name: 'dom',
    include: suiteFiles.dom,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: chromiumPath } }),
      instances: [{ browser: 'chromium' }],
    },
    testTimeout: hasEveryCase ? 600_000 : 60_000,
    sequence: { groupOrder: 2 },
  },
});
