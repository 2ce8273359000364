import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { familyOf, secondsOf } from '../scripts/local/processor-time.ts';

/** The outcome of a Vitest run, as scripts/local/suites.ts reads it. */
export type VitestOutcome = {
  passed: number;
  failed: string[];
  /** Tests that passed only on a retry. */
  flaky: string[];
  /** Files that failed outside their tests, such as in a hook that starts a worker. */
  broken: string[];
  /** What each test that ran has cost. */
  cases: { name: string; seconds: number }[];
};

/** Writes the outcome of a run to a file. */
export class OutcomeReporter implements Reporter {
  readonly #file: string;
  /** The processes of each worker, and when they were looked up. */
  #workers: number[][] = [];
  #lookedUpAt = 0;
  /** By the id of a test that runs, the workers and what they had used when it began. */
  readonly #begun = new Map<string, { workers: number[][]; seconds: number[] }>();
  readonly #seconds = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
  }

  onTestCaseReady({ id }: TestCase): void {
    if (Date.now() - this.#lookedUpAt > 1_000) {
      const children = [...familyOf(process.pid)].filter(
        ([, { parent }]) => parent === process.pid,
      );
      this.#workers = children.map(([pid]) => [...familyOf(pid).keys()]);
      this.#lookedUpAt = Date.now();
    }
    this.#begun.set(id, { workers: this.#workers, seconds: this.#workers.map(secondsOf) });
  }

  /** A test is charged what the busiest worker used: nothing says which of them ran it. */
  onTestCaseResult({ id }: TestCase): void {
    const { workers = [], seconds = [] } = this.#begun.get(id) ?? {};
    const used = workers.map((pids, index) => secondsOf(pids) - (seconds[index] ?? 0));
    this.#seconds.set(id, Math.max(0, ...used));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcome: VitestOutcome = { passed: 0, failed: [], flaky: [], broken: [], cases: [] };
    for (const module of modules) {
      const file = path.relative('.', module.moduleId);
      const tests = [...module.children.allTests()];
      const namesOf = (chosen: typeof tests) => chosen.map((test) => `${file}: ${test.fullName}`);
      const failed = tests.filter((test) => test.result().state === 'failed');
      if (module.state() === 'failed' && failed.length === 0) {
        outcome.broken.push(file);
        continue;
      }
      for (const { id, fullName } of tests) {
        const seconds = this.#seconds.get(id);
        if (seconds !== undefined) {
          outcome.cases.push({ name: `${file}: ${fullName}`, seconds });
        }
      }
      outcome.passed += tests.filter((test) => test.result().state === 'passed').length;
      outcome.failed.push(...namesOf(failed));
      outcome.flaky.push(...namesOf(tests.filter((test) => test.diagnostic()?.flaky === true)));
    }
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(outcome));
  }
}
