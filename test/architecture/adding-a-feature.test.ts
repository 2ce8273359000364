import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { afterStep, readSteps } from '../adding-a-feature.ts';

test('each step of docs/adding-a-feature.md fits', () => {
  // French is filled in after a command has written the catalogs; `npm run nightly -- feature` does
  // both.
  const steps = readSteps().filter(({ language }) => language !== 'po');

  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) {
    const source = existsSync(step.file) ? readFileSync(step.file, 'utf8') : null;
    expect(() => afterStep(step, source), step.file).not.toThrow();
  }
});
