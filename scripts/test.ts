import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';

type Outcome = { passed: number; failed: number };

/**
 * All four layers of tests on a fresh build, and a closing line that counts them. Without a browser its suite is left out,
 * with a sentence on how to get one; `--require-browser` makes that a failure.
 */
await runScript(async () => {
  if (!hasChromium && process.argv.includes('--require-browser')) {
    throw new PlainFailure(howToGetChromium);
  }
  rmSync('test-results', { recursive: true, force: true });
  ensureSecrets();
  console.log('Building Lectern …');
  await build();

  const codes: number[] = [];
  const outcomes: Outcome[] = [];
  // One by one: a project in which no test is found is a failure only where it runs alone.
  for (const project of ['workerd', 'built']) {
    codes.push(
      await run('vitest', ['run', '--config', 'test/vitest.config.ts', '--project', project]),
    );
    outcomes.push(readVitest());
  }
  if (hasChromium) {
    codes.push(await run('playwright', ['test', '--config', 'test/e2e/playwright.config.ts']));
    outcomes.push(readPlaywright());
  } else {
    console.log(howToGetChromium);
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
});

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
