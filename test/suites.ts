/**
 * Which files belong to which suite, as seen from this folder. All other files of tests run inside
 * workerd. Screenshots are no tests.
 */
export const suiteFiles = {
  built: ['built/**/*.test.ts', 'architecture/**/*.test.ts'],
  budgets: ['budgets/**/*.test.ts'],
  browser: ['e2e/**/!(screenshots).spec.ts'],
};
