import { runScript } from './local/plain-failure.ts';
import { build } from './local/steps.ts';

/** The production build, in dist/. */
await runScript(async () => {
  console.log('Building Lectern …');
  await build();
});
