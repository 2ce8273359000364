import { existsSync } from 'node:fs';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { quietEnv } from './local/settings.ts';
import { build, requireBuild } from './local/steps.ts';

Object.assign(process.env, quietEnv);

const parts = ['server', 'browser'];

/**
 * Measures the build beside its twins and prints ratios: `npm run bench`, or one part of it, `npm run bench -- server`.
 * `--skip-build` takes the build that is there. An aim that is not met is no failure; what cannot be measured is.
 */
await runScript(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--skip-build');
  const unknown = args.find((arg) => !parts.includes(arg));
  if (unknown !== undefined) {
    throw new PlainFailure(`There is no part "${unknown}". The parts are ${parts.join(' and ')}.`);
  }
  const chosen = args.length === 0 ? parts : args;
  // Told at once, and not after minutes.
  if (chosen.includes('browser') && !hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  if (chosen.includes('browser') && !existsSync('bench/single-page/node_modules')) {
    throw new PlainFailure(
      'The single-page twin has no libraries yet: run `npm ci --prefix bench/single-page` once.',
    );
  }
  if (process.argv.includes('--skip-build')) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build();
  }
  // Loaded late: wrangler is large, and a failure above should be told at once.
  if (chosen.includes('server')) {
    const { benchServer } = await import('../bench/server.ts');
    await benchServer();
  }
  if (chosen.includes('browser')) {
    const { benchBrowser } = await import('../bench/browser.ts');
    await benchBrowser();
  }
});
