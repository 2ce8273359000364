import { defineConfig } from 'vitest/config';
import { hasEveryCase } from './every-case.ts';
import { OutcomeReporter } from './outcome-reporter.ts';

/** Each of several parallel runs has its own; set by scripts/local/suites.ts. */
const { VITEST_REPORT: report = 'test-results/vitest.json' } = process.env;

export default defineConfig({
  test: {
    projects: [
      './test/vitest.workerd.config.ts',
      './test/vitest.built.config.ts',
      './test/vitest.budgets.config.ts',
    ],
    // For the tests of every project.
    tags: [
      {
        name: 'night',
        description: 'Only with EVERY_CASE=1, as at night',
        skip: !hasEveryCase,
        timeout: 600_000,
      },
    ],
    reporters: ['default', new OutcomeReporter(report)],
  },
});
