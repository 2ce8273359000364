import config, { builtServer } from './playwright.config.ts';
export default {
  ...config,
  reporter: 'list',
  projects: [
    {
      name: 'journeys',
      testIgnore: [
        'screenshots.spec.ts',
        'lighthouse.spec.ts',
        'reports.spec.ts',
        'pseudo.spec.ts',
      ],
    },
  ],
  webServer: builtServer,
};
