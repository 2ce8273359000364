import { defineConfig } from 'vitest/config';
import { DefaultReporter } from 'vitest/node';
import workerd from '../test/vitest.workerd.config.ts';

/** Says what the run says, without the name of the test over every line, and without the log of the worker. */
class PlainReporter extends DefaultReporter {
  override onUserConsoleLog({ content }: { content: string }): void {
    if (!content.startsWith('{')) {
      process.stdout.write(content);
    }
  }
}

/** What `npm run scale` runs: in workerd as the tests, with a database that grows. */
export default defineConfig(async (env) => {
  const { test, ...config } = await workerd(env);
  return {
    ...config,
    test: {
      ...test,
      name: 'scale',
      include: ['../bench/scale.ts'],
      setupFiles: ['support/new-database.ts'],
      testTimeout: 60 * 60 * 1000,
      provide: { scaleUsers: Number(process.env['SCALE_USERS'] ?? 1_000_000) },
      reporters: [new PlainReporter()],
    },
  };
});
