import { PlainFailure, runScript } from './local/plain-failure.ts';
import { quietEnv } from './local/settings.ts';
import { build, requireBuild } from './local/steps.ts';

Object.assign(process.env, quietEnv);

const parts = ['server', 'enrolling', 'calendars', 'clock'];

/**
 * Measures the build and its twins and prints ratios: `npm run bench`, or one part of it,
 * `npm run bench -- server`. `--skip-build` uses the existing build. A missed aim is not a failure;
 * a measurement that cannot run is.
 */
await runScript(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--skip-build');
  const unknown = args.find((arg) => !parts.includes(arg));
  if (unknown !== undefined) {
    throw new PlainFailure(`There is no part "${unknown}". The parts are ${parts.join(', ')}.`);
  }
  const chosen = args.length === 0 ? parts : args;
  const { describeMachine } = await import('../bench/machine.ts');
  await describeMachine();
  if (process.argv.includes('--skip-build')) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build();
  }
  // Loaded late: wrangler is large, and a failure above should be reported immediately.
  if (chosen.includes('server')) {
    const { benchServer } = await import('../bench/server.ts');
    await benchServer();
  }
  if (chosen.includes('enrolling')) {
    const { benchEnrolling } = await import('../bench/enrolling.ts');
    await benchEnrolling();
  }
  if (chosen.includes('calendars')) {
    const { benchCalendars } = await import('../bench/calendars.ts');
    await benchCalendars();
  }
  if (chosen.includes('clock')) {
    const { benchClock } = await import('../bench/clock.ts');
    await benchClock();
  }
  const { printAims } = await import('../bench/figures.ts');
  printAims();
});
