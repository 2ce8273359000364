/**
 * Which files belong to which suite, relative to this folder. All other test files run inside
 * workerd. Screenshots are not tests.
 */
export const suiteFiles = {
  built: ['built/**/*.test.ts', 'architecture/**/*.test.ts'],
  budgets: ['budgets/**/*.test.ts'],
  /** What reads or writes HTML, in Chromium without a site. */
  elements: ['**/*.browser.test.ts'],
  browser: ['e2e/**/!(screenshots).spec.ts'],
};
