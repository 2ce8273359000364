import { defineConfig } from '@playwright/test';
import config, { builtServer } from './playwright.config.ts';

/** `npm run screenshots`: not part of `npm test`, and without the servers that only tests need. */
export default defineConfig({
  ...config,
  reporter: 'list',
  // All variants of a view are one test.
  timeout: 180_000,
  projects: [{ name: 'screenshots', testMatch: 'screenshots.spec.ts' }],
  webServer: builtServer,
});
