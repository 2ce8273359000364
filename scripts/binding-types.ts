import { runScript } from './local/plain-failure.ts';
import { writeBindingTypes } from './local/steps.ts';

/** Writes the types of wrangler.toml's bindings to src/bindings.gen.d.ts. */
await runScript(writeBindingTypes);
