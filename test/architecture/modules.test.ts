import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

/** Islands and the entry, and everything they import, immediately or lazily. */
const sentToBrowsers = withImports([
  'src/waku.client.tsx',
  ...globSync('src/**/*.{ts,tsx}').filter((file) =>
    readFileSync(file, 'utf8').startsWith("'use client'"),
  ),
]);

/** Allowed folders; a server-only file says so in its first line. */
const forBrowsers =
  /^src\/(client|ui|lib|router|features)\/|^src\/(paths|db\/values|email\/kinds|observability\/without-secrets)\.ts$/;

const packagesForBrowsers =
  /^(react|react-dom\/client|zod\/mini|@sentry\/browser|@tiptap\/[a-z/-]+|client-zip|yaml|@zip\.js\/zip\.js\/lib\/zip-core-custom\.js|(mdast|micromark)-[a-z-]+|waku\/(client|minimal\/client|router\/client-core))$/;

test('what is sent to browsers imports nothing but modules that may be sent, and neither Lingui nor catalogs', () => {
  const offenders = sentToBrowsers.flatMap((file) =>
    importsOf(file)
      .filter((name) => !forBrowsers.test(name) && !packagesForBrowsers.test(name))
      .map((name) => `${file} imports ${name}`),
  );

  expect(offenders).toEqual([]);
});

test('in the browser one file sends requests, with the CSRF token, and one file writes cookies', () => {
  const withWords = (words: RegExp) =>
    sentToBrowsers.filter((file) => words.test(readFileSync(file, 'utf8')));

  expect(withWords(/\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource/)).toEqual([
    'src/client/call-api.ts',
    // Files, by their signed addresses.
    'src/features/content-files/download-content.ts',
    // Parts of files, to tell how much has gone.
  ]);
  expect(withWords(/document\.cookie = |cookieStore/)).toEqual(['src/lib/browser-storage.ts']);
});

test.each([
  ['server functions', /^\s*['"]use server['"]/m],
  ['module-level let declarations, which requests would share', /^(export )?let /m],
  ['transactions, which D1 does not support', /\.transaction\(/],
])('there are no %s', (_what, words) => {
  const offenders = globSync('src/**/*.{ts,tsx}').filter((file) =>
    words.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

/** These files and all their imports, direct and transitive. */
function withImports(files: string[]): string[] {
  const found = new Set(files);
  // Iterating a set includes elements added on the way.
  for (const file of found) {
    for (const name of importsOf(file).filter((name) => existsSync(name))) {
      found.add(name);
    }
  }
  return [...found].sort();
}
