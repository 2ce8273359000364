import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutations } from '../mutations/all.ts';

test('every mutation finds its place exactly once, and its tests', () => {
  const lost = mutations.filter(
    ({ file, find, tests }) =>
      readFileSync(file, 'utf8').split(find).length !== 2 || !existsSync(`test/${tests}.test.ts`),
  );

  expect(mutations.length).toBeGreaterThan(90);
  expect(lost.map(({ defense, file }) => `${defense}: ${file}`)).toEqual([]);
});
