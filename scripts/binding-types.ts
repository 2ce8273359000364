import { runScript } from './local/plain-failure.ts';
import { changedAt, writeBindingTypes } from './local/steps.ts';

const target = 'src/bindings.gen.d.ts';
const sources = ['wrangler.toml', 'package-lock.json', '.dev.vars'];

/** Writes the types of wrangler.toml's bindings, unless they are newer than what they come from. */
await runScript(async () => {
  const changed = Math.max(...sources.map(changedAt));
  if (changedAt(target) <= changed) {
    await writeBindingTypes();
  }
});
