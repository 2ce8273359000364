import { defineConfig } from 'vitest/config';

/** What a page and a request may cost; see docs/performance.md. It looks at what `npm run build` made. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'budgets',
    environment: 'node',
    include: ['budgets/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
