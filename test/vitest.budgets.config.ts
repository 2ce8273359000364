import { defineConfig } from 'vitest/config';
import { hasChromium } from './e2e/chromium.ts';
import { suiteFiles } from './suites.ts';

/** The cost of pages and requests, on the output of `npm run build`; see docs/performance.md. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'budgets',
    // A test that passes only on a retry is named at the end, and counts as failed at night.
    retry: 1,
    environment: 'node',
    include: suiteFiles.budgets,
    exclude: hasChromium ? [] : ['budgets/browser.test.ts'],
    // One file at a time, because they measure.
    maxWorkers: 1,
    sequence: { groupOrder: 3 },
    // A browser and other tests may share two cores, and at night each page has four looks.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
