import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      './test/vitest.workerd.config.ts',
      './test/vitest.built.config.ts',
      './test/vitest.budgets.config.ts',
    ],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});
