import { globSync } from 'node:fs';
import { runScript } from './local/plain-failure.ts';
import { changedAt, writeBindingTypes, writePageTypes } from './local/steps.ts';

const generated = [
  {
    file: 'src/bindings.gen.d.ts',
    sources: ['wrangler.toml', '.dev.vars', 'package-lock.json'],
    write: writeBindingTypes,
  },
  // The pattern matches folders too, which change when a file in them is removed.
  {
    file: 'src/pages.gen.ts',
    sources: ['src/pages/**', 'package-lock.json'],
    write: writePageTypes,
  },
];

/** Writes the types of bindings and pages, unless they are newer than what they come from. */
await runScript(async () => {
  for (const { file, sources, write } of generated) {
    const changed = Math.max(...globSync(sources).map(changedAt));
    if (changedAt(file) <= changed) {
      await write();
    }
  }
});
