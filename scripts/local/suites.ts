import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromiumNotice, hasChromium } from '../../test/e2e/chromium.ts';
import type { VitestOutcome } from '../../test/outcome-reporter.ts';
import { type Cost, printCosts } from './costs.ts';
import { PlainFailure } from './plain-failure.ts';
import { processorSeconds, type Usage, watchProcessor } from './processor-time.ts';

/**
 * How many tests passed, the names of those that failed, and of those that passed on a retry; and
 * what they cost.
 */
export type Outcome = { passed: number; failed: string[]; flaky: string[]; costs: Cost[] };

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
  /** Called with the command's process id; the function it returns is called at the end. */
  beside?: (pid: number) => () => Promise<void>;
};

/**
 * Checks the sources and runs every suite once, on a new build. Two commands at a time keep two
 * cores busy; the browser suite does so alone, and more beside it would cost all of them more.
 */
export async function testAll(env: Record<string, string> = {}): Promise<Outcome[]> {
  const withoutBrowser = await Promise.all([testSources(env), testBuild(env)]);
  const inBrowser = hasChromium ? [await runPlaywright(['--project', 'journeys'], { env })] : [];
  if (chromiumNotice !== null) {
    console.log(chromiumNotice);
  }
  return [...withoutBrowser.flat(), ...inBrowser];
}

async function testSources(env: Record<string, string>): Promise<Outcome[]> {
  const checks = [await check('lint'), await check('catalogs:check')];
  const inChromium = hasChromium ? [await runVitest('dom', { env })] : [];
  return [...checks, await runVitest('workerd', { env }), ...inChromium];
}

/**
 * The types are checked here, so that both take about as long.
 *
 * @throws PlainFailure after the build's errors, because nothing else can run
 */
async function testBuild(env: Record<string, string>): Promise<Outcome[]> {
  const types = await check('typecheck');
  const built = await check('build');
  if (built.failed.length > 0) {
    throw new PlainFailure('There is no build to test.');
  }
  const outcomes = [types, built];
  for (const project of ['built', 'budgets'] as const) {
    outcomes.push(await runVitest(project, { env, isHeld: true }));
  }
  return outcomes;
}

function check(name: string): Promise<Outcome> {
  return runAsOne('npm', ['run', name], { isHeld: true });
}

/** One project of test/vitest.config.ts. Several run at the same time, each with its own report. */
export async function runVitest(
  project: 'workerd' | 'dom' | 'built' | 'budgets',
  { files = [], env, ...options }: Options = {},
): Promise<Outcome> {
  const report = `test-results/${project}.json`;
  const costs: Cost[] = [];
  const run = async (chosen: string[]): Promise<VitestOutcome> => {
    const args = ['run', '--config', 'test/vitest.config.ts', '--project', project, ...chosen];
    rmSync(report, { force: true });
    const { code, ...usage } = await runTimed('vitest', args, {
      ...options,
      env: { ...env, VITEST_REPORT: report },
    });
    const outcome = readReport<VitestOutcome>(report);
    costs.push({ part: project, ...usage, cases: outcome?.cases ?? [] });
    return outcome !== null && (code === 0 || outcome.failed.length + outcome.broken.length > 0)
      ? outcome
      : // A crash, or an error outside of all files.
        { ...noTests, cases: [], broken: chosen.length > 0 ? chosen : ['test/'] };
  };

  const { broken, passed, failed, flaky } = await run(files);
  if (broken.length === 0) {
    return { passed, failed, flaky, costs };
  }
  console.log(`Running again, because a worker or a server did not start: ${broken.join(' ')}`);
  const again = await run(broken);
  return {
    passed: passed + again.passed,
    failed: [...failed, ...again.failed, ...again.broken],
    flaky: [...flaky, ...again.flaky, ...broken.filter((file) => !again.broken.includes(file))],
    costs,
  };
}

