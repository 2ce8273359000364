import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { afterStep, isOwn, readSteps } from '../adding-a-feature.ts';

const steps = readSteps();

test('docs/adding-a-feature.md writes at most 20 files, at most 4 of them elsewhere', () => {
  const files = new Set(steps.map(({ file }) => file));
  const elsewhere = steps.filter((step) => !isOwn(step)).map(({ file }) => file);

  expect(files.size).toBe(steps.length);
  expect(files.size).toBeGreaterThan(15);
  expect(files.size).toBeLessThanOrEqual(20);
  expect(elsewhere.sort()).toEqual([
    'src/api/app.ts',
    'src/pages/notes.tsx',
    'src/paths.ts',
    'src/vocabulary.ts',
  ]);
});

// French is filled in after a command has written the catalogs; `npm run nightly -- feature` does
// both.
test.each(steps.filter(({ language }) => language !== 'po'))('the step for $file fits', (step) => {
  const source = existsSync(step.file) ? readFileSync(step.file, 'utf8') : null;

  expect(() => afterStep(step, source)).not.toThrow();
});
