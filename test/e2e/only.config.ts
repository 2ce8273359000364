import { defineConfig } from '@playwright/test';
import config, { reportingServer } from './playwright.config.ts';
export default defineConfig({
  ...config,
  reporter: 'list',
  workers: 1,
  projects: [{ name: 'reports', testMatch: 'reports.spec.ts' }],
  webServer: reportingServer,
});
