import { defineConfig } from 'vitest/config';
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
    // One file at a time, because they measure.
    maxWorkers: 1,
    sequence: { groupOrder: 3 },
    // Other tests may share two cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
