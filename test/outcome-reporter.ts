import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The outcome of a Vitest run, as scripts/local/suites.ts reads it. */
export type VitestOutcome = {
  passed: number;
  failed: string[];
  /** Tests that passed only on a retry. */
  flaky: string[];
  /** Files that failed outside their tests, such as in a hook that starts a worker. */
  broken: string[];
};

/** Writes the outcome of a run to a file. */
export class OutcomeReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcome: VitestOutcome = { passed: 0, failed: [], flaky: [], broken: [] };
    for (const module of modules) {
      const file = path.relative('.', module.moduleId);
      const tests = [...module.children.allTests()];
      const namesOf = (chosen: typeof tests) => chosen.map((test) => `${file}: ${test.fullName}`);
      const failed = tests.filter((test) => test.result().state === 'failed');
      if (module.state() === 'failed' && failed.length === 0) {
        outcome.broken.push(file);
        continue;
      }
      outcome.passed += tests.filter((test) => test.result().state === 'passed').length;
      outcome.failed.push(...namesOf(failed));
      outcome.flaky.push(...namesOf(tests.filter((test) => test.diagnostic()?.flaky === true)));
    }
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(outcome));
  }
}
