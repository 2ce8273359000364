import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

/** The features in the order of the README's map. */
const ranks = [...readFileSync('README.md', 'utf8').matchAll(/^ {4}([\w-]+)\/ /gm)].map(
  ([, feature = '']) => feature,
);

test('the map in the README has every feature', () => {
  const features = globSync('src/features/*').map((folder) => path.basename(folder));

  expect(ranks.toSorted()).toEqual(features.sort());
});

test('a feature imports only those above it in that map, and what all features use imports none', () => {
  const offenders = globSync('src/*/**/*.{ts,tsx}', { exclude: ['src/pages/**'] }).flatMap((file) =>
    importsOf(file)
      .filter((imported) => rankOf(imported) > rankOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );

  expect(offenders).toEqual([]);
});

/** The place of a file's feature in the map; -1 for what belongs to none. */
function rankOf(file: string): number {
  return ranks.indexOf(/^src\/features\/([^/]+)\//.exec(file)?.[1] ?? '');
}
