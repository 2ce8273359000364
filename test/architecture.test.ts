import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';

const pages = globSync('src/pages/**/*.{ts,tsx}');
const routes = pages.filter((file) => !file.includes('_interceptors'));

/** Pages that anybody may see; every other one must ask who is there. */
const publicPages = ['_root', '404', 'login', 'signup', 'confirm'];

test('src/pages holds these routes and nothing else', () => {
  expect(routes.map((file) => path.relative('src/pages', file)).sort()).toEqual([
    '404.tsx',
    '_root.tsx',
    'confirm.tsx',
    'index.tsx',
    'login.tsx',
    'onboarding/course.tsx',
    'signup.tsx',
  ]);
});

test.each(routes)('%s says how it renders', (file) => {
  expect(readFileSync(file, 'utf8')).toContain(
    "export const getConfig = async () => ({ render: 'dynamic' }) as const;",
  );
});

test.each(routes)(
  '%s asks for its request, and a signed-in page for its user, in its first line',
  (file) => {
    const [, firstLine = ''] =
      /export default (?:async )?function \w+\([^)]*\)[^{]*\{\n\s*([^\n]*)/.exec(
        readFileSync(file, 'utf8'),
      ) ?? [];
    const isPublic = publicPages.includes(path.basename(file, '.tsx'));

    expect(firstLine).toMatch(
      isPublic ? /\b(pageRequest|requireNobody)\(\)/ : /\bawait requireUser\(\)/,
    );
  },
);

/** What a browser may be sent. Types cost nothing and may come from anywhere. */
const forBrowsers =
  /^(#(ui|lib)\/|#i18n\/(?!server)|#paths\.ts|#db\/values\.ts|#api\/(client|use-api-form)\.ts|#features\/\w+\/schema\.ts|\.\/)/;
const islands = globSync('src/**/*.{ts,tsx}').filter((file) =>
  readFileSync(file, 'utf8').startsWith("'use client'"),
);

test.each(islands)('%s imports what a browser may be sent', (file) => {
  const source = readFileSync(file, 'utf8');
  const imported = [...source.matchAll(/^import (?!type )[^;]*? from '([#.][^']+)';/gms)];

  expect(imported.map(([, name = '']) => name).filter((name) => !forBrowsers.test(name))).toEqual(
    [],
  );
});

test('there are no server functions', () => {
  const offenders = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test('no module keeps state of a request: there is no module-level let', () => {
  const offenders = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /^(export )?let /m.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test('nothing asks D1 for a transaction, which it does not have', () => {
  const offenders = globSync('src/**/*.ts').filter((file) =>
    /\.transaction\(/.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test.each(globSync('locales/fr/*.po'))('%s has every text in French', (file) => {
  const entries = readFileSync(file, 'utf8').split('\n\n').slice(1);
  const missing = entries.filter((entry) => /^msgstr ""$(?!\n")/m.test(entry));

  expect(missing).toEqual([]);
});

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

test('the worker answers under the operator’s own domain alone, and its log holds no addresses of requests', () => {
  const config = unstable_readConfig({ config: 'wrangler.toml' });

  expect(config.workers_dev).toBe(false);
  expect(config.preview_urls).toBe(false);
  expect(config.observability?.logs?.invocation_logs).toBe(false);
  expect(config.triggers.crons).toHaveLength(1);
  expect(config.ratelimits.map(({ name }: { name: string }) => name)).toEqual(['SIEVE']);
  expect(config.secrets?.required).toEqual([
    'APP_SECRET',
    'GOOGLE_CLIENT_SECRET',
    'RESEND_API_KEY',
  ]);
});

test('every file that docs/security.md names is there', () => {
  const named = [...readFileSync('docs/security.md', 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)];
  const missing = named
    .map(([, file = '']) => file)
    .filter((file) => !existsSync(`src/${file}`) && !existsSync(`test/${file}`));

  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('what is sent to browsers names no secret of the worker', () => {
  const files = globSync('dist/public/**/*.{js,css,html,txt}');
  const offenders = files.filter((file) =>
    /APP_SECRET|GOOGLE_CLIENT_SECRET|RESEND_API_KEY/.test(readFileSync(file, 'utf8')),
  );

  expect(files.length).toBeGreaterThan(0);
  expect(offenders).toEqual([]);
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
