import { runScript } from './local/plain-failure.ts';
import { writeBindingTypes } from './local/steps.ts';

/** The types of the worker's bindings, as wrangler.toml has them, in src/bindings.gen.d.ts. */
await runScript(writeBindingTypes);
