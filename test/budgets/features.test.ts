import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { holdBudgets } from './budget.ts';
import { browserFiles, codeBySource, serverFiles, weigh } from './built-files.ts';

/**
 * In bytes, compressed: what a feature may add to the worker, and to all browser scripts together.
 */
const usual = { worker: 8_000, browser: 3_000 };

/**
 * Features that need more than the default. Each has a budget of its own, so that none uses
 * another's.
 */
const larger: Record<string, typeof usual> = {
  accounts: { worker: 8_500, browser: 3_000 },
  auth: { worker: 24_000, browser: 4_000 },
  courses: { worker: 11_000, browser: 4_000 },
  cohorts: { worker: 42_000, browser: 8_300 },
  emails: { worker: 12_000, browser: 3_000 },
  meetings: { worker: 18_000, browser: 5_000 },
  payments: { worker: 26_000, browser: 3_000 },
  people: { worker: 70_000, browser: 16_000 },
  'roster-files': { worker: 17_500, browser: 5_000 },
};

const places = [
  ['worker', serverFiles()],
  ['browser', browserFiles()],
] as const;

const features = readdirSync('src/features');

test('features with a larger budget exist', () => {
  expect(features).toEqual(expect.arrayContaining(Object.keys(larger)));
});

for (const [place, files] of places) {
  test(`each feature stays within its own budget in the ${place}`, ({ task }) => {
    const code = codeByFeature(files);
    const built = features.filter((feature) => feature in code);
    const rows = built.map((feature) => {
      const sources = code[feature] ?? {};
      return {
        what: `feature ${feature}, in the ${place}`,
        measured: weigh(Object.values(sources).join('')),
        budget: (larger[feature] ?? usual)[place],
        unit: 'B' as const,
        // Each compressed on its own.
        parts: Object.fromEntries(
          Object.entries(sources).map(([source, text]) => [source, weigh(text)]),
        ),
      };
    });

    expect(built).toEqual(expect.arrayContaining(['auth', 'courses']));
    holdBudgets(task, rows);
  });
}

/** The built code of each feature, by source, with the texts in it. */
function codeByFeature(files: string[]): Record<string, Record<string, string>> {
  const code: Record<string, Record<string, string>> = {};
  for (const { source, code: piece } of files.flatMap(codeBySource)) {
    const [file = '', feature] = /src\/features\/([^/]+)\/.+$/.exec(source) ?? [];
    if (feature !== undefined) {
      code[feature] ??= {};
      code[feature][file] = (code[feature][file] ?? '') + piece;
    }
  }
  return code;
}