/** The browser tests, or those selected by these arguments. */
export async function runPlaywright(args: string[] = [], options: Options = {}): Promise<Outcome> {
  const report = 'test-results/e2e.json';
  const command = ['test', '--config', 'test/e2e/playwright.config.ts', ...args];
  /** Null if no test ran, because a server did not start. */
  const run = async (): Promise<Outcome | null> => {
    rmSync(report, { force: true });
    const { code, ...usage } = await runTimed('playwright', command, options);
    const results = readReport<PlaywrightReport>(report);
    const outcome = outcomeOf(results, usage);
    if ((code === 0 && results !== null) || outcome.failed.length > 0) {
      return outcome;
    }
    return outcome.passed > 0 ? { ...outcome, failed: [outsideTests] } : null;
  };
  const outsideTests = `playwright ${command.join(' ')}, outside its tests`;

  const first = await run();
  if (first !== null) {
    return first;
  }
  console.log('Running again, because a server did not start.');
  return (await run()) ?? { ...noTests, failed: [outsideTests] };
}

/** A command that counts as one test. */
export async function runAsOne(
  command: string,
  args: string[],
  options: Options = {},
): Promise<Outcome> {
  const { code, ...usage } = await runTimed(command, args, options);
  const name = [command, ...args].join(' ');
  const costs = [{ part: name, ...usage, cases: [{ name, seconds: usage.seconds }] }];
  return code === 0 ? { ...noTests, passed: 1, costs } : { ...noTests, failed: [name], costs };
}

/**
 * Prints what everything cost, what failed, what passed only on a retry, and the closing line with
 * all counts, and fails if anything failed. The names are repeated at the end, because the failures
 * themselves may be thousands of lines above.
 *
 * @param isStrict whether a test that passed only on a retry counts as failed
 * @param over what cost more than it may
 */
export function reportOutcomes(
  outcomes: Outcome[],
  { isStrict = false, over = [] }: { isStrict?: boolean; over?: string[] } = {},
): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const flaky = outcomes.flatMap((outcome) => outcome.flaky);
  const failed = [...outcomes.flatMap((outcome) => outcome.failed), ...over];
  printCosts(outcomes.flatMap(({ costs }) => costs));
  for (const name of flaky) {
    console.log(`Passed only on a retry: ${name}`);
  }
  for (const name of failed) {
    console.log(`Failed: ${name}`);
  }
  const failures = failed.length + (isStrict ? flaky.length : 0);
  console.log(`${passed} passed, ${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

const noTests = { passed: 0, failed: [], flaky: [], costs: [] };

function readReport<Report>(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

type PlaywrightSpec = {
  file: string;
  title: string;
  tests: { status: string; annotations: { type: string; description?: string }[] }[];
};
type PlaywrightSuite = {
  specs: PlaywrightSpec[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = { stats: { expected: number; flaky: number }; suites: PlaywrightSuite[] };

/** @param report null if there is none, because no test ran */
function outcomeOf(report: PlaywrightReport | null, usage: Usage): Outcome {
  const { stats, suites } = report ?? { stats: { expected: 0, flaky: 0 }, suites: [] };
  const specs = suites.flatMap(specsIn);
  const namesOf = (status: string) =>
    specs.filter(({ tests }) => tests.some((test) => test.status === status)).map(nameOf);
  return {
    passed: stats.expected + stats.flaky,
    failed: namesOf('unexpected'),
    flaky: namesOf('flaky'),
    costs: [{ part: 'browser', ...usage, cases: specs.flatMap(casesOf) }],
  };
}

/** What a test has noted of its cost; see test/e2e/support.ts. */
function casesOf(spec: PlaywrightSpec): Cost['cases'] {
  return spec.tests
    .flatMap(({ annotations }) => annotations)
    .filter(({ type }) => type === processorSeconds)
    .map(({ description }) => ({ name: nameOf(spec), seconds: Number(description) }));
}

function specsIn({ specs, suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsIn)];
}

function nameOf({ file, title }: PlaywrightSpec): string {
  return `test/e2e/${file}: ${title}`;
}

/** Runs a command and prints how long it took; resolves to its exit code and what it used. */
async function runTimed(
  command: string,
  args: string[],
  { isHeld = false, env = {}, beside }: Options,
): Promise<Usage & { code: number }> {
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
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  const pid = child.pid ?? 0;
  const endBeside = pid === 0 ? undefined : beside?.(pid);
  const endWatch = watchProcessor(pid);
  const code = await ended.finally(endBeside);
  const usage = endWatch();
  process.stdout.write(Buffer.concat(output));
  const waited = Math.round((Date.now() - started) / 1000);
  const shown = args.filter((arg) => !arg.startsWith('-')).join(' ');
  console.log(`${command} ${shown}: ${waited} s\n`);
  return { code, ...usage };
}
