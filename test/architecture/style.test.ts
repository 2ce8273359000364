import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = globSync('{src,test,scripts,bench}/**/*.{ts,tsx,mjs}').filter(
  (file) => !file.includes('node_modules') && !/\.gen\.(d\.)?ts$/.test(file),
);

const tests = sources.filter((file) => file.startsWith('test/'));

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

test('comments are at most 100 columns wide', () => {
  const wide = sources.flatMap((file) =>
    linesOf(file)
      // A lint rule is switched off in one line.
      .filter((line) => /^\s*(\/\/|\/\*|\*|\{\/\*)/.test(line) && !line.includes('biome-ignore'))
      .filter((line) => line.length > 100)
      .map((line) => `${file}: ${line.trim()}`),
  );

  expect(sources.length).toBeGreaterThan(400);
  expect(wide).toEqual([]);
});

test('no file of tests has more than 400 lines', () => {
  expect(tests.filter((file) => linesOf(file).length > 401)).toEqual([]);
});

test('tests import what they share as #support', () => {
  const relative = tests.filter((file) =>
    /from '(\.\.\/)+support\//.test(readFileSync(file, 'utf8')),
  );

  expect(relative).toEqual([]);
});
