import { defineConfig } from '@playwright/test';
import config, { builtServer } from './playwright.config.ts';

/** `npm run screenshots`: not a part of `npm test`, and without the server that only tests need. */
export default defineConfig({
  ...config,
  reporter: 'list',
  // A view in all its looks is one test.
  timeout: 180_000,
  projects: [{ name: 'screenshots', testMatch: 'screenshots.spec.ts' }],
  webServer: builtServer,
});
