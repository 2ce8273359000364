import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How many tests passed, and the names of those that failed. */
export type Outcome = { passed: number; failed: string[] };

/** Most commands load wrangler or another large package, some of them dozens of times. */
const compileCache = path.join(tmpdir(), 'lectern-compile-cache');

/** In bytes, for what tests write at a time. */
const neededRoom = 2_000_000_000;

/**
 * Where tests have their databases, projects and profiles: in memory if it has room, because a
 * database on a disk waits at each write until the disk has it.
 */
const temporaryFolder = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > neededRoom;
  } catch {
    return false;
  }
}

type Options = {
  /** Only these files. */
  files?: string[];
  /** Prints the output at the end, because another command is printing in the meantime. */
  isHeld?: boolean;
  env?: Record<string, string>;
  /** Begins with the command, whose id it gets; what it returns ends it. */
  beside?: (pid: number) => () => Promise<void>;
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
  return code === 0
    ? { passed: 1, failed: [] }
    : { passed: 0, failed: [[command, ...args].join(' ')] };
}

/**
 * Prints what failed and the closing line with all counts, and fails if anything failed. The names
 * come again at the end because the failures themselves may stand thousands of lines above.
 */
export function endWith(outcomes: Outcome[]): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  for (const name of failed) {
    console.log(`Failed: ${name}`);
  }
  console.log(`${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Reads a suite's report; a crash or an error outside a test counts as one more failure. */
async function runSuite(
  command: string,
  args: string[],
  report: string,
  options: Options,
): Promise<Outcome> {
  rmSync(report, { force: true });
  const code = await run(command, args, options);
  const outsideTests = `${command} ${args.join(' ')}, outside its tests`;
  try {
    const { passed, failed } = readOutcome(JSON.parse(readFileSync(report, 'utf8')));
    return { passed, failed: code !== 0 && failed.length === 0 ? [outsideTests] : failed };
  } catch {
    return { passed: 0, failed: [outsideTests] };
  }
}

type VitestReport = {
  numPassedTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
};
type PlaywrightSuite = {
  specs: { file: string; title: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = { stats: { expected: number }; suites: PlaywrightSuite[] };

function readOutcome(report: VitestReport | PlaywrightReport): Outcome {
  if ('stats' in report) {
    return { passed: report.stats.expected, failed: report.suites.flatMap(failedSpecs) };
  }
  const failed = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${path.relative('.', name)}: ${fullName}`),
  );
  return { passed: report.numPassedTests, failed };
}

/** A test that passed at a second attempt has failed too. */
function failedSpecs({ specs, suites = [] }: PlaywrightSuite): string[] {
  return [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(() => `test/e2e/${file}: ${title}`),
    ),
    ...suites.flatMap(failedSpecs),
  ];
}

/** Runs a command and prints how long it took. */
async function run(
  command: string,
  args: string[],
  { isHeld = false, env = {}, beside }: Options,
): Promise<number> {
  const started = Date.now();
  const child = spawn(command, args, {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      TMPDIR: temporaryFolder,
      ...env,
    },
    stdio: isHeld ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk) => said.push(chunk));
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  const endBeside = child.pid === undefined ? undefined : beside?.(child.pid);
  const code = await ended.finally(endBeside);
  process.stdout.write(Buffer.concat(said));
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${command} ${args.filter((arg) => !arg.startsWith('-')).join(' ')}: ${seconds} s\n`);
  return code;
}
