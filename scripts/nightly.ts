import { hasCalendarPrograms, howToGetCalendars } from '../test/e2e/calendar-programs.ts';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { hasFirefox, howToGetFirefox } from '../test/e2e/firefox.ts';
import { hasSpreadsheet, howToGetSpreadsheet } from '../test/e2e/spreadsheets.ts';
import { everyCase } from '../test/every-case.ts';
import { pauseProcessesOf } from './local/pauses.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';
import {
  type Outcome,
  reportOutcomes,
  runAsOne,
  runPlaywright,
  runVitest,
  testAll,
} from './local/suites.ts';

const fuzzRequests = 6_000;
const stormRounds = 20;
const scaleUsers = 100_000;
const needChromium = ['everything', 'lighthouse', 'pauses'];

const parts: Record<string, () => Promise<Outcome | Outcome[]>> = {
  // `npm test`, with what is too large for it; see test/every-case.ts.
  everything: () => testAll(everyCase),
  lighthouse: () => runPlaywright(['--project', 'lighthouse', '--no-deps'], { env: everyCase }),
  pauses: () => runPlaywright(['--project', 'journeys', '--no-deps'], { beside: pauseProcessesOf }),
  fuzz: async () => {
    const { FUZZ_SEED = randomSeed(), STORM_ROUNDS = String(stormRounds) } = process.env;
    const { FUZZ_REQUESTS = String(fuzzRequests) } = process.env;
    const env = { ...everyCase, FUZZ_REQUESTS, FUZZ_SEED, STORM_ROUNDS };
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    console.log(`${settings.join(' ')} npm run nightly -- fuzz repeats this run.`);
    const storms = ['features/places/storm', 'features/checkouts/storm'];
    const files = ['api/fuzz', ...storms, 'test/orders', 'test/round-trips'];
    return [
      await runVitest('workerd', { files, env }),
      await runVitest('dom', { env }),
      await runVitest('built', { files: ['built/agreement'], env }),
    ];
  },
  calendars: () => runAsOne('node', ['test/e2e/calendar-programs.ts']),
  spreadsheets: () => runAsOne('node', ['test/e2e/spreadsheets.ts']),
  firefox: () => runAsOne('node', ['test/e2e/firefox.ts']),
  mutations: () => runAsOne('node', ['test/mutations.ts']),
  feature: () => runAsOne('node', ['test/follow-adding-a-feature.ts']),
  bench: () => runAsOne('node', ['scripts/bench.ts', '--skip-build']),
  scale: () => runAsOne('node', ['scripts/scale.ts', String(scaleUsers)]),
};

/**
 * Checks that take too long for every change, or differ each time: `npm run nightly`, or some
 * parts, `npm run nightly -- fuzz firefox`.
 */
await runScript(async () => {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => parts[name] === undefined);
  if (unknown !== undefined) {
    const names = Object.keys(parts).join(', ');
    throw new PlainFailure(`There is no part "${unknown}". The parts are ${names}.`);
  }
  const chosen = Object.entries(parts).filter(
    ([name]) => named.length === 0 || named.includes(name),
  );
  requirePrograms(chosen.map(([name]) => name));
  ensureSecrets();
  console.log('Building Lectern …');
  await build();
  const outcomes: Outcome[] = [];
  for (const [name, runPart] of chosen) {
    console.log(`\n${name}`);
    outcomes.push(...[await runPart()].flat());
  }
  reportOutcomes(outcomes, { isStrict: true });
});

/** @throws PlainFailure immediately, not after an hour */
function requirePrograms(chosen: string[]): void {
  if (chosen.some((name) => needChromium.includes(name)) && !hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  if (chosen.includes('calendars') && !hasCalendarPrograms) {
    throw new PlainFailure(howToGetCalendars);
  }
  if (chosen.includes('spreadsheets') && !hasSpreadsheet) {
    throw new PlainFailure(howToGetSpreadsheet);
  }
  if (chosen.includes('firefox') && !hasFirefox) {
    throw new PlainFailure(howToGetFirefox);
  }
}

function randomSeed(): string {
  return String(Math.floor(Math.random() * 2 ** 31));
}
