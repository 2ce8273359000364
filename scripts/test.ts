import { globSync } from 'node:fs';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { suiteFiles } from '../test/suites.ts';
import { overLimits } from './local/costs.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { buildIfChanged } from './local/steps.ts';
import { type Outcome, reportOutcomes, runPlaywright, runVitest, testAll } from './local/suites.ts';

/** The selected test files, by suite. */
type Files = Record<'workerd' | keyof typeof suiteFiles, string[]>;

/**
 * `npm test` checks the sources and runs every suite once, on a new build. `npm test -- login` runs
 * the test files with "login" in their path, and builds if they need it. Without a browser its
 * suite is skipped, with a hint on how to get one.
 */
await runScript(async () => {
  const names = process.argv.slice(2);
  ensureSecrets();
  if (names.length > 0) {
    reportOutcomes(await testSome(pickFiles(names)));
    return;
  }
  const outcomes = await testAll();
  reportOutcomes(outcomes, { over: overLimits(outcomes.flatMap(({ costs }) => costs)) });
});

async function testSome(files: Files): Promise<Outcome[]> {
  const { workerd, dom, built, budgets, browser } = files;
  if (dom.length + browser.length > 0 && !hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  const ofSources = [
    ...(workerd.length > 0 ? [await runVitest('workerd', { files: workerd })] : []),
    ...(dom.length > 0 ? [await runVitest('dom', { files: dom })] : []),
  ];
  if (built.length + budgets.length + browser.length > 0) {
    await buildIfChanged();
  }
  return [
    ...ofSources,
    ...(built.length > 0 ? [await runVitest('built', { files: built })] : []),
    ...(budgets.length > 0 ? [await runVitest('budgets', { files: budgets })] : []),
    // Without the leak check, which needs the whole run.
    ...(browser.length > 0 ? [await runPlaywright(['--no-deps', ...browser])] : []),
  ];
}

/** @throws PlainFailure naming a word that is in no path */
function pickFiles(names: string[]): Files {
  const find = (patterns: string[]) =>
    patterns.flatMap((pattern) => globSync(pattern, { cwd: 'test' })).map((file) => `test/${file}`);
  const built = find(suiteFiles.built);
  const budgets = find(suiteFiles.budgets);
  const browser = find(suiteFiles.browser);
  const dom = find(suiteFiles.dom);
  const others = new Set([...built, ...budgets, ...dom]);
  const workerd = find(['**/*.test.ts']).filter((file) => !others.has(file));
  const files = { workerd, dom, built, budgets, browser };

  for (const name of names) {
    if (!Object.values(files).some((suite) => suite.some((file) => file.includes(name)))) {
      throw new PlainFailure(`No test file has "${name}" in its path.`);
    }
  }
  const pick = (suite: string[]) =>
    suite.filter((file) => names.some((name) => file.includes(name)));
  return {
    workerd: pick(workerd),
    dom: pick(dom),
    built: pick(built),
    budgets: pick(budgets),
    browser: pick(browser),
  };
}
