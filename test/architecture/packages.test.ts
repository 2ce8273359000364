import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('versions are exact, and the lock file is complete and names no registry', () => {
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

/**
 * Below these versions React Server Components, Waku or Hono have known vulnerabilities (see
 * docs/security.md).
 */
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
  const copies = Object.entries<{ version: string }>(packages)
    .filter(([key]) => key.endsWith(`node_modules/${name}`))
    .map(([, { version }]) => version);

  expect(copies.length).toBeGreaterThan(0);
  expect(copies.filter((version) => isBelow(version, floor))).toEqual([]);
});

test('the React bundled in plugin-rsc is at least the minimum version too', () => {
  const file = 'node_modules/@vitejs/plugin-rsc/dist/vendor/react-server-dom/package.json';
  const { version } = JSON.parse(readFileSync(file, 'utf8'));

  expect(isBelow(version, '19.3.1')).toBe(false);
});

/** Compares part by part as numbers; a release sorts after all of its prereleases. */
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
