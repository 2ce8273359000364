import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashOfSources } from '../../scripts/build-id.ts';

test('the id of a build is that of its sources, so that the same sources give the same build', () => {
  const ids = globSync('dist/public/assets/*.js').flatMap((script) =>
    Array.from(readFileSync(script, 'utf8').matchAll(/_buildId!==[`"']([^`"']+)/g), ([, id]) => id),
  );

  expect(ids).toEqual([hashOfSources()]);
});
