import { PlainFailure, runScript } from './local/plain-failure.ts';
import { quietEnv } from './local/settings.ts';
import { build, requireBuild } from './local/steps.ts';

Object.assign(process.env, quietEnv);

// Loaded late: wrangler is large, and a failure before should be reported immediately.
const parts: Record<string, () => Promise<void>> = {
  server: async () => (await import('../bench/server.ts')).benchServer(),
  enrolling: async () => (await import('../bench/enrolling.ts')).benchEnrolling(),
  calendars: async () => (await import('../bench/calendars.ts')).benchCalendars(),
  clock: async () => (await import('../bench/clock.ts')).benchClock(),
  saving: async () => (await import('../bench/saving.ts')).benchSaving(),
};

/**
 * Measures the build and its twins and prints ratios: `npm run bench`, or one part of it,
 * `npm run bench -- server`. `--skip-build` uses the existing build. A missed aim is not a failure; a
 * measurement that cannot run is, and a ratio that, measured again, is still a fifth worse than in
 * bench/record.json, which `--keep` replaces.
 */
await runScript(async () => {
  const args = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const names = Object.keys(parts);
  const unknown = args.find((arg) => !names.includes(arg));
  if (unknown !== undefined) {
    throw new PlainFailure(`There is no part "${unknown}". The parts are ${names.join(', ')}.`);
  }
  const isKept = process.argv.includes('--keep');
  if (isKept && args.length > 0) {
    throw new PlainFailure('--keep replaces the whole record, so it measures all parts.');
  }
  const { describeMachine } = await import('../bench/machine.ts');
  await describeMachine();
  if (process.argv.includes('--skip-build')) {
    requireBuild();
  } else {
    console.log('Building Lectern …');
    await build();
  }
  const measureAll = async () => {
    for (const [name, measure] of Object.entries(parts)) {
      if (args.length === 0 || args.includes(name)) {
        await measure();
      }
    }
  };
  await measureAll();
  const { heldRatios, printAims } = await import('../bench/figures.ts');
  printAims();
  const { compareWithRecord, keepRecord } = await import('../bench/record.ts');
  if (isKept) {
    keepRecord(heldRatios);
  } else {
    await compareWithRecord(heldRatios, measureAll);
  }
});
