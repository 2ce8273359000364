import { defineConfig } from 'vitest/config';

/** What `npm run build` made, as wrangler runs it, and the sources as they lie there. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'built',
    environment: 'node',
    include: ['built/**/*.test.ts', 'architecture/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
