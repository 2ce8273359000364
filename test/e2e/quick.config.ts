import { defineConfig } from '@playwright/test';
import config, { builtServer } from './playwright.config.ts';

export default defineConfig({
  ...config,
  reporter: 'line',
  projects: [{ name: 'journeys', testIgnore: ['screenshots.spec.ts', 'lighthouse.spec.ts'] }],
  webServer: builtServer,
});
