import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The validation codes that a vocabulary has messages for. */
function codesOf(vocabulary: string): string[] {
  const [, block = ''] = /export const validation = \{(.*?)\n\}/s.exec(vocabulary) ?? [];
  return [...block.matchAll(/^ {2}(\w+):/gm)].map(([, code = '']) => code);
}

const all = globSync('src/features/*/vocabulary.ts').flatMap((file) =>
  codesOf(readFileSync(file, 'utf8')),
);

test.each([
  ['courses', 'new-course-dialog.tsx'],
  ['cohorts', 'cohort-messages.ts'],
])('forms of %s carry a message for every code that their feature names', (feature, chosen) => {
  const folder = `src/features/${feature}`;
  const own = codesOf(readFileSync(`${folder}/vocabulary.ts`, 'utf8'));
  const named = readFileSync(`${folder}/${chosen}`, 'utf8');
  const missing = globSync(`${folder}/*.{ts,tsx}`)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'(\w+)'/g)])
    .map(([, word = '']) => word)
    .filter((code) => all.includes(code) && !own.includes(code) && !named.includes(code));

  expect(all.length).toBeGreaterThan(60);
  expect(own.length).toBeGreaterThan(3);
  expect(missing).toEqual([]);
});
