import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { hasFirefox, howToGetFirefox } from '../test/e2e/firefox.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';
import { endWith, type Outcome, runAsOne, runPlaywright, runVitest } from './local/suites.ts';

const fuzzRequests = 6_000;
const scaleUsers = 100_000;

const parts: Record<string, () => Promise<Outcome>> = {
  lighthouse: () =>
    runPlaywright(['--project', 'lighthouse', '--no-deps'], { env: { LIGHTHOUSE_PAGES: 'all' } }),
  fuzz: () => {
    const { FUZZ_REQUESTS = String(fuzzRequests), FUZZ_SEED = randomSeed() } = process.env;
    console.log(`FUZZ_REQUESTS=${FUZZ_REQUESTS} FUZZ_SEED=${FUZZ_SEED} repeats this run.`);
    const files = ['test/api/fuzz.test.ts'];
    return runVitest('workerd', { files, env: { FUZZ_REQUESTS, FUZZ_SEED } });
  },
  firefox: () => runAsOne('node', ['test/e2e/firefox.ts']),
  mutations: () => runAsOne('node', ['test/mutations.ts']),
  feature: () => runAsOne('node', ['test/follow-adding-a-feature.ts']),
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
    const known = Object.keys(parts).join(', ');
    throw new PlainFailure(`There is no part "${unknown}". The parts are ${known}.`);
  }
  const chosen = Object.entries(parts).filter(
    ([name]) => named.length === 0 || named.includes(name),
  );
  requireBrowsers(chosen.map(([name]) => name));
  ensureSecrets();
  console.log('Building Lectern …');
  await build();
  const outcomes: Outcome[] = [];
  for (const [name, runPart] of chosen) {
    console.log(`\n${name}`);
    outcomes.push(await runPart());
  }
  endWith(outcomes);
});

/** @throws PlainFailure immediately, not after an hour */
function requireBrowsers(chosen: string[]): void {
  if (chosen.includes('lighthouse') && !hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  if (chosen.includes('firefox') && !hasFirefox) {
    throw new PlainFailure(howToGetFirefox);
  }
}

function randomSeed(): string {
  return String(Math.floor(Math.random() * 2 ** 31));
}
