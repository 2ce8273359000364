import { defineConfig } from 'vitest/config';
import { suiteFiles } from './suites.ts';

/** The output of `npm run build`, as wrangler runs it, and the sources. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'built',
    // A test that passes only on a retry is named at the end, and counts as failed at night.
    retry: 1,
    environment: 'node',
    include: suiteFiles.built,
    maxWorkers: 2,
    // Files share loaded modules: wrangler alone takes two seconds.
    isolate: false,
    sequence: { groupOrder: 2 },
    // A busy machine is not a failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
