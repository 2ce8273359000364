/**
 * Which files belong to which suite, relative to this folder. All other test files run inside
 * workerd. Screenshots are not tests.
 */
export const suiteFiles = {
  built: ['built/**/*.test.ts', 'architecture/**/*.test.ts'],
  budgets: ['budgets/**/*.test.ts'],
  /** Tests that need a real DOM, in Chromium without the app. */
  dom: ['**/*.dom.test.ts'],
  browser: ['e2e/**/!(screenshots).spec.ts'],
};
