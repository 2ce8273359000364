import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

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
