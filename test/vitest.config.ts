import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { hasChromium } from './e2e/chromium.ts';
import { hasEveryCase } from './every-case.ts';
import { OutcomeReporter } from './outcome-reporter.ts';

/** Each of several parallel runs has its own; set by scripts/local/suites.ts. */
const { VITEST_REPORT: report = 'test-results/vitest.json' } = process.env;

// For wrangler and Babel, which the projects load after this.
enableCompileCache(path.resolve('node_modules/.cache/node'));

export default defineConfig({
  test: {
    projects: [
      './test/vitest.workerd.config.ts',
      './test/vitest.built.config.ts',
      './test/vitest.budgets.config.ts',
      ...(hasChromium ? ['./test/vitest.dom.config.ts'] : []),
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
    // In the project: a copy of it, as mutations.ts makes, takes its own along.
    experimental: { fsModuleCachePath: path.resolve('.wrangler/modules') },
    reporters: ['default', new OutcomeReporter(report)],
  },
});
