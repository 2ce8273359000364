import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

test('versions are exact, and the lock file is whole and names no place to fetch from', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);

  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = new Set(Object.keys(packages).map((key) => key.replace(/^.*node_modules\//, '')));
  const wanted = Object.values<{ optionalDependencies?: object }>(packages).flatMap(
    ({ optionalDependencies = {} }) => Object.keys(optionalDependencies),
  );
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  expect(JSON.stringify(packages)).not.toContain('"resolved"');
});

/** Below these the React Server Components, Waku or Hono have holes that are known (see docs/security.md). */
const floors: [name: string, floor: string][] = [
  ['react', '19.3.1'],
  ['react-dom', '19.3.1'],
  ['react-server-dom-webpack', '19.3.1'],
  ['waku', '1.0.0-rc.1'],
  ['hono', '4.13.19'],
  ['@vitejs/plugin-rsc', '0.5.38'],
];

test.each(floors)('every copy of %s in the lock file is at least %s', (name, floor) => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const copies = Object.entries<{ version: string }>(packages).filter(([key]) =>
    key.endsWith(`node_modules/${name}`),
  );

  expect(copies.length).toBeGreaterThan(0);
  expect(copies.filter(([, { version }]) => isBelow(version, floor))).toEqual([]);
});

test('the React that plugin-rsc carries in itself is above the floor too', () => {
  const file = 'node_modules/@vitejs/plugin-rsc/dist/vendor/react-server-dom/package.json';
  const { version } = JSON.parse(readFileSync(file, 'utf8'));

  expect(isBelow(version, '19.3.1')).toBe(false);
});

test('versions are compared as versions', () => {
  expect(isBelow('19.3.0', '19.3.1')).toBe(true);
  expect(isBelow('19.10.0', '19.3.1')).toBe(false);
  expect(isBelow('19.3.1-canary.0', '19.3.1')).toBe(true);
  expect(isBelow('1.0.0-beta.9', '1.0.0-rc.1')).toBe(true);
  expect(isBelow('1.0.0', '1.0.0-rc.1')).toBe(false);
});

test('arctic, which its author has left, is imported in one file and at one version', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const importers = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /from 'arctic/.test(readFileSync(file, 'utf8')),
  );

  expect(dependencies.arctic).toBe('3.7.0');
  expect(importers).toEqual(['src/features/auth/google.ts']);
});

test('toucan, which its author has left, is imported in one file, the SDK of browsers in another, when they are needed', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const importersOf = (name: string) =>
    globSync('src/**/*.{ts,tsx}').filter((file) => importsOf(file).includes(name));
  const files = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /from '(toucan|@sentry)/.test(readFileSync(file, 'utf8')),
  );

  expect(dependencies['toucan-js']).toBe('4.1.1');
  expect(importersOf('toucan-js')).toEqual(['src/observability/error-reports.ts']);
  expect(importersOf('@sentry/browser')).toEqual(['src/features/error-reports/start-sentry.ts']);
  // Toucan is not imported before something has failed.
  expect(files).toEqual(['src/features/error-reports/start-sentry.ts']);
});

/** By number, part for part; a release comes after all of its candidates. */
function isBelow(version: string, floor: string): boolean {
  const [release = '', candidate] = version.split(/-(.*)/s);
  const [floorRelease = '', floorCandidate] = floor.split(/-(.*)/s);
  const order = release.localeCompare(floorRelease, 'en', { numeric: true });
  if (order !== 0) {
    return order < 0;
  }
  if (candidate === undefined || floorCandidate === undefined) {
    return candidate !== undefined;
  }
  return candidate.localeCompare(floorCandidate, 'en', { numeric: true }) < 0;
}
