import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';

type Outcome = { passed: number; failed: number };

/**
 * All layers of tests on a fresh build, and a closing line that counts them. Without a browser its suite is left out, with
 * a sentence on how to get one. `--everything` is what CI asks for: the checks of the sources too, and no way around the browser.
 */
await runScript(async () => {
  const isEverything = process.argv.includes('--everything');
  if (isEverything && !hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  const outcomes: Outcome[] = [];
  if (isEverything) {
    const checks = ['lint', 'typecheck', 'catalogs:check', 'deploy -- --dry-run'];
    for (const check of checks) {
      const code = await run('npm', ['run', ...check.split(' ')]);
      outcomes.push({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
    }
  }
  ensureSecrets();
  console.log('Building Lectern …');
  await build();

  // One by one: a project in which no test is found is a failure only where it runs alone.
  for (const project of ['workerd', 'built', 'budgets']) {
    const args = ['run', '--config', 'test/vitest.config.ts', '--project', project];
    outcomes.push(await runSuite('vitest', args, readVitest));
  }
  if (hasChromium) {
    const args = ['test', '--config', 'test/e2e/playwright.config.ts'];
    outcomes.push(await runSuite('playwright', args, readPlaywright));
  } else {
    console.log(howToGetChromium);
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

/** Runs a suite and counts its tests; one that broke off, or failed outside a test, counts as one failure more. */
async function runSuite(command: string, args: string[], read: () => Outcome): Promise<Outcome> {
  rmSync('test-results', { recursive: true, force: true });
  const code = await run(command, args);
  try {
    const { passed, failed } = read();
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function readVitest(): Outcome {
  const { numPassedTests, numFailedTests } = readReport('test-results/vitest.json');
  return { passed: Number(numPassedTests), failed: Number(numFailedTests) };
}

function readPlaywright(): Outcome {
  const { stats } = readReport('test-results/e2e.json');
  const { expected, unexpected, flaky } = stats as Record<string, number>;
  return { passed: Number(expected), failed: Number(unexpected) + Number(flaky) };
}

function readReport(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
