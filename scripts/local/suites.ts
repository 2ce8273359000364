import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

export type Outcome = { passed: number; failed: number };

type Options = {
  /** Only these files. */
  files?: string[];
  /** Prints the output at the end, because another command is printing in the meantime. */
  isHeld?: boolean;
  env?: Record<string, string>;
};

/** One project of test/vitest.config.ts. Several run at the same time, each with its own report. */
export function runVitest(
  project: 'workerd' | 'built' | 'budgets',
  { files = [], env, ...options }: Options = {},
): Promise<Outcome> {
  const report = `test-results/${project}.json`;
  const args = ['run', '--config', 'test/vitest.config.ts', '--project', project, ...files];
  return runSuite('vitest', args, report, { ...options, env: { ...env, VITEST_REPORT: report } });
}

/** The browser tests, or those selected by these arguments. */
export function runPlaywright(args: string[] = [], options: Options = {}): Promise<Outcome> {
  const report = 'test-results/e2e.json';
  const config = ['--config', 'test/e2e/playwright.config.ts'];
  return runSuite('playwright', ['test', ...config, ...args], report, options);
}

/** A command that counts as one test. */
export async function runAsOne(
  command: string,
  args: string[],
  options: Options = {},
): Promise<Outcome> {
  const code = await run(command, args, options);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

/** Prints the closing line with all counts, and fails if anything failed. */
export function endWith(outcomes: Outcome[]): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Counts a suite's tests; a crash or an error outside a test counts as one more failure. */
async function runSuite(
  command: string,
  args: string[],
  report: string,
  options: Options,
): Promise<Outcome> {
  rmSync(report, { force: true });
  const code = await run(command, args, options);
  try {
    const { passed, failed } = readOutcome(JSON.parse(readFileSync(report, 'utf8')));
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

type VitestReport = { numPassedTests: number; numFailedTests: number };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } };

function readOutcome(report: VitestReport | PlaywrightReport): Outcome {
  return 'stats' in report
    ? { passed: report.stats.expected, failed: report.stats.unexpected + report.stats.flaky }
    : { passed: report.numPassedTests, failed: report.numFailedTests };
}

/** Runs a command and prints how long it took. */
async function run(
  command: string,
  args: string[],
  { isHeld = false, env = {} }: Options,
): Promise<number> {
  const started = Date.now();
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: isHeld ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk) => said.push(chunk));
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.stdout.write(Buffer.concat(said));
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${command} ${args.filter((arg) => !arg.startsWith('-')).join(' ')}: ${seconds} s\n`);
  return code;
}
