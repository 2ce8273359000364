import { defineConfig } from 'vitest/config';
import { DefaultReporter } from 'vitest/node';
import workerd from '../test/vitest.workerd.config.ts';

/**
 * Prints only the run's own output, without the test name on every line and without the worker's
 * log.
 */
class PlainReporter extends DefaultReporter {
  override onUserConsoleLog({ content }: { content: string }): void {
    if (!content.startsWith('{')) {
      process.stdout.write(content);
    }
  }
}

const { test, ...config } = workerd;

/** Run by `npm run scale`: in workerd like the tests, with a growing database. */
export default defineConfig({
  ...config,
  test: {
    ...test,
    name: 'scale',
    retry: 0,
    include: ['../bench/scale.ts'],
    setupFiles: ['support/new-database.ts'],
    testTimeout: 60 * 60 * 1000,
    provide: { scaleUsers: Number(process.env['SCALE_USERS'] ?? 1_000_000) },
    reporters: [new PlainReporter()],
  },
});
