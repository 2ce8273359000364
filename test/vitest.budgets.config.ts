import { defineConfig } from 'vitest/config';
import { hasChromium } from './e2e/chromium.ts';
import { suiteFiles } from './suites.ts';

/** What a page and a request may cost, on what `npm run build` made; see docs/performance.md. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'budgets',
    environment: 'node',
    include: suiteFiles.budgets,
    exclude: hasChromium ? [] : ['budgets/browser.test.ts'],
    // One file after the other: they measure.
    maxWorkers: 1,
    sequence: { groupOrder: 3 },
    // Two cores may have a browser, a build and other tests to run, and some pages are loaded over a slow network.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
