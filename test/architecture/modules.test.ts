import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

/** Islands and the entry, and whatever these import, at once or when it is needed. */
const sentToBrowsers = withImports([
  'src/waku.client.tsx',
  ...globSync('src/**/*.{ts,tsx}').filter((file) =>
    readFileSync(file, 'utf8').startsWith("'use client'"),
  ),
]);

/** Where these may lie; what is for the server alone says so in its first line. */
const forBrowsers =
  /^src\/(client|ui|lib|router|features)\/|^src\/(paths|db\/values|observability\/without-secrets)\.ts$/;

const packagesForBrowsers =
  /^(react|react-dom\/client|zod\/mini|@sentry\/browser|waku\/(client|minimal\/client|router\/client-core))$/;

test.each(sentToBrowsers)('%s imports what a browser may be sent', (file) => {
  const offenders = importsOf(file).filter(
    (name) => !forBrowsers.test(name) && !packagesForBrowsers.test(name),
  );

  expect(offenders).toEqual([]);
});

test('the walk through the imports finds what is loaded at once, and what is loaded later', () => {
  expect(sentToBrowsers).toContain('src/client/call-api.ts');
  expect(sentToBrowsers).toContain('src/features/auth/schema.ts');
  expect(sentToBrowsers).not.toContain('src/features/shell/app-shell.tsx');
});

test('no browser is sent Lingui or a catalog: islands are handed their words', () => {
  const offenders = sentToBrowsers.filter((file) =>
    importsOf(file).some((name) => /^@lingui\/|^src\/i18n\/|^locales\//.test(name)),
  );

  expect(offenders).toEqual([]);
});

test('nothing but src/router knows the client of Waku', () => {
  const importers = globSync('src/**/*.{ts,tsx}').filter((file) =>
    importsOf(file).some((name) => /^waku\/(minimal|router\/client)/.test(name)),
  );

  expect(importers.length).toBeGreaterThan(0);
  expect(importers.filter((file) => !file.startsWith('src/router/'))).toEqual([]);
});

test('in browsers one file alone sends requests, with the token, and one alone writes cookies', () => {
  const withWords = (words: RegExp) =>
    sentToBrowsers.filter((file) => words.test(readFileSync(file, 'utf8')));

  expect(withWords(/\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource/)).toEqual([
    'src/client/call-api.ts',
  ]);
  expect(withWords(/document\.cookie = |cookieStore/)).toEqual(['src/lib/write-cookie.ts']);
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

/** These files and all that they import, directly or not. */
function withImports(files: string[]): string[] {
  const found = new Set(files);
  // A set is walked through with what is added on the way.
  for (const file of found) {
    for (const name of importsOf(file).filter((name) => existsSync(name))) {
      found.add(name);
    }
  }
  return [...found].sort();
}
